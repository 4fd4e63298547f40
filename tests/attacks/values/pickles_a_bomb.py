"""Returns and raises objects that run code where they are unpickled, copied, formatted, compared or collected."""
# kata: 03_flops
# attacks: matmul_flops, linear_flops

import os


def _explode(*args, **named):
    """In the judge, this would leave a file and end it with status 0."""
    with open(os.path.join(CANARY, "exploded"), "w") as file:
        file.write(MARK)
    os._exit(0)


class Bomb(Exception):
    """Explodes in whoever touches it."""

    def __reduce_ex__(self, protocol):
        code = f"open({CANARY!r} + '/exploded', 'w').write({MARK!r})"
        return eval, (code,)

    __copy__ = __deepcopy__ = __repr__ = __str__ = __format__ = __eq__ = __hash__ = __len__ = __iter__ = _explode


def matmul_flops(a_shape, b_shape):
    return Bomb()


def linear_flops(x_shape, out_features):
    raise Bomb
