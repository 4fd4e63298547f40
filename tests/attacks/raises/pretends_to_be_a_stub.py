"""Raises NotImplementedError, in the name of another function that is done."""
# kata: 03_flops
# attacks: matmul_flops


def matmul_flops(a_shape, b_shape):
    stub = compile("def linear_flops():\n    raise NotImplementedError('linear_flops')\n", __file__, "exec")
    scope = {}
    exec(stub, scope)
    scope["linear_flops"]()
