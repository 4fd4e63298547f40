"""What comes after what, and the routes through the katas."""

import pytest

from dojo.catalog import ROOT, ROUTES, CatalogError, find, katas, read, select
from dojo.tools import completeness
from dojo.tools.tables import hours

EVERY = katas().values()


def test_each_route_holds_all_that_it_takes_as_known():
    """Whoever follows one meets no kata before those that it comes after."""
    for route in ROUTES:
        seen = set[str]()
        for kata in EVERY:
            if route in kata.routes:
                assert set(kata.after) <= seen, (route, kata.slug)
                seen.add(kata.number)
        assert seen


@pytest.fixture
def table(tmp_path):
    """The kata.toml of 05, to be changed and read again."""
    path = tmp_path / "05_adagrad" / "kata.toml"
    path.parent.mkdir()
    text = (ROOT / "katas" / "05_adagrad" / "kata.toml").read_text(encoding="utf-8")

    def changed(old, new):
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return read(path)

    return changed


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"04"', '"05"', "comes after '05'; expected the number of an earlier kata, such as '01'"),
        ('"04"', '"4"', "comes after '4'; expected the number of an earlier kata"),
        ('"04"', "4", "has an entry of the wrong type"),
        ('"memory"', '"memroy"', "lies on the route 'memroy'; expected some of memory, compute, systems"),
    ],
)
def test_what_is_no_earlier_kata_and_no_route_is_refused(table, old, new, complaint):
    """The line says what was expected and what came."""
    with pytest.raises(CatalogError, match="05_adagrad.kata.toml " + complaint):
        table(old, new)


def test_a_kata_on_no_route_or_before_what_it_comes_after_has_a_gap(table, monkeypatch):
    """`dojo check` lists both."""
    lonely = table('routes = ["memory", "compute", "systems"]', "routes = []")
    assert "is on no route; expected some of memory, compute, systems" in {
        gap.text for gap in completeness.gaps(lonely)
    }
    apart = table('"01", "04"', '"01"')
    monkeypatch.setattr(completeness, "katas", lambda: {"01_memory": lonely})
    monkeypatch.setattr(type(lonely), "number", property(lambda kata: "01" if kata is lonely else "05"))
    wanted = "is on the route memory, but 05_adagrad, which it comes after, is not"
    assert wanted in {gap.text for gap in completeness._declared(apart, ROOT)}


def test_katas_are_selected_by_name_and_by_route():
    """In order, each once; a word that is neither is told."""
    assert select(None) == select("") == list(EVERY)
    assert [kata.number for kata in select("5, flops,03_flops")] == ["03", "05"]
    memory = [kata for kata in EVERY if "memory" in kata.routes]
    assert len(memory) < len(EVERY)
    assert select("memory") == select("01,memory") == memory
    assert select("memory,09") == sorted([*memory, find("09")], key=lambda kata: kata.number)
    with pytest.raises(CatalogError, match="unknown kata 'memroy': did you mean"):
        select("01,memroy")


def test_the_estimate_of_hours():
    """An hour for the lesson, and one for each four points that were begun."""
    assert hours(find("05")) == 1 + 2  # 6 points
    assert hours(find("13")) == 1 + 5  # 19 points
