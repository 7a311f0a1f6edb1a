"""Which paintings are pinned along a curve: the median one of some steps, small enough to travel in the page."""

from __future__ import annotations

import base64
import io

from PIL import Image

from watercolour.painting import read_picture
from watercolour.runs import RolloutRecord
from watercolour.show.report.evidence import Evidence
from watercolour.show.report.plot import Pin

MOST_PINS = 9
THUMBNAIL_PX = 208
QUALITY = 82


def pins_of(evidence: Evidence) -> list[Pin]:
    """At most MOST_PINS steps, from the first to the last that have a picture; each with its median painting.

    It is the picture whose reward lies nearest the median of the step's; one that cannot be read is passed over.
    """
    groups = evidence.by_step()
    candidates = []
    for step in evidence.steps:
        if step.median is None:
            continue
        seen = [r for r in groups.get(step.step, []) if r.reward is not None and evidence.picture(r)]
        seen.sort(key=lambda r: (abs((r.reward or 0.0) - (step.median or 0.0)), r.index))
        if seen:
            candidates.append((step, seen[0]))
    count = min(MOST_PINS, len(candidates))
    places = [round(n * (len(candidates) - 1) / (count - 1)) for n in range(count)] if count > 1 else range(count)
    found = []
    for place in places:
        step, rollout = candidates[place]
        picture = thumbnail(evidence, rollout)
        if picture and step.reward is not None:
            label = f"step {step.step}: {rollout.reward:.2f}"
            found.append(Pin(float(step.step), step.reward, picture, label))
    return found


def thumbnail(evidence: Evidence, rollout: RolloutRecord) -> str | None:
    """A rollout's painting as a small JPEG in a data: address, or None where it cannot be read."""
    path = evidence.picture(rollout)
    if path is None:
        return None
    try:
        pixels = read_picture(path).pixels
    except (OSError, ValueError):
        return None
    if pixels is None:
        return None
    image = Image.fromarray(pixels)
    image.thumbnail((THUMBNAIL_PX, THUMBNAIL_PX), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=QUALITY)
    return "data:image/jpeg;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")
