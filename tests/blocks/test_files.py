import os

import pytest

from minece.blocks.files import write_whole


def test_a_file_is_replaced_whole_and_a_link_is_followed(tmp_path):
    target, link = tmp_path / "a.json", tmp_path / "link.json"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_whole(link, b"new")
    assert target.read_bytes() == b"new" and link.is_symlink()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.json", "link.json"]


def test_pipes_and_folders_are_left_alone(tmp_path):
    pipe, folder = tmp_path / "pipe", tmp_path / "folder"
    os.mkfifo(pipe)
    folder.mkdir()
    for place in (pipe, folder):
        with pytest.raises(OSError, match="no ordinary file"):
            write_whole(place, b"x")
    assert pipe.is_fifo() and folder.is_dir()
