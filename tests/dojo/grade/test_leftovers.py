"""What a function leaves in the folder of temporary files is gone before the next one is asked."""

import os
import tempfile

import pytest

from dojo.grade.inside import leftovers


@pytest.mark.skipif(os.geteuid() != 0, reason="only root drops to another user")
def test_locked_folders_are_removed(monkeypatch, tmp_path):
    """Whoever owns a folder can shut it, deep down too, and the folder that it lies in."""
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(leftovers, "confined", lambda: True)
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
            leftovers.unlock()
            leftovers.remove(leftovers.entries())
            os._exit(len(os.listdir(tmp_path)))
        finally:
            os._exit(99)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_folder_that_cannot_be_read_hides_no_other(monkeypatch, tmp_path):
    """At the level basic /dev/shm is none of the jail's."""
    (tmp_path / "kept").touch()
    real = os.scandir

    def scandir(folder):
        if folder == os.path.realpath("/dev/shm"):
            raise PermissionError
        return real(folder)

    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(os, "scandir", scandir)
    assert leftovers.entries() == {str(tmp_path / "kept")}
