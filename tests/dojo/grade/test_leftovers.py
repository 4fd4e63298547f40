"""What a function leaves in the folder of temporary files is gone before the next one is asked."""

import os
import tempfile

import pytest

from dojo.grade.inside import leftovers


@pytest.fixture(autouse=True)
def confined_to_a_folder(monkeypatch, tmp_path):
    """As if in a jail whose temporary files lie in the test's folder: those of this machine belong to others."""
    shared = tmp_path.parent / f"{tmp_path.name}-memory"
    shared.mkdir()
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(leftovers, "MEMORY", str(shared))
    monkeypatch.setattr(leftovers, "confined", lambda: True)
    return shared


@pytest.mark.skipif(os.geteuid() != 0, reason="only root drops to another user")
def test_locked_folders_are_removed(tmp_path):
    """Whoever owns a folder can shut it, deep down too, and the folder that it lies in."""
    (tmp_path / "locked" / "deep").mkdir(parents=True)
    (tmp_path / "locked" / "deep" / "file").write_text("kept", encoding="utf-8")
    child = os.fork()
    if child == 0:  # as another user than root, whom no mode stops
        try:
            for path in (tmp_path, tmp_path / "locked", tmp_path / "locked" / "deep", *tmp_path.glob("*/*/*")):
                os.chown(path, 50001, 50001)
            for parent in tmp_path.parents[:-2]:
                os.chmod(parent, 0o755)
            os.setresuid(50001, 50001, 50001)
            for path in (tmp_path / "locked" / "deep", tmp_path / "locked", tmp_path):
                path.chmod(0)
            leftovers.clean()
            os._exit(len(os.listdir(tmp_path)))
        finally:
            os._exit(99)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_no_name_that_code_can_choose_stands_in_the_way(tmp_path, confined_to_a_folder):
    """Folders are moved out of others under names that nobody knows before, in each folder for temporary files."""
    (confined_to_a_folder / "kept").touch()
    for name in (*(f".{number}.{os.getpid()}" for number in range(9)), "deep", "n" * 255, "\udcff\n"):
        (tmp_path / "folder" / name / "taken" / "deeper").mkdir(parents=True)
    (tmp_path / "folder" / "up").symlink_to(tmp_path)
    leftovers.clean()
    assert [*tmp_path.iterdir(), *confined_to_a_folder.iterdir()] == []


def test_what_cannot_be_removed_is_told(monkeypatch, tmp_path):
    """It is not passed over: whoever cleans ends the jail."""
    monkeypatch.setattr(os, "unlink", lambda path: (_ for _ in ()).throw(PermissionError(path)))
    (tmp_path / "stays").touch()
    with pytest.raises(leftovers.Unclean, match="1 files cannot be removed"):
        leftovers.clean()


def test_a_folder_that_cannot_be_read_hides_no_other(monkeypatch, tmp_path, confined_to_a_folder):
    """At the level basic the shared memory is none of the jail's."""
    (tmp_path / "kept").touch()
    real = os.scandir

    def scandir(folder):
        if folder == os.path.realpath(confined_to_a_folder):
            raise PermissionError
        return real(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    assert leftovers.entries() == {str(tmp_path / "kept")}
