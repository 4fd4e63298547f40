"""Ends the process with status 0 before there is anything to call."""
# kata: 03_flops
# attacks: *
# place: alone

import os

os._exit(0)
