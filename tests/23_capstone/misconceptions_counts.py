"""Wrong answers that people give to kata 23 about parameters and FLOPs."""

from dojo.judging.diagnose import believes, solution

solved = solution("23_capstone")

# gpt_params


@believes("The head has a matrix of its own", about="gpt_params")
def unties_the_head(vocab, context, dim, layers):
    """It shares the weight of the token embedding, and a shared weight counts once."""
    return solved.gpt_params(vocab, context, dim, layers) + vocab * dim


@believes("A block has 12 · dim² parameters", about="gpt_params")
def counts_matrices_alone(vocab, context, dim, layers):
    """That is its matrices: the biases are 9 · dim more, and the two norms 4 · dim."""
    return solved.gpt_params(vocab, context, dim, layers) - 13 * layers * dim


@believes("The matrices of a block have no biases", about="gpt_params")
def leaves_out_biases(vocab, context, dim, layers):
    """GPT-2's have: 3 · dim, dim, 4 · dim and dim numbers in each block."""
    return solved.gpt_params(vocab, context, dim, layers) - 9 * layers * dim


@believes("A norm has one number for each channel", about="gpt_params")
def leaves_out_the_biases_of_norms(vocab, context, dim, layers):
    """LayerNorm has a weight and a bias, 2 · dim; it is RMSNorm that has a weight alone."""
    return solved.gpt_params(vocab, context, dim, layers) - dim * (2 * layers + 1)


@believes("The last block is followed by the head", about="gpt_params")
def leaves_out_the_last_norm(vocab, context, dim, layers):
    """A pre-norm model has one more norm behind its blocks, of 2 · dim numbers."""
    return solved.gpt_params(vocab, context, dim, layers) - 2 * dim


@believes("A block has one norm", about="gpt_params")
def counts_one_norm(vocab, context, dim, layers):
    """There are two: before attention, and before the MLP."""
    return solved.gpt_params(vocab, context, dim, layers) - 2 * layers * dim


@believes("Positions are not learned", about="gpt_params")
def leaves_out_positions(vocab, context, dim, layers):
    """GPT-2 has an embedding for each of its positions: context · dim numbers."""
    return solved.gpt_params(vocab, context, dim, layers) - context * dim


@believes("The MLP is as wide as the stream", about="gpt_params")
def narrows_the_mlp(vocab, context, dim, layers):
    """It is 4 · dim wide inside: 8 · dim² numbers in two matrices, and 5 · dim in their biases."""
    return solved.gpt_params(vocab, context, dim, layers) - layers * (6 * dim * dim + 3 * dim)


@believes("Each block embeds the positions anew", about="gpt_params")
def embeds_positions_in_each_block(vocab, context, dim, layers):
    """They are added once, to what goes into the first block."""
    return solved.gpt_params(vocab, context, dim, layers) + (layers - 1) * context * dim


# step_flops


@believes("A step costs 6 · N · D", about="step_flops")
def takes_six_n_d(batch, context, vocab, dim, layers, recomputed=0):
    """That leaves out attention's products of tokens with tokens, and takes embeddings and biases for products."""
    if not 0 <= recomputed <= layers:
        raise ValueError
    tokens = batch * context
    once = 2 * tokens * 12 * dim * dim
    return 6 * solved.gpt_params(vocab, context, dim, layers) * tokens + recomputed * once


@believes("Matrices of parameters are all that is multiplied", about="step_flops")
def leaves_out_attention(batch, context, vocab, dim, layers, recomputed=0):
    """Attention multiplies q with k, and its weights with v: 4 · context² · dim more for each sequence and block."""
    right = solved.step_flops(batch, context, vocab, dim, layers, recomputed)
    return right - (3 * layers + recomputed) * 4 * batch * context * context * dim


@believes("Attention costs one product of tokens with tokens, or half of two", about="step_flops")
def halves_attention(batch, context, vocab, dim, layers, recomputed=0):
    """It has two, q with k and the weights with v, and what a mask hides is computed first: both are whole."""
    right = solved.step_flops(batch, context, vocab, dim, layers, recomputed)
    return right - (3 * layers + recomputed) * 2 * batch * context * context * dim


@believes("The MLP is as wide as the stream", about="step_flops")
def multiplies_a_narrow_mlp(batch, context, vocab, dim, layers, recomputed=0):
    """It is 4 · dim wide inside: its two matrices have 8 · dim² numbers, beside the 4 · dim² of attention."""
    right = solved.step_flops(batch, context, vocab, dim, layers, recomputed)
    return right - (3 * layers + recomputed) * 12 * batch * context * dim * dim


@believes("Backward costs as much as forward", about="step_flops")
def goes_backward_once(batch, context, vocab, dim, layers, recomputed=0):
    """Each product has two operands, and each gets a gradient by a product of its own: twice as much."""
    right = solved.step_flops(batch, context, vocab, dim, layers, recomputed)
    return right - solved.step_flops(batch, context, vocab, dim, layers) // 3


@believes("A block that is recomputed goes backward twice as well", about="step_flops")
def recomputes_the_backward_pass(batch, context, vocab, dim, layers, recomputed=0):
    """It goes forward twice, and backward once."""
    right = solved.step_flops(batch, context, vocab, dim, layers, recomputed)
    return right + 2 * (right - solved.step_flops(batch, context, vocab, dim, layers))


@believes("Recomputing means that the whole model goes forward again", about="step_flops")
def recomputes_the_whole_model(batch, context, vocab, dim, layers, recomputed=0):
    """Only the blocks that are recomputed do, from what went into them."""
    plain = solved.step_flops(batch, context, vocab, dim, layers)
    solved.step_flops(batch, context, vocab, dim, layers, recomputed)
    return plain + plain // 3 * bool(recomputed)


@believes("Recomputing is free, since it has been computed before", about="step_flops")
def recomputes_for_nothing(batch, context, vocab, dim, layers, recomputed=0):
    """What is not kept has to be computed again: a forward pass of the block."""
    solved.step_flops(batch, context, vocab, dim, layers, recomputed)
    return solved.step_flops(batch, context, vocab, dim, layers)


@believes("A head that shares its weight costs nothing", about="step_flops")
def leaves_out_the_head(batch, context, vocab, dim, layers, recomputed=0):
    """Its product with the stream is computed all the same: shared is the memory."""
    right = solved.step_flops(batch, context, vocab, dim, layers, recomputed)
    return right - 6 * batch * context * dim * vocab


@believes("An embedding is a product with a matrix", about="step_flops")
def multiplies_embeddings(batch, context, vocab, dim, layers, recomputed=0):
    """It picks rows, and torch counts nothing for that."""
    right = solved.step_flops(batch, context, vocab, dim, layers, recomputed)
    return right + 6 * batch * context * dim * vocab


@believes("A multiplication and its addition are one operation", about="step_flops")
def counts_them_as_one(batch, context, vocab, dim, layers, recomputed=0):
    """They are two FLOPs."""
    return solved.step_flops(batch, context, vocab, dim, layers, recomputed) // 2


@believes("The first block needs no gradient of what goes into it", about="step_flops")
def stops_at_the_first_block(batch, context, vocab, dim, layers, recomputed=0):
    """The embeddings are before it, and are trained: the gradient has to reach them."""
    right = solved.step_flops(batch, context, vocab, dim, layers, recomputed)
    return right - 6 * batch * context * dim * dim * bool(layers)


@believes("More blocks than there are is all of them", about="step_flops")
def takes_all_there_are(batch, context, vocab, dim, layers, recomputed=0):
    """A plan that recomputes more is a mistake, and a ValueError."""
    if recomputed < 0:
        raise ValueError
    return solved.step_flops(batch, context, vocab, dim, layers, min(recomputed, layers))


@believes("A negative number of blocks is none of them", about="step_flops")
def takes_none_below_zero(batch, context, vocab, dim, layers, recomputed=0):
    """There is no such number, and it is a ValueError."""
    if recomputed > layers:
        raise ValueError
    return solved.step_flops(batch, context, vocab, dim, layers, max(recomputed, 0))
