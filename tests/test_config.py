"""The configuration: shipped files, every setting, overrides, the round trip, and how files are found."""

from __future__ import annotations

import json
import re
import types
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from watercolour.config import RunConfig, load_config, load_config_text
from watercolour.errors import ConfigError
from watercolour.reward.settings import (
    AbsoluteSettings,
    CoverageSettings,
    FillsSettings,
    GateSettings,
    Hpsv3Settings,
    LengthSettings,
    PairwiseSettings,
    SubjectSettings,
    TasteSettings,
)
from watercolour.settings import Section
from watercolour.shipped import configs_dir, find_config, find_pool
from watercolour.yaml_lines import dotted
from watercolour.yaml_model import leaf_paths, section_at

SMALLEST = """\
policy:
  model: smollm2-135m
grpo:
  steps: 12
  learning_rate: 1e-3
reward:
  terms: [{term: gate, weight: 0.1}, {term: coverage, weight: 0.9}]
"""
JUDGE = "{term: judge, kind: pairwise, weight: 1"
SHIPPED = sorted(configs_dir().glob("*.yaml"))
LEAVES = [dotted(path) for path in leaf_paths(RunConfig)]
TERMS: list[type[Section]] = [
    GateSettings,
    LengthSettings,
    CoverageSettings,
    SubjectSettings,
    FillsSettings,
    PairwiseSettings,
    AbsoluteSettings,
    Hpsv3Settings,
    TasteSettings,
]


def example_of(kind: type[Section]) -> dict[str, Any]:
    """The least that such a term must be told."""
    told: dict[str, Any] = {"weight": 1.0}
    for name in ("term", "kind"):
        choices = get_args(kind.model_fields[name].annotation) if name in kind.model_fields else ()
        told |= {name: choices[0]} if len(choices) == 1 else {}
    return told | ({"questions": [{"name": "depth", "ask": "How deep?"}]} if kind is AbsoluteSettings else {})


def field_at(path: str) -> FieldInfo:
    *sections, name = path.split(".")
    section = section_at(RunConfig, tuple(sections))
    assert section is not None
    return section.model_fields[name]


# Shipped files


def test_the_four_runs_ship() -> None:
    assert {path.stem for path in SHIPPED} >= {"judge-led", "hps-led", "hps-only", "tiny"}


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_config_parses_is_short_and_says_what_it_is_for(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert len(lines) <= 25
    assert lines[0].startswith("# ")
    assert len(lines[0]) > 20
    config = load_config(path)
    assert config.name == path.stem
    assert sum(term.weight for term in config.reward.terms) == pytest.approx(1)


@pytest.mark.parametrize(
    ("name", "steps", "judge", "hpsv3"),
    [("judge-led", 110, 0.6, 0.3), ("hps-led", 110, 0.3, 0.6), ("hps-only", 60, 0, 0.9)],
)
def test_full_configs_follow_the_recipe(name: str, steps: int, judge: float, hpsv3: float) -> None:
    config = load_config(find_config(name))
    grpo, lora = config.grpo, config.policy.lora
    weights = {term.called: term.weight for term in config.reward.weighted}
    assert weights == {"gate": 0.05, "length": 0.05} | ({"judge": judge} if judge else {}) | {"hpsv3": hpsv3}
    (length,) = (term for term in config.reward.terms if isinstance(term, LengthSettings))
    limits = (length.floor_tokens, length.full_tokens, length.ceiling_tokens)
    assert (length.kind, length.count_by, limits) == ("ramp", "characters", (150, 3000, 6000))
    assert (grpo.steps, grpo.generations, grpo.batch_size, grpo.learning_rate) == (steps, 8, 1, 5e-5)
    assert (grpo.schedule, grpo.warmup_steps, grpo.scale_rewards) == ("constant_with_warmup", 5, "none")
    assert (grpo.top_p, grpo.top_k, grpo.temperature, grpo.max_completion_tokens) == (0.95, 20, 1, 8192)
    assert (lora.r, lora.alpha, lora.dropout, lora.target_modules) == (16, 32, 0, "all-linear")
    policy = config.policy
    assert (policy.model, policy.dtype, policy.init_adapter) == ("Qwen/Qwen3.5-35B-A3B", "bfloat16", None)
    assert (policy.gradient_checkpointing, policy.enable_thinking) == (True, False)
    assert (config.warm_start, grpo.extra, grpo.beta) == (None, {}, 0)
    if judge:
        (pairwise,) = (term for term in config.reward.terms if isinstance(term, PairwiseSettings))
        assert (pairwise.model, pairwise.references) == ("Qwen/Qwen3-VL-30B-A3B-Instruct", 4)
    (scorer,) = (term for term in config.reward.terms if isinstance(term, Hpsv3Settings))
    assert scorer.mu_scale == 4
    assert re.fullmatch(str(lora.exclude_modules), "model.visual.blocks.0.attn.qkv")
    assert config.subject == ("a peach hibiscus",)


def test_the_small_config_keeps_a_4b_policy_and_hpsv3_on_one_gpu() -> None:
    config = load_config(find_config("small"))
    (scorer,) = (term for term in config.reward.terms if isinstance(term, Hpsv3Settings))
    assert (config.policy.model, scorer.offload) == ("Qwen/Qwen3.5-4B", "between_steps")
    assert config.policy.gradient_checkpointing
    swapped = load_config(find_config("small"), ["reward.terms.hpsv3={term: taste, weight: 0.90}"])
    assert [term.called for term in swapped.reward.weighted] == ["gate", "length", "taste"]


# Every setting


@pytest.mark.parametrize("path", [path for path in LEAVES if path != "reward.terms"])
def test_every_setting_is_described_and_reachable_from_the_command_line(path: str) -> None:
    assert field_at(path).description
    whole = load_config(find_config("judge-led"), ["warm_start={}", "eval={}"]).resolved()
    value: Any = whole
    for key in path.split("."):
        value = value[key]
    config = load_config_text(SMALLEST, [f"{path}={json.dumps(value)}"])
    got: Any = config.resolved()
    for key in path.split("."):
        got = got[key]
    assert got == value


@pytest.mark.parametrize("kind", TERMS, ids=lambda kind: kind.__name__)
def test_every_setting_of_every_term_is_described_and_reachable_by_its_name_and_its_place(kind: type[Section]) -> None:
    term = example_of(kind)
    whole = load_config_text(SMALLEST, [f"reward.terms=[{json.dumps(term)}]"]).resolved()["reward"]["terms"][0]
    assert whole["weight"] == 1
    for name, field in kind.model_fields.items():
        assert field.description or name in ("term", "kind"), name
        value = whole[field.alias or name]
        for address in (whole["term"], "0"):
            override = f"reward.terms.{address}.{field.alias or name}={json.dumps(value)}"
            config = load_config_text(SMALLEST, [f"reward.terms=[{json.dumps(term)}]", override])
            assert config.resolved()["reward"]["terms"][0] == whole


def test_a_term_is_addressed_by_its_own_name_where_it_has_one() -> None:
    two = "reward.terms=[{term: gate, weight: 1, name: lax}, {term: gate, weight: 0, strict_allowlist: true}]"
    config = load_config_text(SMALLEST, [two, "reward.terms.lax.weight=0.5", "reward.terms.gate.weight=0.25"])
    assert [(term.called, term.weight) for term in config.reward.weighted] == [("lax", 0.5), ("gate", 0.25)]


def test_defaults_fill_what_a_file_leaves_out() -> None:
    config = load_config_text(SMALLEST, label="runs of mine/my first try!.yaml")
    assert config.name == "my-first-try-"
    assert config.warm_start is None
    assert config.subject is None
    assert config.grpo.learning_rate == 1e-3
    assert [(term.called, term.weight) for term in config.reward.terms] == [("gate", 0.1), ("coverage", 0.9)]


def test_the_tree_is_frozen() -> None:
    config = load_config_text(SMALLEST)
    with pytest.raises(ValidationError, match="frozen"):
        config.grpo.steps = 3


def test_scalars_are_read_as_written() -> None:
    config = load_config_text(SMALLEST, ["medium=no", "seed=010", "subject=2024-01-01", "grpo.temperature=1"])
    assert (config.medium, config.seed, config.subject, config.grpo.temperature) == ("no", 10, ("2024-01-01",), 1.0)
    for text, value in (("1e-3", 1e-3), ("1E-3", 1e-3), (".001", 1e-3), ("1.e-3", 1e-3), ("5e-05", 5e-5)):
        assert load_config_text(SMALLEST, [f"grpo.learning_rate={text}"]).grpo.learning_rate == value


# Round trip


def strategy_for(annotation: Any, metadata: list[Any]) -> st.SearchStrategy[Any]:
    """Values that the field's own bounds allow."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if hasattr(annotation, "__metadata__"):
        return strategy_for(arguments[0], [*annotation.__metadata__, *metadata])
    if origin in (types.UnionType, Union):
        return st.one_of(*(strategy_for(argument, metadata) for argument in arguments))
    if origin is Literal:
        return st.sampled_from(arguments)
    if isinstance(annotation, type) and issubclass(annotation, Section):
        return section_strategy(annotation)
    if origin is tuple and isinstance(arguments[0], type) and issubclass(arguments[0], Section):
        return st.lists(section_strategy(arguments[0]), min_size=1, max_size=2)
    if origin is tuple:
        return st.lists(TEXT, min_size=1, max_size=3, unique=True)
    if origin is dict:
        return st.dictionaries(st.sampled_from(["epsilon", "num_iterations", "vllm_mode", "lr_scheduler_kwargs"]), JSON)
    bounds: dict[str, Any] = {}
    for item in (part for entry in metadata for part in (*getattr(entry, "metadata", []), entry)):
        bounds |= {name: getattr(item, name) for name in ("ge", "gt", "le", "lt") if hasattr(item, name)}
    low: Any = bounds.get("ge", bounds.get("gt"))
    high: Any = bounds.get("le", bounds.get("lt"))
    if annotation is int:
        return st.integers(low, high - ("lt" in bounds))
    if annotation is float:
        return st.floats(low, high, exclude_min="gt" in bounds, exclude_max="lt" in bounds)
    return {bool: st.booleans(), str: TEXT, type(None): st.none()}[annotation]


TEXT = st.text(min_size=1, max_size=30).filter(str.isprintable)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
CHECKED_TEXT = {
    "name": st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", fullmatch=True),
    "key_env": st.none() | st.from_regex(r"[A-Z][A-Z0-9_]{0,20}", fullmatch=True),
    "base_url": st.sampled_from(["http://localhost:8000/v1", "https://[::1]:1/v1"]),
}


def section_strategy(kind: type[Section]) -> st.SearchStrategy[dict[str, Any]]:
    """Plain data that makes a section of this kind, its own rules across fields aside."""
    fields = {field.alias or name: (name, field) for name, field in kind.model_fields.items()}
    return st.fixed_dictionaries(
        {
            key: CHECKED_TEXT[name] if name in CHECKED_TEXT else strategy_for(field.annotation, field.metadata)
            for key, (name, field) in fields.items()
        }
    )


def in_order(term: dict[str, Any]) -> dict[str, Any]:
    """A length term's limits put in order."""
    if term["term"] == "length":
        keys = ("floor_tokens", "full_tokens", "ceiling_tokens")
        low, middle, high = sorted(min(term[key], 999_990) for key in keys)
        term |= {"floor_tokens": low, "full_tokens": middle + 1, "ceiling_tokens": high + 2}
    return term


def term_lists() -> st.SearchStrategy[list[dict[str, Any]]]:
    terms = st.one_of(*(section_strategy(kind) for kind in TERMS)).map(in_order)
    return st.lists(terms, min_size=1, max_size=4, unique_by=lambda term: term["name"])


def trees() -> st.SearchStrategy[dict[str, Any]]:
    def nested(pairs: dict[str, Any]) -> dict[str, Any]:
        tree: dict[str, Any] = {}
        for path, value in pairs.items():
            *sections, name = path.split(".")
            section = tree
            for key in sections:
                section = section.setdefault(key, {})
            section[name] = value
        return tree

    fields = {path: field_at(path) for path in LEAVES if path != "reward.terms"}
    leaves = {path: strategy_for(field.annotation, field.metadata) for path, field in fields.items()}
    leaves |= {"name": CHECKED_TEXT["name"], "reward.terms": term_lists()}
    return st.fixed_dictionaries(leaves).map(nested)


@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(trees())
def test_loading_what_was_resolved_gives_the_same_config(tree: dict[str, Any]) -> None:
    tree["grpo"]["batch_size"] = tree["grpo"]["generations"]
    tree["reward"]["terms"][0]["weight"] = 1.0
    tree["warm_start"]["sketches"] = 1
    tree["render"]["paint"] = True
    config = RunConfig.model_validate(tree)
    text = json.dumps(config.resolved(), ensure_ascii=False)
    assert load_config_text(text) == config
    assert (
        load_config_text(
            SMALLEST, [f"{key}={json.dumps(part, ensure_ascii=False)}" for key, part in config.resolved().items()]
        )
        == config
    )


# Finding files


def test_a_name_is_looked_up_here_then_in_configs_then_among_the_shipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_config("judge-led") == find_config("judge-led.yaml") == configs_dir() / "judge-led.yaml"
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "judge-led.yaml").write_text(SMALLEST)
    assert find_config("judge-led") == Path("configs/judge-led.yaml")
    (tmp_path / "judge-led.yaml").write_text(SMALLEST)
    assert find_config("judge-led.yaml") == find_config("judge-led") == Path("judge-led.yaml")
    assert find_config(str(tmp_path / "configs/judge-led.yaml")) == tmp_path / "configs/judge-led.yaml"


@pytest.mark.parametrize("name", ["juge-led", "juge-led.yaml", "some/where/juge-led.yaml"])
def test_an_unknown_config_name_suggests_a_shipped_one(name: str) -> None:
    with pytest.raises(ConfigError, match=r"no configuration .*, did you mean 'judge-led'\? \(shipped: .*tiny.*\)"):
        find_config(name)


@pytest.mark.parametrize("name", ["\0", "x" * 5000, "", "."])
def test_an_impossible_config_name_is_one_line(name: str) -> None:
    with pytest.raises(ConfigError):
        find_config(name)


def test_a_pool_is_a_folder_with_a_pool_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("mine", "pool/mine"):
        (tmp_path / folder).mkdir(parents=True)
    with pytest.raises(ConfigError, match=r"mine: is not a reference pool: there is no pool\.jsonl in it"):
        find_pool("mine")
    (tmp_path / "pool/mine/pool.jsonl").touch()
    assert find_pool("mine") == Path("pool/mine")
    (tmp_path / "mine/pool.jsonl").touch()
    assert find_pool("mine") == Path("mine")
    assert find_pool(tmp_path / "mine") == tmp_path / "mine"
    with pytest.raises(ConfigError, match="no reference pool 'nowhere'"):
        find_pool("nowhere")
