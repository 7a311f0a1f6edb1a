"""The three families of errors, and the exit code each one ends a command with.

The sketch's faults are never errors: they are data, a `RenderOutcome` with a low score. What is raised is a person's
fault (`ConfigError`), the machine's (`PrerequisiteError`) or ours (`InfraError`).
"""

from __future__ import annotations

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_MISSING = 3


class WatercolourError(Exception):
    """A message that a person can act on: what is wrong, where, and how to mend it, in one line."""

    exit_code = EXIT_FAILED


class ConfigError(WatercolourError):
    """The command line, a YAML file or an input file is wrong. Exit 2."""

    exit_code = EXIT_USAGE


class PrerequisiteError(WatercolourError):
    """Something that this machine lacks; the message carries the command that mends it. Exit 3."""

    exit_code = EXIT_MISSING


class InfraError(WatercolourError):
    """Our own machinery failed (browser, judge, scorer). A rollout that meets it is unscored, never 0. Exit 1."""


class FatalInfraError(InfraError):
    """Ours, and the next group would meet it too (a full disk, a browser that paints otherwise than it did).

    The run stops at once, to be resumed, instead of leaving its rollouts unscored.
    """


class TermStopped(WatercolourError):
    """A term of the reward can go no further: its budget is used up, its key is refused. The run stops, to be resumed.

    Carries the exit code of the error behind it.
    """

    def __init__(self, error: WatercolourError) -> None:
        super().__init__(str(error))
        self.exit_code = error.exit_code
