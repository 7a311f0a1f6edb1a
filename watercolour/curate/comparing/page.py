"""The comparison as one self-contained page: no script, no other file, every text escaped."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from watercolour.curate.agreement import Agreement, interval
from watercolour.curate.comparing.sides import Compared, Disagreement, Side
from watercolour.curate.comparing.tastes import TasteDifference
from watercolour.errors import ConfigError
from watercolour.references import Tier

PICTURE_PX = 420


def comparison_page(
    first: Side,
    second: Side,
    agreement: Agreement,
    found: Sequence[Disagreement],
    difference: TasteDifference | None,
    why_not: str,
) -> str:
    """HTML. `why_not` says why there is no `difference`. Raises ConfigError for a picture that cannot be read."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string((Path(__file__).parent / "page.html").read_text("utf-8"))
    return template.render(
        first=first,
        second=second,
        agreement=agreement,
        tiers=list(Tier),
        disagreements=found,
        difference=difference,
        why_not=why_not,
        interval=interval,
        picture=_data_url,
    )


def _data_url(painting: Compared) -> str:
    try:
        with Image.open(painting.picture) as image:
            small = image.convert("RGB")
    except (OSError, ValueError) as error:
        raise ConfigError(f"{painting.picture}: not a readable picture ({error})") from error
    small.thumbnail((PICTURE_PX, PICTURE_PX), Image.Resampling.LANCZOS)
    data = io.BytesIO()
    small.save(data, "WEBP", quality=82)
    return f"data:image/webp;base64,{base64.b64encode(data.getvalue()).decode()}"
