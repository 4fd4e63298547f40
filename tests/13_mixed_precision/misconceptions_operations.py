"""Wrong answers that people give to kata 13 about what autocast does with which operation."""

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("13_mixed_precision")

PRODUCTS, WIDE = ("matmul", "linear"), ("mse_loss", "cross_entropy", "prod")


def _unless(ops, answer, op, dtypes, lower):
    """Give another answer for these operations, unless the right answer is an error."""
    right = solved.autocast_dtype(op, *dtypes, lower=lower)
    return answer(right) if op in ops else right


def _in_float32(right):
    return torch.float64 if right == torch.float64 else torch.float32


@believes("autocast treats operations on the CPU as on CUDA", about="autocast_dtype")
def lists_of_cuda(op, *dtypes, lower=torch.bfloat16):
    """On CUDA, softmax, layer_norm, exp and sum run in float32. On the CPU, they keep the dtype of their operand."""
    return _unless(("softmax", "layer_norm", "exp", "sum"), _in_float32, op, dtypes, lower)


@believes("A softmax is always computed in float32", about="autocast_dtype")
def wide_softmax(op, *dtypes, lower=torch.bfloat16):
    """On CUDA it is; on the CPU, autocast leaves softmax alone, so it keeps the dtype of its operand."""
    return _unless(("softmax",), _in_float32, op, dtypes, lower)


@believes("layer_norm always runs in float32", about="autocast_dtype")
def wide_layer_norm(op, *dtypes, lower=torch.bfloat16):
    """On CUDA it does; on the CPU, autocast leaves layer_norm alone, so it keeps the dtype of its operand."""
    return _unless(("layer_norm",), _in_float32, op, dtypes, lower)


@believes("Sums and means run in float32", about="autocast_dtype")
def wide_sums(op, *dtypes, lower=torch.bfloat16):
    """On the CPU, prod is the only reduction that does: sum and mean keep the dtype of their operand."""
    return _unless(("sum", "mean"), _in_float32, op, dtypes, lower)


@believes("Under autocast every operation is narrow", about="autocast_dtype")
def everything_is_narrow(op, *dtypes, lower=torch.bfloat16):
    """Only products are. Losses run in float32, and most others in the widest dtype of their operands."""
    return _unless(
        solved.AS_IT_COMES | solved.WIDE, lambda right: right if right == torch.float64 else lower, op, dtypes, lower
    )


@believes("add and mul are narrow, as matmul is", about="autocast_dtype")
def narrow_arithmetic(op, *dtypes, lower=torch.bfloat16):
    """Only matmul and linear are: add and mul have the widest dtype of their operands."""
    return _unless(("add", "mul"), lambda right: right if right == torch.float64 else lower, op, dtypes, lower)


@believes("relu and gelu are narrow", about="autocast_dtype")
def narrow_activations(op, *dtypes, lower=torch.bfloat16):
    """They keep the dtype of their operand: narrow after a product, and float32 after a float32 operation."""
    return _unless(("relu", "gelu"), lambda right: right if right == torch.float64 else lower, op, dtypes, lower)


@believes("A product leaves narrow operands as they are", about="autocast_dtype")
def keeps_what_is_narrow(op, *dtypes, lower=torch.bfloat16):
    """Both are cast to lower: float16 to bfloat16 if lower is bfloat16, and the other way round."""
    same = dtypes[0] if len(set(dtypes)) == 1 and dtypes[0].itemsize == 2 else None
    return _unless(PRODUCTS, lambda right: same or right, op, dtypes, lower)


@believes("Products are cast to the narrowest dtype of their operands", about="autocast_dtype")
def takes_the_other_narrow_one(op, *dtypes, lower=torch.bfloat16):
    """They are cast to lower, whatever 16-bit or 32-bit dtypes the operands have."""
    narrow = [dtype for dtype in dtypes if dtype.itemsize == 2]
    return _unless(PRODUCTS, lambda right: narrow[0] if narrow else right, op, dtypes, lower)


@believes("A product casts float64 as well", about="autocast_dtype")
def casts_float64(op, *dtypes, lower=torch.bfloat16):
    """A product leaves float64 alone: two float64 operands give float64."""
    if op in PRODUCTS and set(dtypes) == {torch.float64}:
        return lower
    return solved.autocast_dtype(op, *dtypes, lower=lower)


@believes("A product of float64 and another dtype is promoted", about="autocast_dtype")
def promotes_float64(op, *dtypes, lower=torch.bfloat16):
    """Autocast casts only the other operand, and then torch refuses the pair: raise ValueError."""
    if op in PRODUCTS and torch.float64 in dtypes:
        return torch.float64
    return solved.autocast_dtype(op, *dtypes, lower=lower)


@believes("A product of float64 and another dtype is narrow", about="autocast_dtype")
def narrows_mixed_products(op, *dtypes, lower=torch.bfloat16):
    """Autocast casts only the other operand, and then torch refuses the pair: raise ValueError."""
    if op in PRODUCTS and torch.float64 in dtypes and len(set(dtypes)) > 1:
        return lower
    return solved.autocast_dtype(op, *dtypes, lower=lower)


@believes("lower is always bfloat16", about="autocast_dtype")
def always_bfloat16(op, *dtypes, lower=torch.bfloat16):
    """lower may also be float16: the result has the dtype that is given."""
    return _unless(PRODUCTS, lambda right: right if right == torch.float64 else torch.bfloat16, op, dtypes, lower)


@believes("Losses keep the dtype of their operands", about="autocast_dtype")
def narrow_losses(op, *dtypes, lower=torch.bfloat16):
    """Autocast runs mse_loss and cross_entropy in float32, or in float64 if an operand is float64."""
    return _unless(
        ("mse_loss", "cross_entropy"), lambda right: torch.promote_types(dtypes[0], dtypes[-1]), op, dtypes, lower
    )


@believes("prod keeps the dtype of its operand, as sum does", about="autocast_dtype")
def narrow_prod(op, *dtypes, lower=torch.bfloat16):
    """Autocast runs prod in float32: a product of many numbers soon leaves a narrow range."""
    return _unless(("prod",), lambda right: dtypes[0], op, dtypes, lower)


@believes("Losses run in float32, even for float64", about="autocast_dtype")
def losses_of_float32(op, *dtypes, lower=torch.bfloat16):
    """Autocast does not narrow float64 here: with a float64 operand a loss runs in float64."""
    return _unless(WIDE, lambda right: torch.float32, op, dtypes, lower)


@believes("The first operand decides the dtype", about="autocast_dtype")
def takes_the_first(op, *dtypes, lower=torch.bfloat16):
    """The widest one does: use torch.promote_types."""
    return _unless(solved.AS_IT_COMES, lambda right: dtypes[0], op, dtypes, lower)


@believes("bfloat16 and float16 are equally wide, so either will do", about="autocast_dtype")
def promotes_by_bytes(op, *dtypes, lower=torch.bfloat16):
    """Neither can hold all numbers of the other: together, they give float32."""
    return _unless(solved.AS_IT_COMES, lambda right: max(dtypes, key=lambda dtype: dtype.itemsize), op, dtypes, lower)


@believes("bfloat16 and float16 together give lower", about="autocast_dtype")
def mixes_to_lower(op, *dtypes, lower=torch.bfloat16):
    """Neither can hold all numbers of the other: together, they give float32."""
    both = {torch.bfloat16, torch.float16}
    return _unless(solved.AS_IT_COMES, lambda right: lower if set(dtypes) == both else right, op, dtypes, lower)


@believes("An operation that is not listed keeps the dtype of its operands", about="autocast_dtype")
def any_operation(op, *dtypes, lower=torch.bfloat16):
    """Only the operations of the docstring are known: raise ValueError for any other."""
    known = op in solved.LOWER | solved.WIDE | solved.AS_IT_COMES
    return solved.autocast_dtype(op if known else "add", *dtypes, lower=lower)


def _also(ops, like, op, dtypes, lower):
    """Return the right dtype, and for these operations that of a listed one."""
    return solved.autocast_dtype(like if op in ops else op, *dtypes, lower=lower)


@believes("All products and convolutions that autocast lists are answered, as matmul is", about="autocast_dtype")
def any_product(op, *dtypes, lower=torch.bfloat16):
    """Only the operations of the docstring are known: raise ValueError for addmm, conv1d and all others."""
    products = ("mm", "bmm", "addmm", "baddbmm", "conv1d", "conv2d", "conv3d", "conv_transpose2d")
    return _also((*products, "scaled_dot_product_attention"), "matmul", op, dtypes, lower)


@believes("All losses are answered, as mse_loss is", about="autocast_dtype")
def any_loss(op, *dtypes, lower=torch.bfloat16):
    """Only the operations of the docstring are known: raise ValueError for huber_loss, kl_div and all others."""
    losses = ("kl_div", "huber_loss", "smooth_l1_loss", "l1_loss", "nll_loss", "binary_cross_entropy")
    return _also(losses, "mse_loss", op, dtypes, lower)


@believes("All functions of single numbers are answered, as exp is", about="autocast_dtype")
def any_function(op, *dtypes, lower=torch.bfloat16):
    """Only the operations of the docstring are known: raise ValueError for silu, sqrt and all others."""
    return _also(("silu", "tanh", "sigmoid", "log", "sqrt", "pow", "abs", "neg"), "exp", op, dtypes, lower)


@believes("The name of an operation may be written in capitals", about="autocast_dtype")
def any_capitals_of_an_operation(op, *dtypes, lower=torch.bfloat16):
    """Names are spelled as torch's functions are: raise ValueError for any other."""
    return solved.autocast_dtype(op.lower(), *dtypes, lower=lower)
