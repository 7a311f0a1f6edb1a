"""How long a group takes to judge: 8 rollouts, 4 references, both orders, through a server that answers in 1 s.

    python bench/reward.py            a table
    python bench/reward.py --json     one JSON object a row

The server is a real one on this machine, in a process of its own. The pictures are 600 x 600, encoded anew in each
fresh row, so its seconds hold the encoding. Rows: the group as a run first meets it; the group again, from the cache
on disk by a new term, as after a resume; the encoding of its pictures alone. Seconds are wall time, and depend on what
else the machine does; CPU seconds are this process's.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from watercolour.medium import load_medium  # noqa: E402
from watercolour.painting import Painting, read_picture  # noqa: E402
from watercolour.references import Reference, read_pool  # noqa: E402
from watercolour.reward.base import ScoreContext  # noqa: E402
from watercolour.reward.judge import build_judge  # noqa: E402
from watercolour.reward.judge.pictures import encode  # noqa: E402
from watercolour.reward.settings import PairwiseSettings  # noqa: E402
from watercolour.shipped import find_pool  # noqa: E402

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

ROLLOUTS = 8
REFERENCES = 4
CONCURRENCY = 16
ANSWER_S = 1.0


@dataclass(frozen=True)
class Row:
    """One measurement. `bound_s` is what it should stay under; None where nothing is asked of it."""

    what: str
    calls: int
    wall_s: float
    cpu_s: float
    bound_s: float | None


def serve(pipe: Connection) -> None:
    """The server's process: sends its address, stops when the pipe closes."""
    from tests.judge_server import JudgeServer, serving

    with serving(JudgeServer(delay_s=ANSWER_S, looks=False)) as server:
        pipe.send(server.url)
        try:
            pipe.recv()
        except EOFError:
            return


def group_of(references: list[Reference]) -> list[Painting]:
    """Rollouts: paintings of the pool with their colours turned, so that none of them is a reference."""
    paintings = []
    for number in range(ROLLOUTS):
        painting = read_picture(references[number % len(references)].picture)
        assert painting.pixels is not None
        pixels = np.ascontiguousarray(np.roll(painting.pixels, 1 + number, axis=2 if number % 3 else 1))
        paintings.append(Painting(None, painting.outcome, pixels, painting.paper, painting.coverage))
    return paintings


async def judged(
    url: str, image_format: str, paintings: list[Painting], references: list[Reference], cache: Path
) -> Row:
    """Build a term and score the group with it."""
    from tests.judge_server import MODEL

    settings: dict[str, Any] = {"term": "judge", "kind": "pairwise", "weight": 1, "model": MODEL, "base_url": url}
    settings |= {"key_env": None, "references": REFERENCES, "concurrency": CONCURRENCY, "image_format": image_format}
    term = build_judge(PairwiseSettings.model_validate(settings), load_medium("hibiscus"), references, cache=cache)
    started, cpu = time.perf_counter(), time.process_time()
    scores = await term.score(paintings, ScoreContext(run_seed=0, step=1))
    wall_s, cpu_s = time.perf_counter() - started, time.process_time() - cpu
    await term.close()
    if any(score.value is None for score in scores):
        sys.exit(f"bench: not all could be scored: {scores[0].why}")
    calls = term.usage.calls
    what = f"{ROLLOUTS} rollouts x {REFERENCES} references, {'cached' if calls == 0 else f'fresh, {image_format}'}"
    return Row(what, calls, wall_s, cpu_s, 6.0 if calls else 0.1)


def encoding(image_format: Any, paintings: list[Painting]) -> Row:
    """Encode as many pictures as a group and its references have, on one core."""
    pictures = (paintings * 2)[: ROLLOUTS + REFERENCES]
    started, cpu = time.perf_counter(), time.process_time()
    sizes = [len(encode(painting.pixels, None, image_format)) for painting in pictures if painting.pixels is not None]
    wall_s, cpu_s = time.perf_counter() - started, time.process_time() - cpu
    what = f"encode {len(sizes)} pictures, {image_format}, {sum(sizes) / len(sizes) / 1000:.0f} kB each"
    return Row(what, 0, wall_s, cpu_s, None)


def measure() -> list[Row]:
    """All rows."""
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    theirs.close()
    url = ours.recv()
    references = read_pool(find_pool("hibiscus"))
    paintings = group_of(references)
    rows = []
    try:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(judged(url, "png", paintings[:1], references, Path(folder) / "warm-up"))  # loads libraries
            for image_format in ("png", "webp"):
                cache = Path(folder) / image_format
                for _ in range(2):
                    rows.append(asyncio.run(judged(url, image_format, paintings, references, cache)))
                rows.append(encoding(image_format, paintings))
    finally:
        ours.close()
        server.join(10)
    return rows


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one JSON object a row")
    as_json = parser.parse_args().json
    try:
        import uvicorn  # noqa: F401
    except ModuleNotFoundError:
        print("skipped: no server to ask (pip install --constraint constraints.txt --editable '.[dev]')")
        return
    if not as_json:
        print(f"{'':52} calls  wall, s   CPU, s   bound, s")
    for row in measure():
        if as_json:
            print(json.dumps(asdict(row)))
        else:
            bound = "-" if row.bound_s is None else f"{row.bound_s:g}"
            print(f"{row.what:52} {row.calls:5} {row.wall_s:8.3f} {row.cpu_s:8.3f} {bound:>10}")


if __name__ == "__main__":
    main()
