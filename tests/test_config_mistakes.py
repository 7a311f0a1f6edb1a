"""The configuration's mistakes: each is one line with its key, its fix and where it was written."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.test_config import JUDGE, SMALLEST
from watercolour.config import load_config, load_config_text
from watercolour.errors import ConfigError


def complaint(text: str, *overrides: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load_config_text(text, overrides, "tiny.yaml")
    assert caught.value.exit_code == 2
    return str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            ("weight: 0.9", "weight: 1, wieght: 2"),
            "reward.terms.1.wieght: unknown key, did you mean 'weight'? (tiny.yaml:7)",
        ),
        (
            ("term: coverage", "term: covrage"),
            "reward.terms.1.term: must be gate, length, coverage, subject, fills, judge, hpsv3 or taste, got",
        ),
        (
            ("term: gate, ", ""),
            "reward.terms.0.term: is missing; choose gate, length, coverage, subject, fills, judge, hpsv3 or taste (ti",
        ),
        (("coverage", "judge"), "reward.terms.1.kind: is missing; choose pairwise or absolute (tiny.yaml:7)"),
        (("coverage", "judge, kind: x"), "reward.terms.1.kind: must be pairwise or absolute, got 'x' (tiny.yaml:7)"),
        (
            ("coverage", "gate"),
            "reward: has two terms called 'gate': give each a name of its own, as in name: gate-2 (tiny",
        ),
        (("{term: gate, weight: 0.1}", "gate"), "reward.terms.0: must be a section of keys, got 'gate' (tiny.yaml:7)"),
        (
            ("  terms: [", "  mix: {gate: 1}\n  terms: ["),
            "reward.mix: unknown key; the keys here are terms, max_unscored_sh",
        ),
        (("steps: 12", "steps: ten"), "grpo.steps: must be a whole number, got 'ten' (tiny.yaml:4)"),
        (("steps: 12", "steps: 1.5"), "grpo.steps: must be a whole number, got 1.5 (tiny.yaml:4)"),
        (("steps: 12", "steps: true"), "grpo.steps: must be a whole number, got true (tiny.yaml:4)"),
        (("steps: 12", "steps: 0"), "grpo.steps: must be at least 1, got 0 (tiny.yaml:4)"),
        (("steps: 12", "steps:"), "grpo.steps: must be a whole number, got null (tiny.yaml:4)"),
        (("  steps: 12\n", ""), "grpo.steps: is missing (tiny.yaml:3)"),
        (("1e-3", ".nan"), "grpo.learning_rate: must be a finite number, got '.nan' (tiny.yaml:5)"),
        (("1e-3", "-.inf"), "grpo.learning_rate: must be a finite number, got '-.inf' (tiny.yaml:5)"),
        (("1e-3", "1e999"), "grpo.learning_rate: must be a finite number, got '1e999' (tiny.yaml:5)"),
        (("1e-3", "0"), "grpo.learning_rate: must be more than 0, got 0 (tiny.yaml:5)"),
        (("0.1", "-0.1"), "reward.terms.0.weight: must be at least 0, got -0.1 (tiny.yaml:7)"),
        (("smollm2-135m", "[a]"), "policy.model: must be text, got a list (tiny.yaml:2)"),
        (
            ("[{term: gate, weight: 0.1}, {term: coverage, weight: 0.9}]", "5"),
            "reward.terms: must be a list, got 5 (tiny",
        ),
        (("reward:\n", "render:\nreward:\n"), "render: must be a section of keys, got null (tiny.yaml:6)"),
        (("  learning_rate", "  steps"), "grpo.steps: is given twice (tiny.yaml:5)"),
        (("  learning_rate", "\tlearning_rate"), "not valid YAML: a tab where only spaces may stand (tiny.yaml:5)"),
        (("0.9}]", "0.9}"), "not valid YAML: expected ',' or ']', but got '<stream end>' (tiny.yaml:8)"),
        (("  learning_rate", "  <<"), "grpo: merge keys (<<) are not supported: write the keys out (tiny.yaml:5)"),
        (("policy:", "grpo.steps: 3\npolicy:"), "grpo.steps: unknown key; dots are for the command line"),
        (("policy:", "model: x\npolicy:"), "model: unknown key, did you mean policy.model?"),
        (("policy:", "zzz: 1\npolicy:"), "zzz: unknown key; the keys here are name, seed, medium"),
        (("policy:", "1: 1\npolicy:"), "a key must be text, got 1 (tiny.yaml:1)"),
        (("policy:", "? [a]\n: 1\npolicy:"), "a key must be text, got a list or mapping (tiny.yaml:1)"),
        (
            ("smollm2-135m", "!!python/name:os.system x"),
            "policy.model: the tag !!python/name:os.system is not supported",
        ),
        (("12", "!!int ten"), "grpo.steps: 'ten' does not fit the tag !!int (tiny.yaml:4)"),
        (("12", "9" * 5000), "grpo.steps: a number of 5000 digits is too long (tiny.yaml:4)"),
        (("smollm2-135m", '"a\\0b"'), "policy.model: must be one line of printable text, got 'a\\x00b' (tiny.yaml:2)"),
        (("smollm2-135m", '"\\UFFFFFFFF"'), "not valid YAML: an escape or directive out of range"),
        (("smollm2-135m", "a\x07b"), "not valid YAML: a character that may not stand in a text file (tiny.yaml:2)"),
        (("smollm2-135m", "*x"), "not valid YAML: found undefined alias 'x' (tiny.yaml:2)"),
        (("smollm2-135m", "&x [*x]"), "nested deeper than 30 levels, or an alias that holds itself (tiny.yaml:2)"),
        (("smollm2-135m", "[" * 500), "nested deeper than 30 levels (tiny.yaml:1)"),
        (("grpo:", "---\ngrpo:"), "not valid YAML: but found another document (tiny.yaml:3)"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_mistake_is_one_line_with_its_key_its_fix_and_its_place(change: tuple[str, str], message: str) -> None:
    text = SMALLEST.replace(*change)
    assert text != SMALLEST
    said = complaint(text)
    assert said.splitlines()[0].startswith(message)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("grpo.stepz=3", "grpo.stepz: unknown key, did you mean 'steps'? (command line: grpo.stepz=3)"),
        ("grpo.steps=ten", "grpo.steps: must be a whole number, got 'ten' (command line: grpo.steps=ten)"),
        ("grpo.steps", "'grpo.steps': an override is written key.sub=value"),
        ("grpo..steps=1", "'grpo..steps=1': an override is written key.sub=value"),
        ("=1", "'=1': an override is written key.sub=value"),
        ("grpo.steps.x=1", "grpo.steps: is 12, not a section (command line: grpo.steps.x=1)"),
        ("subject=[a", "not valid YAML: expected ',' or ']', but got '<stream end>' (command line: subject=[a)"),
        ("subject=a: b", "subject: quote the text, or write a list as [a, b]"),
        ("subject=[a, 3]", "subject: must be text, or a list of texts, got a list (command line: subject=[a, 3])"),
        ("subject=[]", "subject: must be text, or a list of texts, got a list"),
        ("subject=[a, a]", "subject: must not name the same thing twice"),
        (
            "reward.terms=[{term: gate, weight: 0}]",
            "reward: needs at least one term with a weight above 0 (command line:",
        ),
        ("reward.terms=[]", "reward: needs at least one term with a weight above 0 (command line: reward.terms=[])"),
        (
            "reward.terms.judge.weight=1",
            "reward.terms.judge: there is none; there are gate, coverage (command line: rewa",
        ),
        (
            "reward.terms.2.weight=1",
            "reward.terms.2: there is none; there are gate, coverage (command line: reward.terms",
        ),
        ("reward.terms.gate=5", "reward.terms.0: must be a section of keys, got 5 (command line: reward.terms.gate=5)"),
        (
            "reward.terms.gate.wieght=1",
            "reward.terms.0.wieght: unknown key, did you mean 'weight'? (command line: rewar",
        ),
        ("reward.terms.gate.name=coverage", "reward: has two terms called 'coverage': give each a name of its own"),
        (f"reward.terms=[{JUDGE}}}, {JUDGE}}}]", "reward: has two terms called 'judge': give each a name of its own"),
        (
            "reward.terms.0={term: judge, kind: absolute, weight: 1, questions: []}",
            "reward.terms.0.questions: needs at least 1",
        ),
        ("grpo.top_p=0", "grpo.top_p: must be more than 0, got 0"),
        ("grpo.top_p=1.01", "grpo.top_p: must be at most 1, got 1.01"),
        ("grpo.temperature=0", "grpo.temperature: must be more than 0, got 0"),
        ("grpo.generations=1", "grpo.generations: must be at least 2, got 1"),
        ("grpo.batch_size=3", "grpo: batch_size (3) must divide generations (8) (command line: grpo.batch_size=3)"),
        ("grpo.scale_rewards=None", "grpo.scale_rewards: must be 'none', 'group' or 'batch', got 'None'"),
        ("grpo=null", "grpo: must be a section of keys, got null"),
        (
            "reward.terms.gate={term: length, weight: 1, floor_tokens: 3000}",
            "reward.terms.0: needs floor_tokens < full_tokens <= ceiling_tokens",
        ),
        ("warm_start={sketches: 0, pool_repeats: 0}", "warm_start: has nothing to learn from"),
        ("name=../x", "name: must be a name of letters, digits"),
        (
            f"reward.terms.gate={JUDGE}, base_url: 'ftp://x'}}",
            "reward.terms.0.base_url: must be an address such as http",
        ),
        (f"reward.terms.gate={JUDGE}, base_url: 'http://x:99999/v1'}}", "reward.terms.0.base_url: must be an address"),
        (f"reward.terms.gate={JUDGE}, love_share: {{from: 0, too: 1}}}}", "reward.terms.0.love_share.to: is missing"),
        (f"reward.terms.gate={JUDGE}, love_share: half}}", "reward.terms.0.love_share: must be a number, got 'half'"),
    ],
)
def test_a_mistaken_override_names_the_command_line(override: str, message: str) -> None:
    said = complaint(SMALLEST, override)
    assert said.startswith(message)
    assert "\n" not in said or "love_share" in override


@pytest.mark.parametrize(
    "override",
    [
        "key_env=hf_abcdefgh",
        "base_url=https://me:hf_abcdefgh@host/v1",
        "base_url=https://host/v1?key=hf_abcdefgh",
    ],
)
def test_a_judges_secret_is_refused_and_not_repeated(override: str) -> None:
    terms = f"reward.terms=[{JUDGE}}}]"
    said = complaint(SMALLEST, terms, f"reward.terms.judge.{override}")
    assert said.startswith(f"reward.terms.0.{override.partition('=')[0]}: must ")
    assert "hf_abcdefgh" not in said
    text = SMALLEST.replace("{term: gate, weight: 0.1}", f"{JUDGE}, {override.replace('=', ': ', 1)}}}")
    said = complaint(text)
    assert "(tiny.yaml:7)" in said
    assert "hf_abcdefgh" not in said


@pytest.mark.parametrize("override", ["grpo.extra={hub_token: hf_abcdefgh}"])
def test_a_secret_is_refused_and_not_repeated(override: str) -> None:
    assert "hf_abcdefgh" not in complaint(SMALLEST, override)
    key, _, value = override.partition("=")
    *sections, name = key.split(".")
    text = "".join(f"{'  ' * depth}{section}:\n" for depth, section in enumerate(sections))
    text += f"{'  ' * len(sections)}{name}: {value}\n"
    said = complaint(text)
    assert f"{key}: must " in said
    assert "hf_abcdefgh" not in said


def test_later_overrides_win_and_sections_are_made() -> None:
    config = load_config_text(SMALLEST, ["grpo.steps=3", "warm_start.steps=7", "grpo.steps=4", "render={workers: 2}"])
    assert config.grpo.steps == 4
    assert config.warm_start is not None
    assert config.warm_start.steps == 7
    assert config.render.workers == 2


def test_several_mistakes_come_in_the_order_of_writing_and_at_most_ten() -> None:
    text = SMALLEST.replace("steps: 12", "steps: ten").replace("weight: 0.1", "weight: 1, wigth: 0.1")
    assert complaint(text, "seed=x").splitlines() == [
        "grpo.steps: must be a whole number, got 'ten' (tiny.yaml:4)",
        "reward.terms.0.wigth: unknown key, did you mean 'weight'? (tiny.yaml:7)",
        "seed: must be a whole number, got 'x' (command line: seed=x)",
    ]
    many = complaint(SMALLEST + "".join(f"zz{number}: 1\n" for number in range(30))).splitlines()
    assert len(many) == 11
    assert many[-1] == "... and 20 more"


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing here\n", "---\n", "null"])
def test_an_empty_file_says_so(text: str) -> None:
    assert complaint(text) == "tiny.yaml: is empty"


@pytest.mark.parametrize("text", ["- a\n- b\n", "just words", "5"])
def test_a_top_level_that_is_no_mapping_says_so(text: str) -> None:
    assert complaint(text).startswith("the top level must be a mapping of keys, got ")


def test_an_alias_bomb_is_refused_and_plain_aliases_work() -> None:
    bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True):
        bomb += f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]\n"
    assert "holds more than 10000 values once its aliases are expanded (tiny.yaml:1)" in complaint(bomb)
    config = load_config_text(SMALLEST.replace("12", "&n 12").replace("1e-3", "1e-3\n  warmup_steps: *n"))
    assert config.grpo.warmup_steps == 12


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a: 1\nb: \xff\n", r"not UTF-8 text: save the file as UTF-8 \(.*bad\.yaml:2\)"),
        (SMALLEST.encode("utf-16"), r"not UTF-8 text"),
        (b"\x89PNG\r\n\x1a\n\0\0", r"not UTF-8 text"),
        (b"\0\0\0", r"not valid YAML: a character that may not stand in a text file"),
        (b"#" * 3_000_000, r"longer than 200000 characters"),
    ],
    ids=["latin-1", "utf-16", "png", "nul", "huge"],
)
def test_a_file_that_is_no_yaml_text(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "bad.yaml"
    path.write_bytes(data)
    with pytest.raises(ConfigError, match=message):
        load_config(path)


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "windows.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + SMALLEST.replace("\n", "\r\n").encode())
    assert load_config(path).grpo.steps == 12


@pytest.mark.parametrize("name", ["", "missing.yaml", "\0", "x" * 5000])
def test_a_file_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="cannot be read: "):
        load_config(tmp_path / name)


@settings(deadline=None, max_examples=200)
@given(st.text(alphabet=st.sampled_from("ab:-[]{},&*!<>|\"'\\ \n\t#%@0.eE?~Ux"), max_size=40), st.text(max_size=20))
@example("%YAML " + "1" * 5000 + ".1\n---\na: 1", "")
@example("a: !<\\", "")
def test_no_text_and_no_override_gets_a_traceback(text: str, override: str) -> None:
    for attempt in ((text, []), (SMALLEST, [text]), (SMALLEST, ["seed=" + override]), (SMALLEST, [override + "=1"])):
        said = "fine"
        try:
            load_config_text(*attempt)
        except ConfigError as error:
            said = str(error)
        assert all(line.isprintable() for line in said.split("\n"))
