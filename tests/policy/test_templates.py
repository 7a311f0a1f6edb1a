from __future__ import annotations

import asyncio
import re

import pytest
import tree_sitter_javascript
from transformers import AutoTokenizer
from tree_sitter import Language, Parser

from watercolour.medium import load_medium
from watercolour.painting import RenderOutcome
from watercolour.policy import smollm
from watercolour.policy.templates import PALETTES, template_sketches
from watercolour.render.pool import RendererPool
from watercolour.sketch import Sketch


def test_sketches_are_distinct_and_the_same_for_a_seed() -> None:
    sketches = template_sketches(300, seed=3)
    assert len(set(sketches)) == 300
    assert template_sketches(40, seed=3) == sketches[:40]
    assert not set(template_sketches(40, seed=4)) & set(sketches)


def test_every_sketch_parses_and_keeps_to_the_medium() -> None:
    medium = load_medium("hibiscus")
    parser = Parser(Language(tree_sitter_javascript.language()))
    skeleton = [line.strip() for line in medium.skeleton.splitlines() if line.strip() and "//" not in line]
    kept = [line for line in skeleton if not line.startswith("background")]
    for source in template_sketches(200, seed=0):
        assert not parser.parse(source.encode()).root_node.has_error, source
        assert set(re.findall(r"brush\.(\w+)", source)) <= medium.method_names
        lines = [line.strip() for line in source.splitlines()]
        assert [line for line in kept if line not in lines] == []


def test_all_five_palettes_are_used() -> None:
    sources = "".join(template_sketches(200, seed=0))
    assert len(PALETTES) == 5
    assert all(any(colour in sources for colour in colours) for colours in PALETTES.values())


def test_token_range_with_the_real_tokenizer() -> None:
    gguf = smollm.find_gguf()
    tokenizer = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)
    lengths = [len(ids) for ids in tokenizer(template_sketches(400, seed=1))["input_ids"]]
    assert min(lengths) >= 125 and max(lengths) <= 225


async def _paint(sources: list[str]) -> list[RenderOutcome]:
    async with RendererPool() as pool:
        return [painting.outcome for painting in await pool.paint_all([Sketch(source) for source in sources])]


@pytest.mark.browser
def test_they_paint() -> None:
    assert asyncio.run(_paint(template_sketches(6, seed=2))) == [RenderOutcome.OK] * 6
