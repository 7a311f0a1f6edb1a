"""A taste on the disk: a folder with taste.json, which a person can read, and head.safetensors. No pickles."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
from pydantic import Field, ValidationError
from safetensors import SafetensorError
from safetensors.numpy import load, save

from watercolour import __version__
from watercolour.errors import ConfigError, PrerequisiteError
from watercolour.files import cannot_write, write_whole
from watercolour.taste.calibrate import Calibration
from watercolour.taste.head import Head
from watercolour.taste.metrics import Frozen
from watercolour.taste.model import Rated, Taste
from watercolour.taste.neighbours import Neighbours
from watercolour.taste.validate import Report

FOLDER = "taste"
"""Where in a pool's folder its taste lies."""
RECORD = "taste.json"
TENSORS = "head.safetensors"
FORMAT = 1
MAX_BYTES = 200_000_000


class _Record(Frozen):
    format: int
    watercolour: str
    encoder: str
    fingerprint: str
    pool: str
    seed: int
    fitted: str
    tensors_sha256: str
    offset: float = Field(allow_inf_nan=False)
    slope: float = Field(gt=0, allow_inf_nan=False)
    unit: float = Field(gt=0, allow_inf_nan=False)
    report: Report
    rated: list[Rated] = Field(min_length=2)


def save_taste(taste: Taste, folder: Path) -> None:
    """Write the folder, the record last. Raises InfraError."""
    head = taste.head
    tensors = save(
        {
            "mean": head.mean.astype(np.float32),
            "scale": head.scale.astype(np.float32),
            "weights": head.weights.astype(np.float32),
            "rated": taste.neighbours.rated.astype(np.float16),
        }
    )
    record = _Record(
        format=FORMAT,
        watercolour=__version__,
        encoder=taste.encoder,
        fingerprint=taste.fingerprint,
        pool=taste.pool,
        seed=taste.seed,
        fitted=taste.fitted,
        tensors_sha256=hashlib.sha256(tensors).hexdigest(),
        offset=head.offset,
        slope=taste.calibration.slope,
        unit=taste.neighbours.unit,
        report=taste.report,
        rated=list(taste.rated),
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        cannot_write(folder, error)
    write_whole(folder / TENSORS, tensors)
    write_whole(folder / RECORD, (record.model_dump_json(indent=1) + "\n").encode())


def load_taste(folder: Path) -> Taste:
    """The taste in a folder.

    Raises PrerequisiteError where there is none, with the command that fits one, and ConfigError for one that is torn,
    altered or of another format.
    """
    try:
        text = (folder / RECORD).read_bytes()
    except FileNotFoundError:
        raise PrerequisiteError(
            f"{folder}: there is no taste model; run: watercolour taste fit {_pool(folder)}"
        ) from None
    except OSError as error:
        raise ConfigError(f"{folder / RECORD}: cannot be read ({error.strerror})") from error
    try:
        record = _Record.model_validate_json(text)
        if record.format != FORMAT:
            raise ValueError(f"its format is {record.format}, and this version reads {FORMAT}")
        data = (folder / TENSORS).read_bytes()
        if hashlib.sha256(data).hexdigest() != record.tensors_sha256:
            raise ValueError(f"{TENSORS} is not the file that {RECORD} was written with")
        return _taste(record, load(data))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise _broken(folder, f"{RECORD}: {where or 'the file'}: {first['msg']}") from None
    except OSError as error:
        raise _broken(folder, f"{TENSORS} cannot be read ({error.strerror})") from None
    except (ValueError, KeyError, SafetensorError) as error:
        raise _broken(folder, str(error)) from None


def _taste(record: _Record, tensors: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]) -> Taste:
    mean, scale, weights, rated = (tensors[name].astype(np.float64) for name in ("mean", "scale", "weights", "rated"))
    if not (mean.ndim == 1 and mean.shape == scale.shape == weights.shape) or rated.shape != (
        len(record.rated),
        len(mean),
    ):
        raise ValueError("its tensors do not fit each other")
    if not all(np.isfinite(each).all() for each in (mean, scale, weights, rated)) or not (scale > 0).all():
        raise ValueError("its tensors hold numbers that are not finite, or no scale")
    scores = {tier: [each.held_out for each in record.rated if each.tier == tier] for tier in record.report.tiers}
    rivals = {tier: np.array(values) for tier, values in scores.items() if values}
    return Taste(
        encoder=record.encoder,
        fingerprint=record.fingerprint,
        pool=record.pool,
        seed=record.seed,
        fitted=record.fitted,
        head=Head(mean, scale, weights, record.offset, (0.0, 0.0)),
        calibration=Calibration(record.slope, rivals),
        neighbours=Neighbours(rated, record.unit),
        rated=record.rated,
        report=record.report,
    )


def _pool(folder: Path) -> str:
    return str(folder.parent) if folder.name == FOLDER else "POOL"


def _broken(folder: Path, reason: str) -> ConfigError:
    said = " ".join(reason.split())[:200]
    return ConfigError(
        f"{folder}: not a whole taste model ({said}); fit it again: watercolour taste fit {_pool(folder)}"
    )
