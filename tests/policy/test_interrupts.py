from __future__ import annotations

import os
import signal
import threading

import pytest

from watercolour.policy.interrupts import HeldInterrupts


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_an_interrupt_waits_for_the_release() -> None:
    held = HeldInterrupts()
    before = signal.getsignal(signal.SIGINT)
    held.hold()
    interrupt()
    with pytest.raises(KeyboardInterrupt):
        held.release()
    assert signal.getsignal(signal.SIGINT) is before
    held.release()  # it is raised once


def test_without_one_nothing_happens_and_later_ones_come_through() -> None:
    held = HeldInterrupts()
    held.hold()
    held.release()
    with pytest.raises(KeyboardInterrupt):
        interrupt()


def test_as_a_context_it_drops_what_it_held() -> None:
    with HeldInterrupts():
        interrupt()
    with pytest.raises(KeyboardInterrupt):
        interrupt()


def test_it_may_be_used_outside_the_main_thread() -> None:
    done = []

    def work() -> None:
        with HeldInterrupts():
            done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]
