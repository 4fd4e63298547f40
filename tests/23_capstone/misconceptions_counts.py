"""Wrong answers that people give to kata 23 about parameters and FLOPs."""

from dojo.judging.diagnose import believes, solution

solved = solution("23_capstone")

# gpt_params


@believes("The head has a matrix of its own", about="gpt_params")
def unties_the_head(vocab, context, dim, layers):
    """It shares the weight of the token embedding, which counts once."""
    return solved.gpt_params(vocab, context, dim, layers) + vocab * dim


@believes("A block has 12 · dim² parameters", about="gpt_params")
def counts_matrices_alone(vocab, context, dim, layers):
    """Those are its matrices: biases are 9 · dim more, and the two norms 4 · dim."""
    return solved.gpt_params(vocab, context, dim, layers) - 13 * layers * dim


@believes("The matrices of a block have no biases", about="gpt_params")
def leaves_out_biases(vocab, context, dim, layers):
    """In GPT-2 they do: 3 · dim, dim, 4 · dim and dim numbers in each block."""
    return solved.gpt_params(vocab, context, dim, layers) - 9 * layers * dim


@believes("A norm has one number for each channel", about="gpt_params")
def leaves_out_the_biases_of_norms(vocab, context, dim, layers):
    """LayerNorm has a weight and a bias, 2 · dim; RMSNorm has only a weight."""
    return solved.gpt_params(vocab, context, dim, layers) - dim * (2 * layers + 1)


@believes("There is no norm after the last block", about="gpt_params")
def leaves_out_the_last_norm(vocab, context, dim, layers):
    """A pre-norm model has one more norm after its blocks, with 2 · dim numbers."""
    return solved.gpt_params(vocab, context, dim, layers) - 2 * dim


@believes("A block has one norm", about="gpt_params")
def counts_one_norm(vocab, context, dim, layers):
    """There are two: before attention, and before the MLP."""
    return solved.gpt_params(vocab, context, dim, layers) - 2 * layers * dim


@believes("Position embeddings are not learned", about="gpt_params")
def leaves_out_positions(vocab, context, dim, layers):
    """GPT-2 learns one for each position: context · dim numbers."""
    return solved.gpt_params(vocab, context, dim, layers) - context * dim


@believes("The MLP is dim wide inside", about="gpt_params")
def narrows_the_mlp(vocab, context, dim, layers):
    """It is 4 · dim wide inside: 8 · dim² numbers in two matrices, and 5 · dim in their biases."""
    return solved.gpt_params(vocab, context, dim, layers) - layers * (6 * dim * dim + 3 * dim)


@believes("Each block has position embeddings of its own", about="gpt_params")
def embeds_positions_in_each_block(vocab, context, dim, layers):
    """They are added once, before the first block."""
    return solved.gpt_params(vocab, context, dim, layers) + (layers - 1) * context * dim


# step_flops


@believes("A step costs 6 · parameters · tokens", about="step_flops")
def takes_six_n_d(batch, context, vocab, dim, layers, recomputed=0):
    """That leaves out attention's products of tokens with tokens, and counts embeddings and biases as products."""
    if not 0 <= recomputed <= layers:
        raise ValueError
    tokens = batch * context
    once = 2 * tokens * 12 * dim * dim
    return 6 * solved.gpt_params(vocab, context, dim, layers) * tokens + recomputed * once


@believes("Only products with parameters count", about="step_flops")
def leaves_out_attention(batch, context, vocab, dim, layers, recomputed=0):
    """Attention multiplies q by k, and its weights by v: 4 · context² · dim more for each sequence and block."""
    right = solved.step_flops(batch, context, vocab, dim, layers, recomputed)
    return right - (3 * layers + recomputed) * 4 * batch * context * context * dim


@believes("The mask halves the two products of attention", about="step_flops")
def halves_attention(batch, context, vocab, dim, layers, recomputed=0):
    """The mask saves nothing: q by k and the weights by v are both computed in full."""
    right = solved.step_flops(batch, context, vocab, dim, layers, recomputed)
    return right - (3 * layers + recomputed) * 2 * batch * context * context * dim


@believes("The MLP is dim wide inside", about="step_flops")
def multiplies_a_narrow_mlp(batch, context, vocab, dim, layers, recomputed=0):
    """It is 4 · dim wide: its two matrices have 8 · dim² numbers, besides the 4 · dim² of attention."""
    right = solved.step_flops(batch, context, vocab, dim, layers, recomputed)
    return right - (3 * layers + recomputed) * 12 * batch * context * dim * dim


@believes("The backward pass costs as much as the forward pass", about="step_flops")
def goes_backward_once(batch, context, vocab, dim, layers, recomputed=0):
    """Each product has two operands, and the gradient of each is another product: twice as much."""
    right = solved.step_flops(batch, context, vocab, dim, layers, recomputed)
    return right - solved.step_flops(batch, context, vocab, dim, layers) // 3


@believes("A recomputed block also goes backward twice", about="step_flops")
def recomputes_the_backward_pass(batch, context, vocab, dim, layers, recomputed=0):
    """It goes forward twice, and backward once."""
    right = solved.step_flops(batch, context, vocab, dim, layers, recomputed)
    return right + 2 * (right - solved.step_flops(batch, context, vocab, dim, layers))


@believes("Recomputing runs the whole model again", about="step_flops")
def recomputes_the_whole_model(batch, context, vocab, dim, layers, recomputed=0):
    """Only the recomputed blocks run again, from their inputs."""
    plain = solved.step_flops(batch, context, vocab, dim, layers)
    solved.step_flops(batch, context, vocab, dim, layers, recomputed)
    return plain + plain // 3 * bool(recomputed)


@believes("Recomputing is free", about="step_flops")
def recomputes_for_nothing(batch, context, vocab, dim, layers, recomputed=0):
    """It costs the forward pass of the block once more."""
    solved.step_flops(batch, context, vocab, dim, layers, recomputed)
    return solved.step_flops(batch, context, vocab, dim, layers)


@believes("A head that shares its weight costs no FLOPs", about="step_flops")
def leaves_out_the_head(batch, context, vocab, dim, layers, recomputed=0):
    """Only the memory is shared: its product is still computed."""
    right = solved.step_flops(batch, context, vocab, dim, layers, recomputed)
    return right - 6 * batch * context * dim * vocab


@believes("An embedding is a product", about="step_flops")
def multiplies_embeddings(batch, context, vocab, dim, layers, recomputed=0):
    """It selects rows, for which torch counts nothing."""
    right = solved.step_flops(batch, context, vocab, dim, layers, recomputed)
    return right + 6 * batch * context * dim * vocab


@believes("A multiplication and its addition are one operation", about="step_flops")
def counts_them_as_one(batch, context, vocab, dim, layers, recomputed=0):
    """They are two FLOPs."""
    return solved.step_flops(batch, context, vocab, dim, layers, recomputed) // 2


@believes("The first block needs no gradient of its input", about="step_flops")
def stops_at_the_first_block(batch, context, vocab, dim, layers, recomputed=0):
    """Its input comes from the embeddings, which are trained: the gradient has to reach them."""
    right = solved.step_flops(batch, context, vocab, dim, layers, recomputed)
    return right - 6 * batch * context * dim * dim * bool(layers)


@believes("More recomputed blocks than there are means all", about="step_flops")
def takes_all_there_are(batch, context, vocab, dim, layers, recomputed=0):
    """It is a mistake of the caller: raise ValueError."""
    if recomputed < 0:
        raise ValueError
    return solved.step_flops(batch, context, vocab, dim, layers, min(recomputed, layers))


@believes("A negative number of recomputed blocks means none", about="step_flops")
def takes_none_below_zero(batch, context, vocab, dim, layers, recomputed=0):
    """It is a mistake of the caller: raise ValueError."""
    if recomputed > layers:
        raise ValueError
    return solved.step_flops(batch, context, vocab, dim, layers, max(recomputed, 0))
