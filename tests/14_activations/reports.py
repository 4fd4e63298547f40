"""Failures of kata 14 whose reports are held to the letter, each on one case that was chosen."""

from dojo.catalog import find
from tests.dojo.report.reported import believing, of

from . import properties
from .strategies_bytes import Heads, Mlp
from .strategies_checkpoints import NOTE
from .strategies_runs import Runs
from .typed import WEAK

KATA = find("14")

X = "x = torch.ones(2, 2, dtype=torch.float64, requires_grad=True)"
F = ["calls = []", "def f(x):", '    calls.append("f")', "    return x.exp().square()"]


def wrong(name):
    """The answer of that name, as a learner would hand it in."""
    return lambda tmp: believing(KATA, name)


CASES = {
    "a_view": (
        of(
            properties.test_saved_bytes_counts_each_storage_once,
            program=(
                [X, "def function():", "    (x[:1] * x[1:]).sum()", "count = saved_bytes(function)"],
                ["count"],
            ),
        ),
        wrong("saved_bytes-counts_the_elements_of_a_view"),
    ),
    "gelu": (
        of(
            properties.test_mlp_saved_bytes_are_what_autograd_saves,
            cases=[Mlp(2, (3, 4, 5), activation, 4) for activation in ("relu", "gelu", "none", "tanh", "silu")],
        ),
        wrong("mlp_saved_bytes-keeps_one_of_gelu"),
    ),
    "scores": (
        of(
            properties.test_attention_saved_bytes_are_what_autograd_saves,
            case=Heads((1, 1, 2, 3, 4), 4, False),
        ),
        wrong("attention_saved_bytes-keeps_the_scores"),
    ),
    "a_short_segment": (
        of(
            properties.test_peak_activations_are_those_of_a_checkpointed_chain,
            pairs=[(8, 4), (5, 2), (7, 3), (11, 4)],
        ),
        wrong("peak_activations-fills_the_last_segment"),
    ),
    "no_checkpoint": (
        of(
            properties.test_checkpoint_keeps_nothing_of_what_is_computed_inside,
            program=(
                [*NOTE, X, *F[:3], "    return note(x.exp()).square()", "y = checkpoint(f, x)", "kept = there()"],
                ["kept"],
            ),
        ),
        wrong("checkpoint-calls"),
    ),
    "dropout": (
        of(
            properties.test_checkpoint_draws_the_same_numbers_again,
            program=(
                [
                    "torch.manual_seed(3)",
                    X,
                    *F[:3],
                    "    return nn.functional.dropout(x * 2, 0.5).square()",
                    "y = checkpoint(f, x)",
                    "y.sum().backward()",
                ],
                ["x.grad"],
            ),
        ),
        wrong("checkpoint-draws_other_numbers"),
    ),
    "an_error": (
        of(
            properties.test_checkpoint_lets_errors_of_the_second_run_through,
            program=(
                [
                    X,
                    *F[:3],
                    "    if len(calls) > 1:",
                    '        raise KeyError("lost")',
                    F[3],
                    "y = checkpoint(f, x)",
                    "error = None",
                    "try:",
                    "    y.sum().backward()",
                    "except Exception as raised:",
                    "    error = repr(raised)",
                ],
                ["error"],
            ),
        ),
        wrong("checkpoint-wraps_errors"),
    ),
    "a_cut": (
        of(
            properties.test_checkpoint_sequential_keeps_what_goes_into_a_run,
            case=Runs(
                [
                    WEAK,
                    "results, order, most = [], [], 0",
                    "def there():",
                    "    return [place for place, ref in results if not ref.expired()]",
                    "def layer(place):",
                    "    def run(x):",
                    "        y = x.sin()",
                    "        results.append((place, StorageWeakRef(y.untyped_storage())))",
                    "        order.append(place)",
                    "        return y",
                    "    return run",
                    X,
                    "y = checkpoint_sequential([layer(place) for place in range(7)], 4, x)",
                    "kept, inside = there(), []",
                    "y.sum().backward()",
                ],
                7,
                4,
            ),
        ),
        wrong("checkpoint_sequential-leaves_the_rest_to_the_last"),
    ),
}
