"""A medium is data: what its file says is what the policy and the judges are told."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest
import yaml

from watercolour.colours import colours_in
from watercolour.errors import ConfigError
from watercolour.inspection import inspect
from watercolour.medium import load_medium, shipped_media
from watercolour.references import Tier, read_pool
from watercolour.shipped import find_pool
from watercolour.vocabulary import BRUSH_NAMES

SHIPPED = shipped_media()


@pytest.mark.parametrize("name", SHIPPED)
def test_prompt_names_every_method_the_canvas_and_the_subject(name: str) -> None:
    medium = load_medium(name)
    assert medium.name == name
    system, user = medium.prompt(medium.subjects[0])
    assert all(f"brush.{method.signature}" in system["content"] for method in medium.methods)
    assert f"createCanvas({medium.canvas.width}, {medium.canvas.height}, WEBGL)" in system["content"]
    assert medium.subjects[0] in user["content"]
    assert (system["role"], user["role"]) == ("system", "user")


def test_hibiscus_has_the_ten_methods_and_none_takes_a_name() -> None:
    medium = load_medium("hibiscus")
    names = "scaleBrushes noStroke fill noFill fillBleed fillTexture beginShape vertex endShape circle"
    assert medium.method_names == set(names.split())
    assert medium.size == (600, 600)


def test_animals_give_their_brushes_as_a_closed_list() -> None:
    medium = load_medium("animals")
    assert set(medium.closed_names) == {"set", "hatchStyle"}
    assert set(medium.closed_names["set"]) < BRUSH_NAMES
    prompt = medium.system_prompt()
    assert "brush.set(name, hex, weight)  // name one of pen, rotring, 2B, HB, 2H, cpencil, charcoal; weight" in prompt
    assert not medium.templates


@pytest.mark.parametrize("name", SHIPPED)
def test_names_are_only_for_methods_that_take_one(name: str) -> None:
    for method in load_medium(name).methods:
        assert bool(method.names) == method.signature.startswith(f"{method.name}(name")
        assert method.signature.startswith(f"{method.name}(")


@pytest.mark.parametrize(
    ("medium", "name", "subject"),
    [
        ("hibiscus", "pale-peach-one-leaf", "a peach hibiscus"),
        ("hibiscus", "peach-with-half-open-bud", "a peach hibiscus"),
        ("hibiscus", "coral-red-eye", "a coral hibiscus"),
        ("hibiscus", "plain-white-red-eye", "a white hibiscus with a red eye"),
        ("hibiscus", "hibiscus", None),
        ("hibiscus", "a-with-red-eye", None),
        ("animals", "elephant-indigo-walking", "an elephant"),
        ("animals", "small-bee", "a bee"),
        ("animals", "an-ox", None),
        ("animals", "", None),
    ],
)
def test_a_file_name_tells_its_subject(medium: str, name: str, subject: str | None) -> None:
    assert load_medium(medium).subject_named(name) == subject


@pytest.mark.parametrize("name", SHIPPED)
def test_every_subject_can_be_told_from_the_others(name: str) -> None:
    medium = load_medium(name)
    told = {medium.subject_named("-".join(subject.split())) for subject in medium.subjects}
    assert told == set(medium.subjects)


def test_subjects_that_are_held_out_name_colours_that_the_pool_does_not_show() -> None:
    medium = load_medium("hibiscus")
    shown = {colours_in(subject)[0] for subject in medium.subjects}
    held_out = [colours_in(subject) for subject in medium.held_out]
    assert len(held_out) >= 3
    assert all(held_out)
    assert not {colours[0] for colours in held_out} & shown
    assert load_medium("animals").held_out == ()


@pytest.mark.parametrize("name", SHIPPED)
def test_pool_keeps_to_its_medium(name: str) -> None:
    medium = load_medium(name)
    for reference in read_pool(find_pool(medium.pool)):
        found = inspect(reference.sketch(), medium.method_names, medium.size, medium.closed_names)
        assert found.violations == (), reference.name
        assert reference.subject in medium.subjects


def test_animals_pool_shows_every_subject_in_every_tier() -> None:
    medium = load_medium("animals")
    references = read_pool(find_pool(medium.pool))
    assert len(references) >= 20
    for tier in Tier:
        assert {reference.subject for reference in references if reference.tier is tier} == set(medium.subjects)


@pytest.mark.browser
def test_another_medium_renders_and_scores_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    reference = next(each for each in read_pool(find_pool("animals")) if each.name == "cat-navy-walking")
    Path("cat.js").write_text(reference.sketch())
    Path("spray.js").write_text(reference.sketch().replace("rotring", "spray"))
    rendered = json.loads(cli("render", "--medium", "animals", "cat.js", "--json"))
    assert rendered["sha256"] == reference.sha256
    gate_alone = "reward.terms=[{term: gate, weight: 1, strict_allowlist: true}]"
    settings = ("--set", "medium=animals", "--set", gate_alone)
    scored = cli("score", "--config", "tiny", *settings, "cat.js", "spray.js", "--json").splitlines()
    good, bad = (json.loads(line)["terms"]["gate"] for line in scored)
    assert good["value"] == 1
    assert bad["value"] == 0
    assert {each["code"] for each in bad["parts"]["violations"]} == {"unknown_name"}


def cli(*arguments: str) -> str:
    """The standard output of a `watercolour` command that ends well."""
    done = subprocess.run(
        [sys.executable, "-m", "watercolour", *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_medium_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    data = yaml.safe_load(resources.files("watercolour").joinpath("media", "hibiscus.yaml").read_text())
    path.write_text(yaml.safe_dump(data | {"name": "mine", "subjects": ["a snail"]}))
    assert load_medium(str(path)).subjects == ("a snail",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name: x", "title: field required"),
        ("[1, 2", "not valid YAML"),
        ("", "the file: "),
        ("name: x\nsurprise: 1", "title: field required"),
    ],
)
def test_wrong_file_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_medium(str(path))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_unknown_medium_names_those_there_are() -> None:
    with pytest.raises(ConfigError, match="hibiscus"):
        load_medium("oil")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_medium("nowhere.yaml")
