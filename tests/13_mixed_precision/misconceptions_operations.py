"""Wrong answers that people give to kata 13 about what autocast does with which operation."""

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("13_mixed_precision")

PRODUCTS, WIDE = ("matmul", "linear"), ("mse_loss", "cross_entropy", "prod")


def _unless(ops, answer, op, dtypes, lower):
    """Another answer for these operations, where a right one would not refuse."""
    right = solved.autocast_dtype(op, *dtypes, lower=lower)
    return answer(right) if op in ops else right


def _in_float32(right):
    return torch.float64 if right == torch.float64 else torch.float32


@believes("autocast does on a CPU what it does on CUDA", about="autocast_dtype")
def lists_of_cuda(op, *dtypes, lower=torch.bfloat16):
    """On CUDA softmax, layer_norm, exp and sum run in float32. On the CPU they take what comes."""
    return _unless(("softmax", "layer_norm", "exp", "sum"), _in_float32, op, dtypes, lower)


@believes("A softmax is always computed in float32", about="autocast_dtype")
def wide_softmax(op, *dtypes, lower=torch.bfloat16):
    """On CUDA; the CPU's autocast has it on no list, so it takes what comes."""
    return _unless(("softmax",), _in_float32, op, dtypes, lower)


@believes("Norms are always computed in float32", about="autocast_dtype")
def wide_layer_norm(op, *dtypes, lower=torch.bfloat16):
    """On CUDA; the CPU's autocast has layer_norm on no list, so it takes what comes."""
    return _unless(("layer_norm",), _in_float32, op, dtypes, lower)


@believes("Sums and means run in float32", about="autocast_dtype")
def wide_sums(op, *dtypes, lower=torch.bfloat16):
    """Of all reductions only prod does so on the CPU: sum and mean take what comes."""
    return _unless(("sum", "mean"), _in_float32, op, dtypes, lower)


@believes("Under autocast everything is narrow", about="autocast_dtype")
def everything_is_narrow(op, *dtypes, lower=torch.bfloat16):
    """Products are: losses run in float32, and all else takes what comes."""
    return _unless(
        solved.AS_IT_COMES | solved.WIDE, lambda right: right if right == torch.float64 else lower, op, dtypes, lower
    )


@believes("Sums and products of elements are narrow", about="autocast_dtype")
def narrow_arithmetic(op, *dtypes, lower=torch.bfloat16):
    """matmul and linear are: add and mul take the widest of what comes."""
    return _unless(("add", "mul"), lambda right: right if right == torch.float64 else lower, op, dtypes, lower)


@believes("Activations are narrow", about="autocast_dtype")
def narrow_activations(op, *dtypes, lower=torch.bfloat16):
    """They take what comes: narrow what a product made, float32 what was float32."""
    return _unless(("relu", "gelu"), lambda right: right if right == torch.float64 else lower, op, dtypes, lower)


@believes("What is narrow already stays as it is in a product", about="autocast_dtype")
def keeps_what_is_narrow(op, *dtypes, lower=torch.bfloat16):
    """float16 is cast to bfloat16 where that is lower, and bfloat16 to float16."""
    same = dtypes[0] if len(set(dtypes)) == 1 and dtypes[0].itemsize == 2 else None
    return _unless(PRODUCTS, lambda right: same or right, op, dtypes, lower)


@believes("Products are cast to the narrowest dtype that comes", about="autocast_dtype")
def takes_the_other_narrow_one(op, *dtypes, lower=torch.bfloat16):
    """To lower, whatever comes."""
    narrow = [dtype for dtype in dtypes if dtype.itemsize == 2]
    return _unless(PRODUCTS, lambda right: narrow[0] if narrow else right, op, dtypes, lower)


@believes("A product casts float64 as well", about="autocast_dtype")
def casts_float64(op, *dtypes, lower=torch.bfloat16):
    """float64 is left alone: two of them give float64."""
    if op in PRODUCTS and set(dtypes) == {torch.float64}:
        return lower
    return solved.autocast_dtype(op, *dtypes, lower=lower)


@believes("A product of float64 and another dtype is promoted", about="autocast_dtype")
def promotes_float64(op, *dtypes, lower=torch.bfloat16):
    """Autocast casts the other one and leaves float64 alone, and then torch refuses the two: ValueError."""
    if op in PRODUCTS and torch.float64 in dtypes:
        return torch.float64
    return solved.autocast_dtype(op, *dtypes, lower=lower)


@believes("A product of float64 and another dtype is narrow", about="autocast_dtype")
def narrows_mixed_products(op, *dtypes, lower=torch.bfloat16):
    """Autocast casts the other one and leaves float64 alone, and then torch refuses the two: ValueError."""
    if op in PRODUCTS and torch.float64 in dtypes and len(set(dtypes)) > 1:
        return lower
    return solved.autocast_dtype(op, *dtypes, lower=lower)


@believes("lower is bfloat16", about="autocast_dtype")
def always_bfloat16(op, *dtypes, lower=torch.bfloat16):
    """It may be float16, where the card knows no bfloat16."""
    return _unless(PRODUCTS, lambda right: right if right == torch.float64 else torch.bfloat16, op, dtypes, lower)


@believes("Losses take what comes", about="autocast_dtype")
def narrow_losses(op, *dtypes, lower=torch.bfloat16):
    """A mean of many squares or logarithms is kept from narrow numbers: float32, or float64."""
    return _unless(
        ("mse_loss", "cross_entropy"), lambda right: torch.promote_types(dtypes[0], dtypes[-1]), op, dtypes, lower
    )


@believes("prod takes what comes, as sum does", about="autocast_dtype")
def narrow_prod(op, *dtypes, lower=torch.bfloat16):
    """It is on the list for float32: a product of many numbers leaves a narrow range soon."""
    return _unless(("prod",), lambda right: dtypes[0], op, dtypes, lower)


@believes("Losses run in float32, float64 too", about="autocast_dtype")
def losses_of_float32(op, *dtypes, lower=torch.bfloat16):
    """They make nothing narrower: with float64 they run in float64."""
    return _unless(WIDE, lambda right: torch.float32, op, dtypes, lower)


@believes("The first operand says the dtype", about="autocast_dtype")
def takes_the_first(op, *dtypes, lower=torch.bfloat16):
    """The widest does: torch.promote_types."""
    return _unless(solved.AS_IT_COMES, lambda right: dtypes[0], op, dtypes, lower)


@believes("bfloat16 and float16 are equally wide, so either will do", about="autocast_dtype")
def promotes_by_bytes(op, *dtypes, lower=torch.bfloat16):
    """Neither holds the numbers of the other: together they are float32."""
    return _unless(solved.AS_IT_COMES, lambda right: max(dtypes, key=lambda dtype: dtype.itemsize), op, dtypes, lower)


@believes("Together bfloat16 and float16 are lower", about="autocast_dtype")
def mixes_to_lower(op, *dtypes, lower=torch.bfloat16):
    """Neither holds the numbers of the other: together they are float32."""
    both = {torch.bfloat16, torch.float16}
    return _unless(solved.AS_IT_COMES, lambda right: lower if set(dtypes) == both else right, op, dtypes, lower)


@believes("An operation on no list takes what comes", about="autocast_dtype")
def any_operation(op, *dtypes, lower=torch.bfloat16):
    """Here only those of the docstring are known: ValueError for any other."""
    known = op in solved.LOWER | solved.WIDE | solved.AS_IT_COMES
    return solved.autocast_dtype(op if known else "add", *dtypes, lower=lower)


@believes("The name of an operation may be written in capitals", about="autocast_dtype")
def any_capitals_of_an_operation(op, *dtypes, lower=torch.bfloat16):
    """They are spelled as torch's functions are: ValueError for any other name."""
    return solved.autocast_dtype(op.lower(), *dtypes, lower=lower)
