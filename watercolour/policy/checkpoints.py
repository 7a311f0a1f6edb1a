"""Checkpoints that are there whole or not at all, whenever the process ends: written aside, then renamed."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from watercolour.errors import FatalInfraError
from watercolour.files import cannot_write, publish_folder

UNFINISHED = ".saving-"


def is_whole(checkpoint: Path) -> bool:
    """Whether a checkpoint's folder can be gone on from: the trainer writes this file last."""
    return (checkpoint / "trainer_state.json").is_file()


@contextmanager
def whole_checkpoint(folder: Path, step: int) -> Iterator[Path | None]:
    """A scratch folder in which to make `checkpoint-STEP`, which gets its place in `folder` when the block ends.

    None where that step's checkpoint is there already. Raises FatalInfraError when it cannot be written; then, and for
    whatever else the block raises, nothing of it is left.
    """
    final = folder / f"checkpoint-{step}"
    if is_whole(final):
        yield None
        return
    scratch = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=folder))
        yield scratch
        shutil.rmtree(final, ignore_errors=True)  # what a crash left of it under another version of this program
        publish_folder(scratch / final.name, final)
    except OSError as error:
        cannot_write(final, error)
    except _writers_errors() as error:
        raise FatalInfraError(f"{final}: cannot be written: {' '.join(str(error).split())}") from error
    finally:
        if scratch is not None:
            shutil.rmtree(scratch, ignore_errors=True)


def remove_unfinished(folder: Path) -> None:
    """Remove what a killed process had begun to save."""
    for scratch in folder.glob(f"{UNFINISHED}*"):
        shutil.rmtree(scratch, ignore_errors=True)


def _writers_errors() -> tuple[type[Exception], ...]:
    """What torch and safetensors raise, besides OSError, for a disk that takes no more."""
    from safetensors import SafetensorError

    return RuntimeError, SafetensorError
