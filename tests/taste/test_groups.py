"""Variants of one source are one group, whatever their rating; paintings written apart are not."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.taste.conftest import reference
from watercolour.references import Tier, read_pool
from watercolour.shipped import find_pool
from watercolour.taste.groups import group_by_source, similarity, source_runs

FLOWER = """
function draw() {
  for (let i = 0; i < 5; i++) { brush.fill("#ffaa88", 180); brush.circle(300 + 90 * cos(72 * i), 300, 80, 0.3); }
  brush.fill("#cc2244", 200); brush.circle(300, 300, 40, true); brush.noFill();
}
"""
TREE = """
function draw() {
  brush.beginShape(0.5); brush.vertex(10, 20); brush.vertex(30, 40); brush.endShape(true);
  if (frameCount > 3) { brush.fillBleed(0.2); } else { brush.fillTexture(0.4, 0.1); }
}
"""


def test_another_colour_size_or_comment_is_a_variant_across_tiers(tmp_path: Path) -> None:
    variant = "// demoted\n" + FLOWER.replace("#ffaa88", "#eedd33").replace("300", "250").replace("5;", "7;")
    paintings = [
        reference("a", Tier.LOVE, tmp_path, FLOWER),
        reference("b", Tier.NOPE, tmp_path, variant),
        reference("c", Tier.OKAY, tmp_path, TREE),
    ]
    one, other, third = group_by_source(paintings)
    assert one == other != third


def test_a_group_named_in_the_index_holds_whatever_the_sources_say(tmp_path: Path) -> None:
    paintings = [
        reference("a", Tier.LOVE, tmp_path, FLOWER, group="x"),
        reference("b", Tier.NOPE, tmp_path, TREE, group="x"),
        reference("c", Tier.NOPE, tmp_path, "other()", group="y"),
    ]
    one, other, third = group_by_source(paintings)
    assert one == other != third


def test_shipped_pool_is_almost_all_of_paintings_written_apart() -> None:
    references = read_pool(find_pool("hibiscus"))
    assert len(set(group_by_source(references))) > 0.9 * len(references)


@given(st.text())
def test_any_text_is_like_itself(source: str) -> None:
    runs = source_runs(source)
    assert similarity(runs, runs) == 1
