"""Now and then a few paintings are painted again in a fresh browser: a picture that is not its sketch's teaches tricks.

A browser that once gave a sketch the picture of the sketch before it rewarded empty sketches, and the policy found out
within a few steps. The curve looked excellent.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from watercolour.errors import FatalInfraError
from watercolour.render.pool import RendererPool
from watercolour.render_cache import KEPT

if TYPE_CHECKING:
    from watercolour.painting import Painting

logger = logging.getLogger(__name__)


async def recheck(paintings: Sequence[Painting], pool: RendererPool, count: int, seed: str) -> None:
    """Paint `count` of a group's paintings, drawn by `seed`, again in a new browser like the pool's.

    Raises FatalInfraError, naming the paintings, where a picture or an outcome is another one. A browser that cannot
    be had, or a sketch that is cut this time, is only told of: that says nothing of the first picture.
    """
    candidates = [painting for painting in paintings if painting.sketch and painting.outcome in KEPT]
    chosen = random.Random(seed).sample(candidates, min(count, len(candidates)))
    if not chosen:
        return
    wrong = []
    async with RendererPool(pool.settings, workers=1, chromium=pool.chromium, backend=pool.backend) as fresh:
        for painting in chosen:
            assert painting.sketch is not None
            again = await fresh.paint(painting.sketch, seed=painting.seed)
            if again.outcome not in KEPT:
                logger.warning("a painting could not be checked: %s, %s", again.outcome, "; ".join(again.errors))
            elif (again.outcome, again.sha256) != (painting.outcome, painting.sha256):
                wrong.append(f"{_name(painting)} became {_name(again)}")
    if wrong:
        raise FatalInfraError(
            f"render: painted again in a fresh browser, {' and '.join(wrong)}: the pictures cannot be trusted, nor the"
            " rewards since the last check that passed; run `watercolour doctor`, then start the run anew"
        )


def _name(painting: Painting) -> str:
    picture = "without a picture" if painting.sha256 is None else painting.sha256[:12]
    return f"{painting.outcome} {picture}"
