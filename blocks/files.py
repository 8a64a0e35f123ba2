"""Files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write, beside the target; it takes the target's place when the block ends without an error.

    A reader sees the old file or the new one, never a part. A link is followed, so that the file it names is
    replaced; devices, pipes and folders are left alone. Raises :class:`OSError`.
    """
    target = os.path.realpath(path)
    if os.path.lexists(target) and not os.path.isfile(target):
        raise OSError(errno.EINVAL, "is no ordinary file", os.fspath(path))
    folder, base = os.path.split(target)
    draft = os.path.join(folder, f".{base[:100]}.{secrets.token_hex(6)}.part")
    try:
        with open(draft, "xb") as file:
            yield file
        os.replace(draft, os.path.join(folder, base))
    except BaseException:
        if os.path.exists(draft):
            os.unlink(draft)
        raise


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file in one go, in the way of :func:`whole_file`. Raises :class:`OSError`."""
    with whole_file(path) as file:
        file.write(data)
