"""Wrong answers that people give to kata 11 about matrices that are to be orthogonalized."""
# mypy: ignore-errors

import math

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("11_optimizers")

COEFFICIENTS = (3.4445, -4.7750, 2.0315)


def _matrix(grad):
    if grad.ndim != 2:
        raise ValueError(grad.ndim)


def _iterated(x, steps, coefficients=COEFFICIENTS):
    a, b, c = coefficients
    for _ in range(steps):
        gram = x @ x.mT
        x = a * x + (b * gram + c * gram @ gram) @ x
    return x


def _over(grad, norm):
    """grad over its norm, and zeros where there is nothing to divide."""
    return grad / norm if grad.numel() and norm > 0 else grad.clone()


@believes("The result is U Vᵀ, with singular values of 1", about="orthogonalize")
def returns_the_polar_factor(grad, steps=5):
    """Five steps bring them near to 1, and not to it: between 0.67 and 1.21, and small ones lag behind."""
    _matrix(grad)
    left, values, right = torch.linalg.svd(grad, full_matrices=False)
    return (left * (values > 1e-6)) @ right


@believes("The matrix is small enough as it is", about="orthogonalize")
def never_normalizes(grad, steps=5):
    """For a singular value above 1.2 or so the polynomial grows without end: divide by the norm first."""
    _matrix(grad)
    return _iterated(grad, steps)


@believes("The norm of a matrix is its largest singular value", about="orthogonalize")
def divides_by_the_spectral_norm(grad, steps=5):
    """That would need an svd. The root of the sum of squares is at least as large, and good enough."""
    _matrix(grad)
    return _iterated(_over(grad, torch.linalg.matrix_norm(grad, 2) if grad.numel() else 0), steps)


@believes("The largest entry is the norm", about="orthogonalize")
def divides_by_the_largest_entry(grad, steps=5):
    """Singular values may be larger than every entry: divide by the root of the sum of squares."""
    _matrix(grad)
    return _iterated(_over(grad, grad.abs().max() if grad.numel() else 0), steps)


@believes("Each row is divided by its own norm", about="orthogonalize")
def normalizes_the_rows(grad, steps=5):
    """Then the singular vectors would change. One number divides all of the matrix."""
    _matrix(grad)
    return _iterated(torch.nn.functional.normalize(grad, dim=1), steps)


@believes("Each step divides by the norm again", about="orthogonalize")
def normalizes_in_each_step(grad, steps=5):
    """The matrix is divided once, before the first step. After that its norm has to grow with the singular values."""
    x = solved.orthogonalize(grad, 0)
    for _ in range(steps):
        x = _iterated(solved.orthogonalize(x, 0), 1)
    return x


@believes("Newton–Schulz has the coefficients 3/2 and −1/2", about="orthogonalize")
def takes_the_classical_coefficients(grad, steps=5):
    """Those converge to 1, but slowly. Muon's three are steeper at 0, so that five steps are enough."""
    return _iterated(solved.orthogonalize(grad, 0), steps, (1.5, -0.5, 0.0))


@believes("The term of degree five is not worth its products", about="orthogonalize")
def leaves_out_the_last_term(grad, steps=5):
    """Without it the polynomial turns singular values near 1 negative."""
    return _iterated(solved.orthogonalize(grad, 0), steps, (3.4445, -4.7750, 0.0))


@believes("All three terms are added", about="orthogonalize")
def adds_the_middle_term(grad, steps=5):
    """The middle term is subtracted: its coefficient is −4.7750."""
    return _iterated(solved.orthogonalize(grad, 0), steps, (3.4445, 4.7750, 2.0315))


@believes("x³ is the cube of each element", about="orthogonalize")
def takes_powers_of_elements(grad, steps=5):
    """The powers are products of matrices, x xᵀ x, so that they are powers of the singular values."""
    x = solved.orthogonalize(grad, 0)
    for _ in range(steps):
        x = 3.4445 * x - 4.7750 * x**3 + 2.0315 * x**5
    return x


@believes("A tall matrix is transposed, and so is its result", about="orthogonalize")
def leaves_it_transposed(grad, steps=5):
    """Transposed, a tall matrix needs smaller products. But the result has the shape of grad: transpose it back."""
    right = solved.orthogonalize(grad, steps)
    return right.mT if grad.shape[0] > grad.shape[1] else right


@believes("Muon works in bfloat16", about="orthogonalize")
def works_in_bfloat16(grad, steps=5):
    """torch's Muon does, because GPUs are fast at it. Here the result is computed in the dtype of grad."""
    return solved.orthogonalize(grad.bfloat16(), steps).to(grad.dtype)


@believes("Four or five digits are enough to iterate with", about="orthogonalize")
def iterates_in_float32(grad, steps=5):
    """Five steps make a rounding up to 485 times as large. Iterate in the dtype of grad, which may be float64."""
    _matrix(grad)
    return _iterated(solved.orthogonalize(grad, 0).float(), steps).to(grad.dtype)


@believes("A careful computation returns float64", about="orthogonalize")
def returns_float64(grad, steps=5):
    """The result has the dtype of grad: it is subtracted from a parameter of that dtype."""
    return solved.orthogonalize(grad.double(), steps)


@believes("grad is used up, and may be divided in place", about="orthogonalize")
def divides_in_place(grad, steps=5):
    """grad is the caller's. Divide into a new tensor."""
    _matrix(grad)
    norm = grad.norm()
    return _iterated(grad.div_(norm if norm > 0 else 1), steps)


@believes("No gradient is 0", about="orthogonalize")
def divides_by_a_norm_of_0(grad, steps=5):
    """The norm of a matrix of zeros is 0, and 0/0 is NaN. Such a matrix comes back as it is."""
    _matrix(grad)
    return _iterated(grad / grad.norm(), steps)


@believes("There are always five steps", about="orthogonalize")
def always_takes_five(grad, steps=5):
    """Five is only the default: steps says how many."""
    return solved.orthogonalize(grad, 5)


@believes("The division is the first step", about="orthogonalize")
def takes_one_step_less(grad, steps=5):
    """The division comes before the steps: with steps = 0 there is the division alone."""
    return solved.orthogonalize(grad, max(steps - 1, 0))


@believes("Five steps are enough", about="orthogonalize")
def takes_five_at_most(grad, steps=5):
    """Five is only the default: a larger number of steps is taken as it is."""
    return solved.orthogonalize(grad, min(steps, 5))


@believes("The result is scaled by the shape of the matrix", about="orthogonalize")
def scales_by_the_shape(grad, steps=5):
    """Muon scales its lr so, afterwards. The iteration leaves singular values near 1."""
    right = solved.orthogonalize(grad, steps)
    return right * math.sqrt(max(1.0, grad.shape[0] / max(grad.shape[1], 1)))


@believes("A vector is a matrix of one row", about="orthogonalize")
def takes_vectors(grad, steps=5):
    """It could as well be one column: a grad without exactly two dimensions raises a ValueError."""
    return solved.orthogonalize(grad[None], steps)[0] if grad.ndim == 1 else solved.orthogonalize(grad, steps)


@believes("A batch of matrices is orthogonalized one by one", about="orthogonalize")
def takes_batches(grad, steps=5):
    """A convolution's kernel would look like a batch, and is none: only two dimensions are accepted."""
    if grad.ndim < 3:
        return solved.orthogonalize(grad, steps)
    return torch.stack([takes_batches(x, steps) for x in grad]) if len(grad) else grad


@believes("A matrix has at least one element", about="orthogonalize")
def refuses_empty_matrices(grad, steps=5):
    """An empty matrix has two dimensions, and gives an empty result."""
    if grad.numel() == 0:
        raise ValueError("an empty matrix")
    return solved.orthogonalize(grad, steps)


@believes("The largest number is the largest entry", about="orthogonalize")
def scales_by_the_largest_number(grad, steps=5):
    """It may be negative, and dividing by it then turns every sign. The size of an entry is its abs()."""
    _matrix(grad)
    largest = grad.max() if grad.numel() else 0
    return solved.orthogonalize(grad / largest if largest != 0 else grad, steps)


@believes("A matrix without a number above 0 is zeros", about="orthogonalize")
def takes_negative_matrices_for_zeros(grad, steps=5):
    """All of its numbers may be negative. Of zeros the norm is 0, or no number is different from 0."""
    right = solved.orthogonalize(grad, steps)
    return right if grad.numel() and grad.max() > 0 else torch.zeros_like(right)
