"""Wrong answers that people give to kata 22 about flash_attention."""
# mypy: ignore-errors

import math

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("22_fusion")


_results = {}


def _check(block):
    if block < 1:
        raise ValueError(f"blocks of {block}")


def _hidden(rows, columns, shift=0):
    return columns > rows[:, None] + shift


def _blocks(x, block):
    return torch.arange(x.shape[-2], device=x.device).split(block)


def _flash(q, k, v, block, causal=False, **changes):
    """Compute attention in blocks; changes say what is done differently."""
    _check(block)
    d = q.shape[-1]
    root = changes.get("root", math.sqrt(d))
    hidden = changes.get("hidden", _hidden)
    result = q.new_empty(*q.shape[:-1], v.shape[-1])
    for rows in _blocks(q, block):
        part = q[..., rows, :] / root if root != 1 else q[..., rows, :]
        top, total, weighted = -math.inf, 0.0, 0.0
        for columns in _blocks(k, block):
            if causal and columns[0] > rows[-1] + changes.get("skips", 0):
                break
            if causal and changes.get("partly") and columns[-1] > rows[0] and columns[0] > 0:
                break
            scores = part @ k[..., columns, :].mT
            if causal:
                scores = scores.masked_fill(hidden(rows, columns), changes.get("low", -math.inf))
            highest = scores.amax(-1, keepdim=True)
            highest = changes.get("highest", lambda scores, highest: highest)(scores, highest).clamp(min=top)
            weights, shrink = (scores - highest).exp(), (top - highest).exp()
            shrinks = changes.get("shrinks", (True, True))
            total = total * (shrink if shrinks[0] else 1) + weights.sum(-1, keepdim=True)
            weighted = weighted * (shrink if shrinks[1] else 1) + weights @ v[..., columns, :]
            top = highest
        result[..., rows, :] = weighted / total if changes.get("divides", True) else weighted
    return result


def _table(q, k, causal):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if causal:
        rows, columns = (torch.arange(size, device=q.device) for size in scores.shape[-2:])
        scores = scores.masked_fill(_hidden(rows, columns), -math.inf)
    return scores


@believes("A softmax needs the table of all scores", about="flash_attention")
def makes_the_table(q, k, v, block, causal=False):
    """It can be computed block by block, as in online_logsumexp, without the table."""
    _check(block)
    return _table(q, k, causal).softmax(-1) @ v


@believes("It is enough to cut the queries into blocks", about="flash_attention")
def makes_strips_of_keys(q, k, v, block, causal=False):
    """Then a block has scores for all keys, and grows with s: cut the keys as well."""
    _check(block)
    result = q.new_empty(*q.shape[:-1], v.shape[-1])
    for rows in _blocks(q, block):
        seen = min(k.shape[-2], int(rows[-1]) + 1) if causal else k.shape[-2]
        scores = q[..., rows, :] @ k[..., :seen, :].mT / math.sqrt(q.shape[-1])
        if causal:
            scores = scores.masked_fill(_hidden(rows, torch.arange(seen, device=q.device)), -math.inf)
        result[..., rows, :] = scores.softmax(-1) @ v[..., :seen, :]
    return result


@believes("It is enough to cut the keys into blocks", about="flash_attention")
def makes_strips_of_queries(q, k, v, block, causal=False):
    """Then a block has scores for all queries, and grows with n: cut the queries as well."""
    _check(block)
    n = q.shape[-2]
    rows = torch.arange(n, device=q.device)
    top, total, weighted = -math.inf, 0.0, 0.0
    for columns in _blocks(k, block):
        if causal and columns[0] >= n:
            break
        scores = q @ k[..., columns, :].mT / math.sqrt(q.shape[-1])
        if causal:
            scores = scores.masked_fill(_hidden(rows, columns), -math.inf)
        highest = scores.amax(-1, keepdim=True).clamp(min=top)
        weights, shrink = (scores - highest).exp(), (top - highest).exp()
        total = total * shrink + weights.sum(-1, keepdim=True)
        weighted = weighted * shrink + weights @ v[..., columns, :]
        top = highest
    return weighted / total


@believes("All blocks of scores may be kept", about="flash_attention")
def keeps_all_blocks(q, k, v, block, causal=False):
    """Together they take as much memory as the table: use each one for the sums, and drop it."""
    _check(block)
    kept = {}
    for rows in _blocks(q, block):
        for columns in _blocks(k, block):
            if not causal or columns[0] <= rows[-1]:
                scores = q[..., rows, :] @ k[..., columns, :].mT / math.sqrt(q.shape[-1])
                low = _hidden(rows, columns) if causal else torch.zeros_like(scores, dtype=torch.bool)
                kept.setdefault(rows, []).append((columns, scores.masked_fill(low, -math.inf)))
    result = q.new_empty(*q.shape[:-1], v.shape[-1])
    for rows, parts in kept.items():
        top = parts[0][1].amax(-1, keepdim=True)
        for _, scores in parts:
            top = top.maximum(scores.amax(-1, keepdim=True))
        total = sum((scores - top).exp().sum(-1, keepdim=True) for _, scores in parts)
        result[..., rows, :] = sum((scores - top).exp() @ v[..., columns, :] for columns, scores in parts) / total
    return result


@believes("A first pass may find the largest scores", about="flash_attention")
def goes_over_the_scores_twice(q, k, v, block, causal=False):
    """It computes all scores once more: keep the largest so far, and rescale the sums when a larger one comes."""
    _check(block)
    result = q.new_empty(*q.shape[:-1], v.shape[-1])
    for rows in _blocks(q, block):
        seen = [columns for columns in _blocks(k, block) if not causal or columns[0] <= rows[-1]]

        def scored(columns, rows=rows):
            scores = q[..., rows, :] @ k[..., columns, :].mT / math.sqrt(q.shape[-1])
            return scores.masked_fill(_hidden(rows, columns), -math.inf) if causal else scores

        top = scored(seen[0]).amax(-1, keepdim=True)
        for columns in seen[1:]:
            top = top.maximum(scored(columns).amax(-1, keepdim=True))
        total, weighted = 0.0, 0.0
        for columns in seen:
            weights = (scored(columns) - top).exp()
            total = total + weights.sum(-1, keepdim=True)
            weighted = weighted + weights @ v[..., columns, :]
        result[..., rows, :] = weighted / total
    return result


@believes("Hidden blocks may be computed, and masked", about="flash_attention")
def computes_hidden_blocks(q, k, v, block, causal=False):
    """A block that causal hides entirely adds nothing: skip it, which halves the work for long sequences."""
    return _flash(q, k, v, block, causal, skips=10**9)


@believes("Blocks that causal hides partly are skipped", about="flash_attention")
def leaves_the_diagonal_out(q, k, v, block, causal=False):
    """Their rows see some of their keys: mask single scores there, and skip only blocks that are hidden entirely."""
    return _flash(q, k, v, block, causal, partly=True)


@believes("A block is either hidden or visible as a whole", about="flash_attention")
def hides_whole_blocks_alone(q, k, v, block, causal=False):
    """On the diagonal a block is partly hidden: there each row sees the keys up to its own place."""
    return _flash(q, k, v, block, causal, hidden=lambda rows, columns: _hidden(rows, columns) & False)


@believes("A query does not see the key at its own place", about="flash_attention")
def hides_the_own_place(q, k, v, block, causal=False):
    """It does: column j is hidden from row i only if j > i."""
    return _flash(q, k, v, block, causal, hidden=lambda rows, columns: _hidden(rows, columns, -1))


@believes("The last query sees all keys", about="flash_attention")
def aligns_the_mask_at_the_end(q, k, v, block, causal=False):
    """The mask starts at the top left: row i sees columns up to i, even if n is not s."""
    shift = k.shape[-2] - q.shape[-2]

    def hidden(rows, columns):
        return _hidden(rows, columns, shift)

    return _flash(q, k, v, block, causal, hidden=hidden, skips=max(shift, 0))


@believes("The mask compares rows and columns within a block", about="flash_attention")
def masks_within_blocks(q, k, v, block, causal=False):
    """It has to compare places in the whole sequence: a block left of the diagonal is visible entirely."""

    def hidden(rows, columns):
        return _hidden(rows - rows[0], columns - columns[0])

    return _flash(q, k, v, block, causal, hidden=hidden)


@believes("causal hides earlier keys", about="flash_attention")
def hides_the_past(q, k, v, block, causal=False):
    """It hides later keys: column j is hidden from row i if j > i."""

    def hidden(rows, columns):
        return columns < rows[:, None]

    return _flash(q, k, v, block, causal, hidden=hidden, skips=10**9, low=-1e30)


@believes("Scores are small enough for exp", about="flash_attention")
def exponentiates_scores(q, k, v, block, causal=False):
    """exp(1000) is inf, and inf / inf is NaN: subtract the largest score of each row first."""
    return _flash(q, k, v, block, causal, highest=lambda scores, highest: torch.zeros_like(highest))


@believes("One largest score is enough for all rows of a block", about="flash_attention")
def takes_one_largest_score(q, k, v, block, causal=False):
    """In a row whose scores are far below it, every exp is 0, and 0 / 0 is NaN: each row needs its own."""
    return _flash(q, k, v, block, causal, highest=lambda scores, highest: highest.amax().expand(highest.shape))


@believes("Only the sum of weights is rescaled", about="flash_attention")
def shrinks_the_sum_alone(q, k, v, block, causal=False):
    """The weighted sum of v has the same weights: multiply it by the same factor."""
    return _flash(q, k, v, block, causal, shrinks=(True, False))


@believes("Only the weighted sum of v is rescaled", about="flash_attention")
def shrinks_the_values_alone(q, k, v, block, causal=False):
    """The sum of weights has the same weights: multiply it by the same factor."""
    return _flash(q, k, v, block, causal, shrinks=(False, True))


@believes("When a larger score comes, the sums stay as they are", about="flash_attention")
def shrinks_nothing(q, k, v, block, causal=False):
    """They were computed with the old largest score: multiply both by exp(old - new)."""
    return _flash(q, k, v, block, causal, shrinks=(False, False))


@believes("The weights add up to 1", about="flash_attention")
def divides_by_no_sum(q, k, v, block, causal=False):
    """They have to be normalized: divide the weighted sum of v by the sum of weights, once at the end."""
    return _flash(q, k, v, block, causal, divides=False)


@believes("A softmax is the mean of the softmaxes of its blocks", about="flash_attention")
def averages_blocks(q, k, v, block, causal=False):
    """A block with larger scores counts more: keep the sums of weights, and divide once at the end."""
    _check(block)
    result = q.new_empty(*q.shape[:-1], v.shape[-1])
    for rows in _blocks(q, block):
        parts = []
        for columns in _blocks(k, block):
            if not causal or columns[0] <= rows[-1]:
                scores = q[..., rows, :] @ k[..., columns, :].mT / math.sqrt(q.shape[-1])
                scores = scores.masked_fill(_hidden(rows, columns), -1e30) if causal else scores
                parts.append(scores.softmax(-1) @ v[..., columns, :])
        result[..., rows, :] = sum(parts) / len(parts)
    return result


@believes("The mask of a block is (block, block)", about="flash_attention")
def makes_square_masks(q, k, v, block, causal=False):
    """If block is larger than n or s, it is larger than the block of scores: make it as large as the scores."""
    _check(block)
    mask = torch.ones(block, block, dtype=torch.bool, device=q.device).triu(1)

    def hidden(rows, columns):
        return mask[: len(rows), : len(columns)] & (rows[0] == columns[0])

    return _flash(q, k, v, block, causal, hidden=hidden)


@believes("The mask of a block is (block, block)", about="flash_attention")
def makes_square_masks_if_causal(q, k, v, block, causal=False):
    """If block is larger than n or s, it is larger than the block of scores: make it as large as the scores."""
    return (makes_square_masks if causal else solved.flash_attention)(q, k, v, block, causal)


@believes("Blocks that are not full may be filled up", about="flash_attention")
def fills_blocks_up(q, k, v, block, causal=False):
    """If block is larger than n or s, a block of scores gets larger than needed: a slice ends where the tensor ends."""
    _check(block)
    n, s = q.shape[-2], k.shape[-2]
    q, k, v = (torch.nn.functional.pad(x, (0, 0, 0, -x.shape[-2] % block)) for x in (q, k, v))

    def hidden(rows, columns):
        return (_hidden(rows, columns) & causal) | (columns >= s)

    return _flash(q, k, v, block, True, hidden=hidden, skips=0 if causal else 10**9)[..., :n, :]


@believes("Memory for the result may be used again in the next call", about="flash_attention")
def uses_memory_again(q, k, v, block, causal=False):
    """Then that call changes the result of this one, which the caller may still need: make a new tensor each time."""
    result = solved.flash_attention(q, k, v, block, causal)
    return _results.setdefault((result.shape, result.dtype, result.device), result).copy_(result)


@believes("Scores are divided by d", about="flash_attention")
def divides_by_d(q, k, v, block, causal=False):
    """They are divided by √d: a sum of d random products is about that large."""
    return _flash(q, k, v, block, causal, root=q.shape[-1])


@believes("Scores are q @ k.mT", about="flash_attention")
def divides_by_nothing(q, k, v, block, causal=False):
    """They are divided by √d."""
    return _flash(q, k, v, block, causal, root=1)


@believes("Scores are divided by √e, where e is the width of v", about="flash_attention")
def divides_by_the_root_of_e(q, k, v, block, causal=False):
    """They are divided by √d, where d is the width of q and k."""
    return _flash(q, k, v, block, causal, root=math.sqrt(v.shape[-1]))


@believes("The result is float32", about="flash_attention")
def returns_float32(q, k, v, block, causal=False):
    """It has the dtype of q, k and v."""
    return solved.flash_attention(q, k, v, block, causal).float()


@believes("A block below 1 means 1", about="flash_attention")
def takes_blocks_of_1(q, k, v, block, causal=False):
    """It is a mistake of the caller: raise ValueError."""
    return solved.flash_attention(q, k, v, max(block, 1), causal)


@believes("range refuses every block below 1", about="flash_attention")
def leaves_blocks_to_range(q, k, v, block, causal=False):
    """It refuses a step of 0; a negative one gives an empty range, and no error."""
    if block < 0:
        return q.new_zeros(*q.shape[:-1], v.shape[-1])
    return solved.flash_attention(q, k, v, block, causal)
