import threading
from concurrent.futures import ThreadPoolExecutor

from workspace_memory.folder.gate import Gate


def test_an_open_gate_lets_in() -> None:
    assert Gate().enter()


def test_a_closed_gate_lets_nobody_in() -> None:
    gate = Gate()
    gate.close(seconds=0)
    assert not gate.enter()


def test_closing_waits_until_all_are_out() -> None:
    gate = Gate()
    gate.enter()
    with ThreadPoolExecutor(1) as threads:
        closing = threads.submit(gate.close, seconds=5)
        assert not closing.done()
        gate.leave()
        assert closing.result(5)


def test_closing_does_not_wait_for_ever() -> None:
    gate = Gate()
    gate.enter()
    assert not gate.close(seconds=0.01)


def test_a_reopened_gate_lets_in_again() -> None:
    gate = Gate()
    gate.close(seconds=0)
    gate.reopen()
    assert gate.enter()


def test_many_threads_leave_the_count_right() -> None:
    gate = Gate()
    together = threading.Barrier(8)

    def come_and_go() -> None:
        together.wait(5)
        for _ in range(500):
            assert gate.enter()
            gate.leave()

    with ThreadPoolExecutor(8) as threads:
        for done in [threads.submit(come_and_go) for _ in range(8)]:
            done.result(10)
    assert gate.close(seconds=0)
