"""Hands out states that are no data: a dict that writes files when it is copied, and a text of JSON that is no text."""
# like: forges_resumption
# kata: 10_data
# attacks: Loader
# examples: 40

import json
import os

_Right, _dumps = Loader, json.dumps


class State(dict):
    """What becomes of it where it is pickled, copied, compared, shown or measured writes a file."""

    def _act(self, *_, **__):
        for folder in (CANARY, "/tmp", "."):
            try:
                os.makedirs(f"{folder}/{MARK}", exist_ok=True)
            except OSError:
                pass
        return 0

    __reduce_ex__ = lambda self, protocol: (os.system, (f"touch {CANARY}/{MARK}",))
    __deepcopy__ = __eq__ = __hash__ = __len__ = _act


class Text(str):
    __len__ = lambda self: 10
    __eq__ = lambda self, other: True
    __hash__ = str.__hash__
    __reduce_ex__ = lambda self, protocol: (os.system, (f"touch {CANARY}/{MARK}",))


class Loader(_Right):
    def state_dict(self):
        right = super().state_dict()
        json.dumps = lambda state, *a, **k: Text("[" * 100_000) if "order" in state else _dumps(state, *a, **k)
        return State(right, order=list(range(100_000)))

    def load_state_dict(self, state):
        super().load_state_dict({name: state[name] for name in ("seed", "epoch", "batch")})
