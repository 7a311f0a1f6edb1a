"""A medium is data: what its file says is what the policy and the judges are told."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest
import yaml

from watercolour.errors import ConfigError
from watercolour.medium import load_medium, shipped_media

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
