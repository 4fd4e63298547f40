"""What hypothesis draws for kata 08."""

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from dojo.judging.classes import classes


@classes({"none": lambda n: n == 0, "several": lambda n: n > 1})  # WRITE: the classes that tell answers apart
def axis_sizes_cases() -> SearchStrategy[int]:
    """WRITE: what is drawn."""
    return st.integers(0, 8)


@classes({"none": lambda n: n == 0, "several": lambda n: n > 1})  # WRITE: the classes that tell answers apart
def rearrange_shape_cases() -> SearchStrategy[int]:
    """WRITE: what is drawn."""
    return st.integers(0, 8)


@classes({"none": lambda n: n == 0, "several": lambda n: n > 1})  # WRITE: the classes that tell answers apart
def rearrange_cases() -> SearchStrategy[int]:
    """WRITE: what is drawn."""
    return st.integers(0, 8)


@classes({"none": lambda n: n == 0, "several": lambda n: n > 1})  # WRITE: the classes that tell answers apart
def reduce_cases() -> SearchStrategy[int]:
    """WRITE: what is drawn."""
    return st.integers(0, 8)


@classes({"none": lambda n: n == 0, "several": lambda n: n > 1})  # WRITE: the classes that tell answers apart
def repeat_cases() -> SearchStrategy[int]:
    """WRITE: what is drawn."""
    return st.integers(0, 8)


@classes({"none": lambda n: n == 0, "several": lambda n: n > 1})  # WRITE: the classes that tell answers apart
def einsum_cases() -> SearchStrategy[int]:
    """WRITE: what is drawn."""
    return st.integers(0, 8)


@classes({"none": lambda n: n == 0, "several": lambda n: n > 1})  # WRITE: the classes that tell answers apart
def per_head_cases() -> SearchStrategy[int]:
    """WRITE: what is drawn."""
    return st.integers(0, 8)


@classes({"none": lambda n: n == 0, "several": lambda n: n > 1})  # WRITE: the classes that tell answers apart
def patchify_cases() -> SearchStrategy[int]:
    """WRITE: what is drawn."""
    return st.integers(0, 8)


@classes({"none": lambda n: n == 0, "several": lambda n: n > 1})  # WRITE: the classes that tell answers apart
def grouped_attention_cases() -> SearchStrategy[int]:
    """WRITE: what is drawn."""
    return st.integers(0, 8)
