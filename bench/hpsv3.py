"""How fast HPSv3 scores here, alone and in batches of 8, and the memory that it takes.

    python bench/hpsv3.py                                    the tests' tiny random checkpoint: the code, not the model
    python bench/hpsv3.py --checkpoint MizzenAI/HPSv3        the real one: 16.6 GB, and a GPU is advised
    python bench/hpsv3.py --checkpoint FOLDER --base FOLDER  from this machine's disk

The picture is one of the shipped pool. Seconds are medians over `RUNS` calls of the term's own `score`, resize and cut
into patches included, after one that does not count.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from watercolour.errors import WatercolourError  # noqa: E402 - after the path to it
from watercolour.painting import Painting, read_picture  # noqa: E402
from watercolour.references import read_pool  # noqa: E402
from watercolour.reward.base import ScoreContext  # noqa: E402
from watercolour.reward.hpsv3 import Hpsv3Term  # noqa: E402
from watercolour.reward.settings import Hpsv3Settings  # noqa: E402
from watercolour.shipped import find_pool  # noqa: E402

RUNS = 5
BATCHES = (1, 8)
BASE = "Qwen/Qwen2-VL-7B-Instruct"
TEXT = "a loose watercolour flower"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--checkpoint", help="folder, safetensors file or repository; without it a tiny random one")
    parser.add_argument("--base", default=BASE, help="folder or repository of the base's configuration and tokenizer")
    parser.add_argument("--dtype", choices=("auto", "float32", "bfloat16"), default="auto")
    options = parser.parse_args()
    try:
        if options.checkpoint:
            asyncio.run(measure(options.checkpoint, options.base, options.dtype))
            return 0
        from tests.reward.hpsv3 import tiny

        print("a TINY random checkpoint: what the code costs around the model; the real one is 1,500 times as large")
        with tempfile.TemporaryDirectory(prefix="watercolour-hpsv3-") as name:
            base = tiny.build_base(Path(name, "base"))
            checkpoint = tiny.build_checkpoint(Path(name, "HPSv3.safetensors"))
            asyncio.run(measure(str(checkpoint), str(base), options.dtype))
    except (WatercolourError, FileNotFoundError) as error:
        print(f"bench/hpsv3: {error}", file=sys.stderr)
        return getattr(error, "exit_code", 3)
    return 0


async def measure(checkpoint: str, base: str, dtype: str) -> None:
    """Load, score and print."""
    settings = Hpsv3Settings.model_validate(
        {"term": "hpsv3", "weight": 1.0, "checkpoint": checkpoint, "base": base, "dtype": dtype}
    )
    term = Hpsv3Term(settings, TEXT)
    started = time.perf_counter()
    await term.load()
    load_s = time.perf_counter() - started
    cuda = torch.cuda.is_available()
    device = torch.cuda.get_device_name() if cuda else f"CPU, {torch.get_num_threads()} threads"
    facts = term.facts
    print(f"{device}; {facts['dtype']}, {facts['attention']}, Pillow {facts['pillow']}, torch {facts['torch']}")
    print(f"loaded in {load_s:.1f} s, {_gib(cuda):.2f} GiB {'on the GPU' if cuda else 'of memory, at the peak'}")
    folder = find_pool("hibiscus")
    painting = read_picture(read_pool(folder)[0].picture)
    print(f"{'batch':>5} {'s a batch':>10} {'s a picture':>12} {'peak GiB':>9}   mu")
    for size in BATCHES:
        group: list[Painting] = [painting] * size
        seconds = []
        for _ in range(RUNS + 1):
            if cuda:
                torch.cuda.synchronize()
            started = time.perf_counter()
            scores = await term.score(group, ScoreContext())
            seconds.append(time.perf_counter() - started)
        mu = scores[0].parts.get("mu", scores[0].why)
        median_s = statistics.median(seconds[1:])
        print(f"{size:>5} {median_s:>10.3f} {median_s / size:>12.3f} {_gib(cuda):>9.2f}   {mu}")
    await term.close()


def _gib(cuda: bool) -> float:
    if cuda:
        return torch.cuda.max_memory_allocated() / 2**30
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20  # Linux counts in KiB


if __name__ == "__main__":
    sys.exit(main())
