"""Browser tests may fail but not skip, and the summary says how many passed: a green run really painted."""

from __future__ import annotations

import signal
from collections.abc import Generator

import hypothesis
import pytest

# A busy machine is no failure.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")

PASSED = pytest.StashKey[set[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--require-browser", action="store_true", help="fail the run if no browser test passed")


def pytest_configure(config: pytest.Config) -> None:
    # A shell that starts the tests in the background has them ignore Ctrl-C, and some of them are about it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    config.stash[PASSED] = set()
    config.pluginmanager.register(Counting(config.stash[PASSED]))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if item.get_closest_marker("browser") and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid}: a browser test must not skip ({report.longrepr})"
    return report


class Counting:
    """Counts where the reports come together: with several processes, that is not where the tests run."""

    def __init__(self, passed: set[str]) -> None:
        self.passed = passed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed and "browser" in report.keywords:
            self.passed.add(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workerinput"):
        return  # one of several processes, which sees only some of the tests
    lacking = session.config.getoption("--require-browser") and not session.config.stash[PASSED]
    if lacking and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    count = len(config.stash[PASSED])
    if count or config.getoption("--require-browser"):
        terminalreporter.section("real browser")
        lacking = "" if count else "; --require-browser fails a run without one"
        terminalreporter.line(f"browser tests that passed: {count}{lacking}", green=count > 0, red=count == 0)
