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


@believes("Means do as well as sums", about="FactoredAdaGrad")
class TakesMeans(Factored):
    """Of an outer product the sums give back the squares; means give squares that are smaller throughout."""

    def sums_of(self, squares):
        if squares.ndim < 2:
            return [squares]
        return [squares.mean(-1, keepdim=True), squares.mean(-2, keepdim=True)]


@believes("A row times a column is the element", about="FactoredAdaGrad")
class ForgetsTheTotal(Factored):
    """That product has the sum of all squares in it once too often: divide by ΣR."""

    def total(self, rows):
        return torch.ones_like(rows.sum(-2, keepdim=True))


@believes("eps stands under the root", about="FactoredAdaGrad")
class AddsEpsInside(Factored):
    """It is added to the root."""

    def divisor(self, squares):
        return (squares + self.eps).sqrt()


@believes("eps keeps every division from 0", about="FactoredAdaGrad")
class DividesByATotalOf0(Factored):
    """R · C / ΣR is divided before eps is added: where all gradients were 0 that is NaN."""

    def product(self, rows, columns, total):
        return rows * columns / total


@believes("A batch has one total", about="FactoredAdaGrad")
class SumsTheBatch(Factored):
    """Each matrix of a batch has rows, columns and a total of its own."""

    def total(self, rows):
        return rows.sum()


@believes("Dimensions before the last are rows", about="FactoredAdaGrad")
class FlattensTheBatch(Factored):
    """Then the columns of all matrices share a sum: every dimension before the last two is a batch."""

    def turn(self, p, place):
        shape, grad = p.shape, p.grad
        if p.ndim < 3:
            super().turn(p, place)
            return
        flat = torch.zeros_like(p).reshape(-1, shape[-1])
        flat.grad = grad.reshape(-1, shape[-1])
        super().turn(flat, place)
        self.move(p, -flat.view(shape) / (self.lr or 1))


@believes("A vector is a row", about="FactoredAdaGrad")
class FactorsVectors(Factored):
    """One number for all of it would be its sum: 0-d and 1-d parameters keep a sum for each element."""

    def sums_of(self, squares):
        return [squares.sum().expand(squares.shape)] if squares.ndim == 1 else super().sums_of(squares)


@believes("Both the squares and their sums are kept", about="FactoredAdaGrad")
class KeepsSquares(Factored):
    """Then nothing is saved: the squares of a step are summed and dropped."""

    def turn(self, p, place):
        super().turn(p, place)
        self.last = {**getattr(self, "last", {}), place: p.grad.square()}


@believes("Each element has its own sum", about="FactoredAdaGrad")
class KeepsElements(Factored):
    """That is AdaGrad, and as large as the parameter: keep a sum for each row and each column."""

    def sums_of(self, squares):
        return [squares]


@believes("Old squares fade", about="FactoredAdaGrad")
class Forgets(Factored):
    """That is RMSProp: AdaGrad adds them all up."""

    def added(self, old, new):
        return 0.9 * old + 0.1 * new


@believes("The last gradient says how large gradients are", about="FactoredAdaGrad")
class TakesTheLast(Factored):
    """The sums go over all steps."""

    def added(self, old, new):
        return new


@believes("Rows are enough", about="FactoredAdaGrad")
class TakesRowsAlone(Factored):
    """Columns differ as well: R alone gives all elements of a row one divisor."""

    def product(self, rows, columns, total):
        return rows.expand(*rows.shape[:-1], columns.shape[-1]) / max(columns.shape[-1], 1)


@believes("Sums are kept in float64", about="FactoredAdaGrad")
class KeepsFloat64(Factored):
    """They take twice the bytes: the dtype of the parameter is enough."""

    def sums_of(self, squares):
        return [part.double() for part in super().sums_of(squares)]

    def move(self, p, direction):
        super().move(p, direction.to(p.dtype))


@believes("A new tensor is the old parameter", about="FactoredAdaGrad")
class MovesToAnotherStorage(Factored):
    """p.data = … leaves the old storage to whoever has a view of it: write into it with p.sub_()."""

    def move(self, p, direction):
        p.data = p.data - self.lr * direction


@believes("A divisor is the sum, not its root", about="FactoredAdaGrad")
class ForgetsTheRoot(Factored):
    """The squares are summed, so the root has the size of a gradient."""

    def divisor(self, squares):
        return squares + self.eps


@believes("Parameters can be gone through again and again", about="FactoredAdaGrad")
class ReadsAnIteratorTwice(Factored):
    """An iterator is empty after the first time: make a list of it."""

    def listed(self, params):
        return params
