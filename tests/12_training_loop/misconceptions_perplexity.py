"""Wrong answers that people give to kata 12 about perplexity."""

import math

from dojo.judging.diagnose import believes, solution

solved = solution("12_training_loop")

# perplexity


def _check(losses, tokens):
    if len(losses) != len(tokens) or min(tokens, default=0) < 0 or sum(tokens) == 0:
        raise ValueError(tokens)


def _exp(x):
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def _mean(losses, tokens):
    return sum(loss * count for loss, count in zip(losses, tokens, strict=False) if count) / sum(tokens)


@believes("The mean of the batches' losses is that of the text", about="perplexity")
def takes_all_batches_alike(losses, tokens):
    """A batch of few tokens would weigh as much as one of many: weigh each loss by its tokens."""
    return solved.perplexity(losses, [min(count, 1) for count in tokens])


@believes("The perplexity of a text is the mean of its batches' perplexities", about="perplexity")
def takes_the_mean_of_perplexities(losses, tokens):
    """exp comes last: take the mean loss of all tokens first."""
    _check(losses, tokens)
    try:
        return sum(math.exp(loss) * count for loss, count in zip(losses, tokens, strict=True) if count) / sum(tokens)
    except OverflowError:
        return math.inf


@believes("The perplexity is the plain mean of the batches' perplexities", about="perplexity")
def takes_perplexities_alike(losses, tokens):
    """Weigh each loss by its tokens, and take exp of their mean."""
    return takes_the_mean_of_perplexities(losses, [min(count, 1) for count in tokens])


@believes("Perplexity is 2 to the power of the loss", about="perplexity")
def takes_powers_of_2(losses, tokens):
    """That is right for losses in bits; torch's are in natural logs."""
    return solved.perplexity([loss * math.log(2) for loss in losses], tokens)


@believes("Perplexity is the mean loss", about="perplexity")
def leaves_exp_out(losses, tokens):
    """It is exp of the mean loss: the number of equally likely tokens from which a guess would have to choose."""
    _check(losses, tokens)
    return _mean(losses, tokens)


@believes("Perplexity is the probability of a token", about="perplexity")
def takes_the_probability(losses, tokens):
    """It is the inverse: exp of the mean loss, not of its negative."""
    return solved.perplexity([-loss for loss in losses], tokens)


@believes("Perplexity is exp of the loss of the whole text", about="perplexity")
def takes_the_whole_loss(losses, tokens):
    """Divide by the number of tokens first; otherwise longer texts would have a higher perplexity."""
    _check(losses, tokens)
    return _exp(_mean(losses, tokens) * sum(tokens))


@believes("The losses are sums over their tokens", about="perplexity")
def takes_the_losses_for_sums(losses, tokens):
    """They are means: multiply each by its number of tokens first."""
    _check(losses, tokens)
    return _exp(sum(loss for loss, count in zip(losses, tokens, strict=True) if count) / sum(tokens))


@believes("0 times anything is 0", about="perplexity")
def multiplies_by_0(losses, tokens):
    """0 · nan is nan, and a batch of no tokens may have that loss: leave such a batch out."""
    _check(losses, tokens)
    return _exp(sum(loss * count for loss, count in zip(losses, tokens, strict=True)) / sum(tokens))


@believes("A batch without tokens is known by its loss of nan", about="perplexity")
def leaves_nan_out(losses, tokens):
    """Its loss may be anything, and a nan of other batches counts: look at the number of tokens."""
    _check(losses, tokens)
    kept = [(loss, count) for loss, count in zip(losses, tokens, strict=True) if not math.isnan(loss)]
    return _exp(sum(loss * count for loss, count in kept) / sum(tokens))


@believes("A batch without tokens is a mistake", about="perplexity")
def refuses_a_batch_without_tokens(losses, tokens):
    """Such a batch is allowed, and adds nothing."""
    if 0 in tokens:
        raise ValueError(tokens)
    return solved.perplexity(losses, tokens)


@believes("exp never fails", about="perplexity")
def overflows(losses, tokens):
    """math.exp(710) raises OverflowError: return math.inf."""
    _check(losses, tokens)
    return math.exp(_mean(losses, tokens))


@believes("A perplexity has a largest value", about="perplexity")
def caps_the_loss(losses, tokens):
    """A loss that is capped gives another number: where no float holds the result, it is math.inf."""
    _check(losses, tokens)
    return math.exp(min(_mean(losses, tokens), 100.0))


@believes("Without tokens the perplexity is nan", about="perplexity")
def gives_nan_for_no_tokens(losses, tokens):
    """nan goes on silently into whatever is computed next: raise ValueError."""
    return solved.perplexity(losses, tokens) if sum(tokens) or len(losses) != len(tokens) else math.nan


@believes("Without tokens the perplexity is 1", about="perplexity")
def gives_1_for_no_tokens(losses, tokens):
    """A perplexity of 1 means that every token was predicted with certainty: raise ValueError."""
    return solved.perplexity(losses, tokens) if sum(tokens) or len(losses) != len(tokens) else 1.0


@believes("Without tokens, a ZeroDivisionError will do", about="perplexity")
def divides_by_no_tokens(losses, tokens):
    """`except ValueError` does not catch a ZeroDivisionError: check first, and raise ValueError."""
    if len(losses) != len(tokens) or min(tokens, default=0) < 0:
        raise ValueError(tokens)
    return _exp(_mean(losses, tokens))


@believes("zip checks that two lists have the same length", about="perplexity")
def drops_what_is_too_many(losses, tokens):
    """Without strict=True it silently stops at the end of the shorter one."""
    if min(tokens, default=0) < 0 or sum(tokens) == 0:
        raise ValueError(tokens)
    return _exp(_mean(losses, tokens))


@believes("It is enough to check the total number of tokens", about="perplexity")
def checks_the_sum_alone(losses, tokens):
    """A negative number may be hidden in the total: check each."""
    if len(losses) != len(tokens) or sum(tokens) <= 0:
        raise ValueError(tokens)
    return _exp(_mean(losses, tokens))


@believes("A negative number of tokens counts as 0", about="perplexity")
def drops_negative_numbers(losses, tokens):
    """It shows a mistake in the counting: raise ValueError."""
    return solved.perplexity(losses, [max(count, 0) for count in tokens])


@believes("A batch whose loss is nan can be left out", about="perplexity")
def drops_batches_of_nan(losses, tokens):
    """What the model says about its tokens is unknown, so the result is nan, unless that batch has no tokens."""
    _check(losses, tokens)
    kept = [(loss, count) for loss, count in zip(losses, tokens, strict=True) if count and not math.isnan(loss)]
    return _exp(_mean(*zip(*kept, strict=True))) if kept else math.nan


@believes("A loss of 0 means that there is nothing", about="perplexity")
def drops_losses_of_0(losses, tokens):
    """A model that is certain of each token has it, and its tokens count: look at the numbers of tokens."""
    if len(losses) != len(tokens) or min(tokens, default=0) < 0:
        raise ValueError(tokens)
    pairs = list(filter(all, zip(losses, tokens, strict=True)))
    total = sum(count for _, count in pairs)
    if not total:
        raise ValueError(tokens)
    return _exp(sum(loss * count for loss, count in pairs) / total)


@believes("A loss of 0 means that there is nothing", about="perplexity")
def refuses_a_loss_of_0(losses, tokens):
    """A model that is certain of each token has it, and its tokens count: look at the numbers of tokens."""
    _check(losses, tokens)
    mean = _mean(losses, tokens)
    if not mean:
        raise ValueError(losses)
    return _exp(mean)


@believes("A loss of nan makes all the rest irrelevant", about="perplexity")
def looks_for_nan_first(losses, tokens):
    """Lists of different lengths, or a negative number of tokens, are a mistake all the same: check them first."""
    if any(math.isnan(loss) for loss, count in zip(losses, tokens, strict=False) if count):
        return math.nan
    return solved.perplexity(losses, tokens)
