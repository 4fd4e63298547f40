"""Failures of kata 10 whose reports must match letter for letter, each on one chosen case."""

from dojo.catalog import find
from tests.dojo.report.reported import believing, of

from . import properties
from .rows import Row
from .strategies_batches import Batch
from .strategies_files import Written
from .strategies_loaders import Epochs, Resumed, Sizes
from .strategies_streams import Documents, Source

KATA = find("10")

TOKENS = "tokens = np.arange(10, 73, 3, dtype=np.uint16)"
ROW = Row(10, 3, 21, "uint16")

BATCH = Batch(
    [TOKENS, "g = torch.Generator().manual_seed(5)", "x, y = batch = get_batch(tokens, 2, 3, g)"],
    ROW,
    2,
    3,
)

SEEDED = "torch.manual_seed({0}), np.random.seed({0}), random.seed({0})"

EPOCHS = Epochs(
    [
        TOKENS,
        "loaders = [Loader(tokens, 2, 2, 5, rank, 2) for rank in range(2)]",
        "seen = [[next(loader) for _ in range(6)] for loader in loaders]",
    ],
    Sizes(ROW, 2, 2, 2, 10, 2),
)

RESUMED = Resumed(
    [
        TOKENS,
        SEEDED.format(1),
        "loader = Loader(tokens, 2, 2, 5)",
        "seen = [x[:, 0].tolist() for x, y in islice(loader, 3)]",
        "state = loader.state_dict()",
    ],
    ["right = [x[:, 0].tolist() for x, y in islice(loader, 4)]"],
    [
        SEEDED.format(2),
        "other = Loader(tokens, 2, 2, 6)",
        "other.load_state_dict(state)",
        "after = [x[:, 0].tolist() for x, y in islice(other, 4)]",
    ],
    5,
    3,
    2,
)

SOURCE = Source(
    [
        "taken = []",
        "def source():",
        "    for batch in [1, 2, 3]:",
        "        taken.append(batch)",
        "        yield batch",
        "ready = prefetch(source())",
        "begun = len(taken)",
        "seen = [(batch, len(taken)) for batch in ready]",
    ],
    [1, 2, 3],
    False,
)


def wrong(name):
    """Return the answer of that name, as a learner would hand it in."""
    return lambda tmp: believing(KATA, name)


CASES = {
    "a_byte_order": (
        of(
            properties.test_write_tokens_writes_the_bytes_of_the_tokens,
            case=Written(['path = "tokens.bin"', "write_tokens(path, [1, 256], 257)"], [1, 256], 257),
        ),
        wrong("write_tokens-writes_the_highest_byte_first"),
    ),
    "targets": (
        of(properties.test_get_batch_makes_windows_and_their_targets, case=BATCH),
        wrong("get_batch-rolls_the_window"),
    ),
    "a_window_twice": (
        of(properties.test_loader_sees_no_window_twice_in_an_epoch, case=EPOCHS),
        wrong("Loader-SeedsByRank"),
    ),
    "a_state": (
        of(properties.test_loader_goes_on_from_a_state, case=RESUMED),
        wrong("Loader-LeavesTheSeedOutOfTheState"),
    ),
    "a_state_in_another_process": (
        of(
            properties.test_loader_goes_on_in_another_process,
            case=RESUMED,
        ),
        wrong("Loader-KeepsAGeneratorInTheState"),
    ),
    "not_ahead": (
        of(properties.test_prefetch_is_one_batch_ahead, case=SOURCE),
        wrong("prefetch-fetches_what_is_asked_for"),
    ),
    "a_mask": (
        of(
            properties.test_document_mask_lets_attention_look_at_one_document,
            case=Documents([7, 0, 8], 0),
        ),
        wrong("document_mask-begins_at_eos"),
    ),
}
