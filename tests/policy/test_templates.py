from __future__ import annotations

import asyncio
import re

import pytest
import tree_sitter_javascript
from transformers import AutoTokenizer
from tree_sitter import Language, Parser

from watercolour.colours import COLOURS, colours_in, to_lab
from watercolour.medium import load_medium
from watercolour.painting import Painting, RenderOutcome
from watercolour.policy import smollm
from watercolour.policy.templates import PALETTES, USUAL, template_sketches
from watercolour.render.pool import RendererPool
from watercolour.reward.subject import read_palette
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


def test_every_usual_colour_is_used_where_none_is_asked_for() -> None:
    sources = "".join(template_sketches(200, seed=0))
    assert len(USUAL) == 5
    assert all(any(colour in sources for colour in PALETTES[name]) for name in USUAL)


def test_there_is_a_palette_for_every_colour_word_and_it_is_of_that_colour() -> None:
    assert set(PALETTES) == set(COLOURS)
    for name, palette in PALETTES.items():
        for colour in palette:
            membership = float(COLOURS[name].membership(to_lab(tuple(bytes.fromhex(colour[1:])))))
            assert membership > 0.5, (name, colour, membership)


def test_subjects_take_turns_and_each_is_painted_in_its_colours() -> None:
    subjects = ("a blue hibiscus", "a white hibiscus with a crimson eye", "a hibiscus")
    sketches = template_sketches(60, 5, subjects)
    assert template_sketches(10, 5, subjects) == sketches[:10]
    for blue, white in zip(sketches[::3], sketches[1::3], strict=True):
        assert any(colour in blue for colour in PALETTES["blue"])
        assert not any(colour in blue for name in ("violet", *USUAL) for colour in PALETTES[name])
        assert any(colour in white for colour in PALETTES["white"])
        assert any(colour in white for colour in PALETTES["crimson"])
    usual = "".join(sketches[2::3])
    assert sum(any(colour in usual for colour in PALETTES[name]) for name in USUAL) >= 3


def test_token_range_with_the_real_tokenizer() -> None:
    gguf = smollm.find_gguf()
    tokenizer = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)
    lengths = [len(ids) for ids in tokenizer(template_sketches(400, seed=1))["input_ids"]]
    assert min(lengths) >= 125 and max(lengths) <= 360
    with_eyes = template_sketches(100, 1, ["a white hibiscus with a red eye"])
    assert max(len(ids) for ids in tokenizer(with_eyes)["input_ids"]) <= 360


async def _paint(sources: list[str]) -> list[Painting]:
    async with RendererPool() as pool:
        return await pool.paint_all([Sketch(source) for source in sources])


@pytest.mark.browser
def test_they_paint_and_what_they_paint_has_the_colour_that_was_asked_for() -> None:
    subjects = ["a peach hibiscus", "a blue hibiscus", "a white hibiscus with a red eye"]
    paintings = asyncio.run(_paint(template_sketches(6, 2, subjects)))
    assert [painting.outcome for painting in paintings] == [RenderOutcome.OK] * 6
    for subject in subjects:
        palettes = [read_palette(painting, colours_in(subject)) for painting in paintings]
        main = [palette.shares[colours_in(subject)[0]] for palette in palettes]
        own, others = (
            [share for i, share in enumerate(main) if (subjects[i % 3] == subject) is mine] for mine in (True, False)
        )
        assert min(own) > max(others), (subject, main)
        assert sum(own) / len(own) > 0.5, (subject, own)
