"""Linear algebra on one thread.

The matrices of the solver are small: threads of the linear algebra library gain little on a machine with nothing else
to do, and on a busy one they wait for each other and take ten times as long. One thread also gives the same bytes
whatever runs beside it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from threading import Lock

# The extension modules that are linked to the libraries of numpy and scipy, in present and earlier versions.
_MODULES = ("numpy._core._multiarray_umath", "numpy.core._multiarray_umath", "scipy.linalg._fblas")
_PREFIXES = ("scipy_", "")
_SUFFIXES = ("", "64_")

Control = tuple[Callable[[], int], Callable[[int], None]]


@lru_cache(maxsize=1)
def _controls() -> tuple[Control, ...]:
    """Reading and setting the number of threads of each OpenBLAS that is loaded; other libraries are left alone."""
    found: dict[int, Control] = {}
    for name in _MODULES:
        try:
            library = ctypes.CDLL(str(import_module(name).__file__))
        except (ImportError, OSError):
            continue
        for prefix in _PREFIXES:
            for suffix in _SUFFIXES:
                get = getattr(library, f"{prefix}openblas_get_num_threads{suffix}", None)
                put = getattr(library, f"{prefix}openblas_set_num_threads{suffix}", None)
                if get is not None and put is not None:
                    get.restype, put.restype, put.argtypes = ctypes.c_int, None, [ctypes.c_int]
                    address = ctypes.cast(get, ctypes.c_void_p).value or 0
                    found[address] = (get, put)
    return tuple(found.values())


class _Users:
    """How many solutions are under way, and what to go back to after the last of them."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.count = 0
        self.before: list[tuple[Callable[[int], None], int]] = []

    def enter(self) -> None:
        with self.lock:
            self.count += 1
            if self.count == 1:
                self.before = [(put, get()) for get, put in _controls()]
                for put, _ in self.before:
                    put(1)

    def leave(self) -> None:
        with self.lock:
            self.count -= 1
            if self.count == 0:
                for put, threads in self.before:
                    put(threads)


_users = _Users()


@contextmanager
def one_thread() -> Iterator[None]:
    """Linear algebra on one thread, and after the last user on as many as before. Does nothing where it cannot."""
    _users.enter()
    try:
        yield
    finally:
        _users.leave()
