"""Failures of kata 20 whose reports are held to the letter, each on one case that was chosen."""

from dojo.catalog import find
from tests.dojo.report.reported import believing, of

from . import properties
from .strategies_blocks import Blocks, Coded
from .strategies_names import Objects, Wrong
from .strategies_steps import kept_program

KATA = find("20")

A = "a = torch.tensor([1.0, 2.0], dtype=torch.float32, requires_grad=True)"
X = "x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=torch.float64, requires_grad=True)"


def wrong(name):
    """The answer of that name, as a learner would hand it in."""
    return lambda tmp: believing(KATA, name)


CASES = {
    "a_storage_that_outlives_its_name": (
        of(
            properties.test_peak_bytes_are_those_of_real_storages,
            case=[("new", "a", 8), ("view", "b", "a"), ("del", "a"), ("new", "c", 4)],
        ),
        wrong("peak_bytes-frees_with_the_first_name"),
    ),
    "a_cycle_and_what_hangs_on_it": (
        of(
            properties.test_released_are_those_that_python_releases,
            case=Objects({"a": ["b"], "b": ["b", "c"], "c": []}, []),
        ),
        wrong("released-frees_what_hangs_on_cycles"),
    ),
    "a_result_that_is_overwritten": (
        of(
            properties.test_overwritten_are_those_whose_saved_tensor_raises,
            program=[("y", "exp", "x"), ("y", "add_", "y"), ("z", "sin", "y"), ("y", "mul_", "y")],
        ),
        wrong("overwritten-saves_inputs"),
    ),
    "a_view_of_the_leaf": (
        of(
            properties.test_overwritten_refuses_what_cannot_run,
            wrong=Wrong([("y", "view", "x"), ("y", "add_", "y")], "'y' is a view of the leaf"),
        ),
        wrong("overwritten-writes_to_views_of_the_leaf"),
    ),
    "files_that_stay": (
        of(
            properties.test_offload_to_disk_changes_no_gradient_and_leaves_no_file,
            program=(
                [
                    X,
                    "with offload_to_disk(folder):",
                    "    y = x * x",
                    "y.sum().backward()",
                    "del y",
                    "left = len(os.listdir(folder))",
                ],
                ["x.grad", "left"],
            ),
        ),
        wrong("offload_to_disk-leaves_files"),
    ),
    "128_steps_of_8_bits": (
        of(
            properties.test_quantize_is_within_half_a_step,
            case=Blocks("torch.tensor([127.0, -254.0, 0.5, 508.0], dtype=torch.float32)", 2, (4,), ("plain",)),
        ),
        wrong("quantize-takes_128_steps"),
    ),
    "scales_in_turn": (
        of(
            properties.test_dequantize_multiplies_by_the_scale_of_the_block,
            case=Coded([1, 2, 3], [0.5, 10.0], 2),
        ),
        wrong("dequantize-takes_scales_in_turn"),
    ),
    "16_bits_of_momentum": (
        of(
            properties.test_sgd8bit_keeps_a_byte_an_element,
            case=kept_program("SGD8bit", "0.5, block_size=64", ((256, 128),), 2),
        ),
        wrong("SGD8bit-KeepsHalf"),
    ),
    "gradients_that_stay": (
        of(
            properties.test_attach_sgd_steps_where_backward_is_called,
            program=([A, "handle = attach_sgd([a], 0.5)", "loss = a.sum()", "loss.backward()"], ["a", "a.grad"]),
        ),
        wrong("attach_sgd-leaves_gradients"),
    ),
    "eps_under_the_root": (
        of(
            properties.test_factored_adagrad_is_adagrad_where_squares_are_an_outer_product,
            program=(
                [
                    "a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=torch.float64, requires_grad=True)",
                    "optimizer = FactoredAdaGrad([a], lr=1.0, eps=3.0)",
                    "a.grad = torch.ones((2, 2), dtype=torch.float64)",
                    "optimizer.step()",
                ],
                ["a"],
            ),
        ),
        wrong("FactoredAdaGrad-AddsEpsInside"),
    ),
}
