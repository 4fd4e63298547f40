"""Wrong answers that people give to kata 08 about patches and grouped attention."""

import torch

from dojo.judging.diagnose import believes, solution

from .misread import written_to

solved = solution("08_axes")


# patchify


def _by(images, patch, pattern):
    solved.patchify(images, patch)
    return solved.rearrange(images, pattern, {"h": patch, "w": patch})


@believes("The channel is fastest, as in an image file", about="patchify")
def puts_channels_last(images, patch):
    """The order is that of a convolution's weights, (c h w): all of one channel, then all of the next."""
    patches = solved.patchify(images, patch)
    return patches.unflatten(-1, (images.shape[1], -1)).mT.flatten(-2)


@believes("Patches come column by column", about="patchify")
def walks_down(images, patch):
    """They come row by row: along the first row, and then the next."""
    patches = solved.patchify(images, patch)
    return patches.unflatten(1, (images.shape[2] // patch, -1)).transpose(1, 2).flatten(1, 2)


@believes("Within a patch the row is fastest", about="patchify")
def turns_patches(images, patch):
    """The order is (c h w): the column is fastest."""
    return solved.patchify(images, patch).unflatten(-1, (-1, patch, patch)).mT.flatten(-3)


@believes("Each channel has patches of its own", about="patchify")
def cuts_each_channel(images, patch):
    """A patch spans all channels: it holds channels · patch · patch numbers."""
    return _by(images, patch, "b c (i h) (j w) -> b (c i j) (h w)")


@believes("A patch has every n-th row and column", about="patchify")
def takes_every_nth(images, patch):
    """The rows of a patch are neighbours, so the patch is outside and the row inside: (i h), not (h i)."""
    return _by(images, patch, "b c (h i) (w j) -> b (i j) (c h w)")


@believes("A reshape to the right shape is enough", about="patchify")
def only_reshapes_images(images, patch):
    """The elements of a patch are not neighbours in memory: split, permute, and only then merge."""
    return images.reshape(solved.patchify(images, patch).shape)


@believes("The result is (batch, numbers, patches), as in unfold", about="patchify")
def swaps_patches_and_numbers(images, patch):
    """unfold has a column for each patch; here each patch is a row, like a token."""
    return solved.patchify(images, patch).transpose(1, 2)


@believes("Pixels that do not fill a whole patch are cut off", about="patchify")
def crops(images, patch):
    """The edge of the image would be silently lost: raise ValueError if patch does not divide a side."""
    height, width = (size // patch * patch for size in images.shape[2:])
    return solved.patchify(images[:, :, :height, :width], patch)


@believes("Missing pixels of a patch are filled with zeros", about="patchify")
def pads(images, patch):
    """patch has to divide height and width: raise ValueError if not."""
    height, width = images.shape[2:]
    return solved.patchify(torch.nn.functional.pad(images, (0, -width % patch, 0, -height % patch)), patch)


@believes("Only the height has to be a multiple of patch", about="patchify")
def looks_at_the_height_alone(images, patch):
    """Height and width are two sizes, and patch has to divide both."""
    if images.shape[2] % patch == 0:
        images = images[..., : images.shape[3] // patch * patch]
    return solved.patchify(images, patch)


@believes("torch's own error is enough", about="patchify")
def lets_torch_refuse_patches(images, patch):
    """It is a RuntimeError about an internal shape: raise ValueError."""
    if images.shape[2] % patch or images.shape[3] % patch:
        raise RuntimeError("shape is invalid for input")
    return solved.patchify(images, patch)


@believes("The images may be overwritten", about="patchify")
def overwrites_images(images, patch):
    """They belong to the caller: write into a new tensor."""
    made = solved.patchify(images, patch).clone()
    written_to(images)
    return made


# grouped_attention


def _attention(q, k, v, weigh=lambda scores: scores.softmax(-1)):
    """Return attention in which k and v have as many heads as q, with other weights."""
    return weigh(q @ k.mT / q.shape[-1] ** 0.5) @ v


def _scaled(q, k, v, scale):
    """Return attention whose scores are divided by another scale."""
    return solved.grouped_attention(q * (q.shape[-1] ** 0.5 / scale), k, v)


def _shared(q, k):
    if q.shape[1] % k.shape[1]:
        raise ValueError("kv_heads does not divide heads")
    return q.shape[1] // k.shape[1]


@believes("Head h uses head h % kv_heads of k and v", about="grouped_attention")
def takes_turns(q, k, v):
    """Neighboring heads share one: head h uses head h // group. Repeat each head of k, not k as a whole."""
    group = _shared(q, k)
    return solved.grouped_attention(q, k.repeat(1, group, 1, 1), v.repeat(1, group, 1, 1))


@believes("Scores need no scale", about="grouped_attention")
def forgets_the_scale(q, k, v):
    """They are divided by √d, because a sum of d products grows with it."""
    return _scaled(q, k, v, 1.0)


@believes("Scores are divided by d", about="grouped_attention")
def divides_by_d(q, k, v):
    """They are divided by √d: the spread of a sum of d products grows with that."""
    return _scaled(q, k, v, q.shape[-1])


@believes("Scores are divided by the root of the number of keys", about="grouped_attention")
def divides_by_the_root_of_the_keys(q, k, v):
    """A score is a sum of d products, however many keys there are: divide by √d."""
    return _scaled(q, k, v, k.shape[-2] ** 0.5)


@believes("d is the width of all heads together", about="grouped_attention")
def divides_by_the_root_of_all(q, k, v):
    """Each head attends on its own, and d is the width of one head."""
    return _scaled(q, k, v, (q.shape[1] * q.shape[-1]) ** 0.5)


@believes("The softmax runs over the queries", about="grouped_attention")
def weighs_queries(q, k, v):
    """The weights of each query add up to 1: the softmax runs over the keys, the last dimension of the scores."""
    group = _shared(q, k)
    k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
    return _attention(q, k, v, lambda scores: scores.softmax(-2))


@believes("A query sees only the keys up to its own place", about="grouped_attention")
def masks_the_future(q, k, v):
    """A causal mask does that. Here there is no mask, and q and k may differ in length."""
    group = _shared(q, k)
    k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)

    def weigh(scores):
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).triu(1)
        return scores.masked_fill(hidden, -torch.inf).softmax(-1)

    return _attention(q, k, v, weigh)


@believes("The exp of a score is never too large", about="grouped_attention")
def weighs_without_the_largest(q, k, v):
    """exp(1000) is inf, and inf / inf is NaN: subtract each query's largest score first, or use torch's softmax."""
    group = _shared(q, k)
    k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
    return _attention(q, k, v, lambda scores: scores.exp() / scores.exp().sum(-1, keepdim=True))


@believes("Any shift keeps exp in range, such as subtracting the mean score", about="grouped_attention")
def weighs_without_the_mean(q, k, v):
    """A score may be far above the mean: subtract each query's largest score, so that no exp is above 1."""
    group = _shared(q, k)
    k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)

    def weigh(scores):
        weights = (scores - scores.mean(-1, keepdim=True)).exp()
        return weights / weights.sum(-1, keepdim=True)

    return _attention(q, k, v, weigh)


@believes("Groups may have different sizes", about="grouped_attention")
def lets_the_last_group_be_short(q, k, v):
    """All groups have the same size: raise ValueError if kv_heads does not divide heads."""
    group = -(-q.shape[1] // k.shape[1])
    k, v = (x.repeat_interleave(group, 1)[:, : q.shape[1]] for x in (k, v))
    return _attention(q, k, v)


@believes("torch's own error is enough", about="grouped_attention")
def lets_torch_refuse_groups(q, k, v):
    """It is a RuntimeError about an internal shape: raise ValueError."""
    if q.shape[1] % k.shape[1]:
        raise RuntimeError("shape is invalid for input")
    return solved.grouped_attention(q, k, v)


@believes("q may be scaled in place", about="grouped_attention")
def scales_in_place(q, k, v):
    """q belongs to the caller: q / sqrt(d) makes a new tensor, q /= sqrt(d) does not."""
    made = solved.grouped_attention(q, k, v)
    q.div_(2.0)
    return made
