"""Failures of kata 01 whose reports are held to the letter, each on one case that was chosen."""

from dojo.catalog import find
from tests.dojo.report.reported import believing, of

from . import properties

KATA = find("01")


CASES = {
    "storages": (
        of(
            properties.test_storage_usage_counts_each_storage_once_and_whole,
            case=(["a = torch.empty(100, 3)", "b = torch.empty(40)"], "a[:2], a[:, 1], b, a"),
        ),
        lambda tmp: believing(KATA, "get_storage_usage-adds_up_elements"),
    ),
    "storages_of_a_model": (
        of(
            properties.test_model_memory_is_every_byte_of_parameters_and_buffers_once,
            lines=["model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))", "model.tied = model[0].weight"],
            meta=False,
        ),
        lambda tmp: believing(KATA, "get_model_memory-leaves_out_buffers"),
    ),
}
