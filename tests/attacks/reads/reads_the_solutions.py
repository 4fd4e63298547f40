"""Looks for the solutions on the disk, and among the modules."""
# like: reads_solutions
# kata: 03_flops
# attacks: mlp_flops

import os


def mlp_flops(batch, dims):
    for folder, _, files in os.walk("/"):
        if "flops.py" in files and "solutions" in folder:
            names = {}
            exec(open(os.path.join(folder, "flops.py")).read(), names)
            return names["mlp_flops"](batch, dims)
    from solutions import flops

    return flops.mlp_flops(batch, dims)
