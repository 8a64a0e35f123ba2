"""Linear algebra on one thread while something is solved."""

import threading

from minece.fem import analyse_voxels, threads


def test_one_thread_inside_and_as_before_outside(monkeypatch):
    state = {"threads": 8}
    monkeypatch.setattr(
        threads, "_controls", lambda: ((lambda: state["threads"], lambda n: state.__setitem__("threads", n)),)
    )
    with threads.one_thread():
        assert state["threads"] == 1
        with threads.one_thread():
            assert state["threads"] == 1
        assert state["threads"] == 1
    assert state["threads"] == 8


def test_it_is_undone_after_an_error_and_after_the_last_user(monkeypatch):
    state = {"threads": 4}
    monkeypatch.setattr(
        threads, "_controls", lambda: ((lambda: state["threads"], lambda n: state.__setitem__("threads", n)),)
    )
    inside, go = threading.Event(), threading.Event()

    def other():
        with threads.one_thread():
            inside.set()
            go.wait(10)

    worker = threading.Thread(target=other)
    worker.start()
    assert inside.wait(10)
    try:
        with threads.one_thread():
            raise ValueError
    except ValueError:
        assert state["threads"] == 1
    go.set()
    worker.join()
    assert state["threads"] == 4


def test_the_libraries_that_are_there_are_found_and_left_as_they_were():
    before = [get() for get, _ in threads._controls()]
    assert analyse_voxels([[0, 0, 0]]).status == "ok"
    assert [get() for get, _ in threads._controls()] == before
    with threads.one_thread():
        assert [get() for get, _ in threads._controls()] == [1] * len(before)
