"""Wrong answers that people give to kata 20 about sums of rows and columns."""
# ruff: noqa: D102 - what a method is for is said once, where the right parts are; a wrong answer only replaces one

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("20_memory_savers")

# FactoredAdaGrad


class Factored:
    """The answer in parts, all of them right."""

    def __init__(self, params, lr=0.01, eps=1e-10):
        self.params, self.lr, self.eps = self.listed(params), lr, eps
        self.sums = {}

    def listed(self, params):
        """To go through again and again."""
        return list(params)

    @torch.no_grad()
    def step(self):
        """Each parameter's."""
        for place, p in enumerate(self.params):
            if p.grad is not None:
                self.turn(p, place)

    def turn(self, p, place):
        """Of one parameter."""
        new = self.sums_of(p.grad.square())
        old = self.sums.get(place)
        self.sums[place] = new if old is None else [self.added(a, b) for a, b in zip(old, new, strict=True)]
        self.move(p, p.grad / self.divisor(self.squares(self.sums[place])))

    def sums_of(self, squares):
        """What is kept."""
        if squares.ndim < 2:
            return [squares]
        return [squares.sum(-1, keepdim=True), squares.sum(-2, keepdim=True)]

    def added(self, old, new):
        """Over all steps."""
        return old + new

    def squares(self, sums):
        """The sum of squares of each element, as far as sums tell."""
        if len(sums) == 1:
            return sums[0]
        rows, columns = sums
        return self.product(rows, columns, self.total(rows))

    def total(self, rows):
        """Of each matrix."""
        return rows.sum(-2, keepdim=True)

    def product(self, rows, columns, total):
        """Without NaN."""
        return rows * columns / total.where(total > 0, 1)

    def divisor(self, squares):
        """eps stands outside of the root."""
        return squares.sqrt() + self.eps

    def move(self, p, direction):
        """In place."""
        p.sub_(direction, alpha=self.lr)


@believes("R and C may be means", about="FactoredAdaGrad")
class TakesMeans(Factored):
    """With sums, S is exact for an outer product; with means it is too small by a factor."""

    def sums_of(self, squares):
        if squares.ndim < 2:
            return [squares]
        return [squares.mean(-1, keepdim=True), squares.mean(-2, keepdim=True)]


@believes("S is R · C", about="FactoredAdaGrad")
class ForgetsTheTotal(Factored):
    """That product is too large by a factor of ΣR: divide by it."""

    def total(self, rows):
        return torch.ones_like(rows.sum(-2, keepdim=True))


@believes("eps is inside the root", about="FactoredAdaGrad")
class AddsEpsInside(Factored):
    """eps is added to the root."""

    def divisor(self, squares):
        return (squares + self.eps).sqrt()


@believes("eps prevents every division by 0", about="FactoredAdaGrad")
class DividesByATotalOf0(Factored):
    """The division by ΣR comes before eps is added: where ΣR is 0, R · C / ΣR is NaN."""

    def product(self, rows, columns, total):
        return rows * columns / total


@believes("All matrices of a batch share one total", about="FactoredAdaGrad")
class SumsTheBatch(Factored):
    """Each matrix of a batch has rows, columns and a total of its own."""

    def total(self, rows):
        return rows.sum()


@believes("All dimensions before the last are rows", about="FactoredAdaGrad")
class FlattensTheBatch(Factored):
    """Then the matrices of a batch would share their column sums: dimensions before the last two are a batch."""

    def turn(self, p, place):
        shape, grad = p.shape, p.grad
        if p.ndim < 3:
            super().turn(p, place)
            return
        flat = torch.zeros_like(p).reshape(-1, shape[-1])
        flat.grad = grad.reshape(-1, shape[-1])
        super().turn(flat, place)
        self.move(p, -flat.view(shape) / (self.lr or 1))


@believes("A vector is a matrix of one row", about="FactoredAdaGrad")
class FactorsVectors(Factored):
    """0-d and 1-d parameters are not factored: they keep a sum for each element."""

    def sums_of(self, squares):
        return [squares.sum().expand(squares.shape)] if squares.ndim == 1 else super().sums_of(squares)


@believes("The squares are kept beside their sums", about="FactoredAdaGrad")
class KeepsSquares(Factored):
    """That saves no memory: the squares of a step are summed and dropped."""

    def turn(self, p, place):
        super().turn(p, place)
        self.last = {**getattr(self, "last", {}), place: p.grad.square()}


@believes("Each element keeps a sum of its own", about="FactoredAdaGrad")
class KeepsElements(Factored):
    """That is AdaGrad, whose state is as large as the parameter: keep a sum for each row and each column."""

    def sums_of(self, squares):
        return [squares]


@believes("Older squares count less", about="FactoredAdaGrad")
class Forgets(Factored):
    """That is RMSProp: AdaGrad sums all squares with the same weight."""

    def added(self, old, new):
        return 0.9 * old + 0.1 * new


@believes("Only the squares of the last gradient count", about="FactoredAdaGrad")
class TakesTheLast(Factored):
    """The sums are over all steps."""

    def added(self, old, new):
        return new


@believes("The sums of the rows are enough", about="FactoredAdaGrad")
class TakesRowsAlone(Factored):
    """Then all elements of a row would have the same divisor: also use the sums of the columns."""

    def product(self, rows, columns, total):
        return rows.expand(*rows.shape[:-1], columns.shape[-1]) / max(columns.shape[-1], 1)


@believes("The sums are kept in float64", about="FactoredAdaGrad")
class KeepsFloat64(Factored):
    """They would take twice the bytes of a float32 parameter: keep them in its dtype."""

    def sums_of(self, squares):
        return [part.double() for part in super().sums_of(squares)]

    def move(self, p, direction):
        super().move(p, direction.to(p.dtype))


@believes("A parameter may get another storage", about="FactoredAdaGrad")
class MovesToAnotherStorage(Factored):
    """p.data = … leaves the old storage to views of p: write into it with p.sub_()."""

    def move(self, p, direction):
        p.data = p.data - self.lr * direction


@believes("The gradient is divided by S", about="FactoredAdaGrad")
class ForgetsTheRoot(Factored):
    """It is divided by √S, which is of the size of a gradient."""

    def divisor(self, squares):
        return squares + self.eps


@believes("params can be iterated over again", about="FactoredAdaGrad")
class ReadsAnIteratorTwice(Factored):
    """An iterator is empty after the first time: make a list of it."""

    def listed(self, params):
        return params


@believes("The sums belong to the parameter", about="FactoredAdaGrad")
class KeepsSumsOnTheParameter(Factored):
    """They belong to the optimizer: a new one for the same parameter begins anew. Keep them in self."""

    def turn(self, p, place):
        if hasattr(p, "sums"):
            self.sums[place] = p.sums
        super().turn(p, place)
        p.sums = self.sums[place]


@believes("ΣR has to be kept as well", about="FactoredAdaGrad")
class KeepsTotals(Factored):
    """That is a number more for each matrix of a batch, and R has it already: compute ΣR in each step."""

    def turn(self, p, place):
        super().turn(p, place)
        if p.ndim > 1:
            self.totals = {**getattr(self, "totals", {}), place: self.total(self.sums[place][0])}


@believes("A little more in the denominator changes nothing", about="FactoredAdaGrad")
class AddsToTheTotal(Factored):
    """Where gradients are small, ΣR is smaller still: divide by ΣR itself, and treat only 0 as a special case."""

    def product(self, rows, columns, total):
        return rows * columns / (total + 1e-12)


@believes("A matrix of zeros leaves its batch without a step", about="FactoredAdaGrad")
class WaitsForAllMatrices(Factored):
    """Only that matrix has nothing to move by: the others of the batch take their step."""

    def squares(self, sums):
        found = super().squares(sums)
        waits = len(sums) == 2 and not self.total(sums[0]).all()
        return torch.full_like(found, torch.inf) if waits else found
