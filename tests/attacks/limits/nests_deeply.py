"""Returns lists in lists a hundred thousand deep, and one that holds itself."""
# like: says_a_million_digits
# kata: 03_flops
# attacks: matmul_flops, linear_flops, mlp_flops
# seconds: 4


def matmul_flops(a_shape, b_shape):
    nested = []
    for _ in range(100_000):
        nested = [nested]
    return nested


def linear_flops(x_shape, out_features):
    endless = []
    endless.append(endless)
    return endless


def mlp_flops(batch, dims):
    wide = ()
    for _ in range(19):  # 2**20 places made of 20 objects
        wide = (wide, wide)
    return {"a": wide, wide: "a"}
