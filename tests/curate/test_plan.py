"""What a plan says, where its mistakes are, and which paintings it asks for."""

from __future__ import annotations

from pathlib import Path

import pytest

from watercolour.curate.photographs import Photograph
from watercolour.curate.plan import Plan, jobs_of, load_plan
from watercolour.errors import ConfigError
from watercolour.medium import load_medium

PLAN = """\
models:
  - {model: some/painter, base_url: "http://localhost:1/v1", key_env: null}
  - {model: other/painter, sees: false}
subjects: [a peach hibiscus, a white hibiscus]
temperatures: [0.5, 1.0]
samples: 2
"""


def plan(text: str, flags: dict[str, object] | None = None) -> Plan:
    Path("plan.yaml").write_text(text)
    return load_plan(Path("plan.yaml"), flags or {})


def photo(number: int) -> Photograph:
    return Photograph(
        f"p{number}", f"photos/p{number}.jpg", "", "", "", "CC0-1.0", "", "", "", "", "1", (9, 9), f"{number:064x}"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (PLAN + "round: 2\n", "round: unknown key, did you mean 'rounds'? (plan.yaml:7)"),
        (PLAN.replace("samples: 2", "samples: 0"), "samples: must be at least 1, got 0 (plan.yaml:6)"),
        (PLAN.replace("[0.5, 1.0]", "[0.5, 3]"), "must be at most 2, got 3 (plan.yaml:5)"),
        (PLAN.replace("other/", "some/"), "models: must not name the same model twice"),
        (PLAN + "max_usd: 1.5\n", "max_usd: needs the price of some/painter"),
        ("rounds: 1\n", "models: is missing (plan.yaml)"),
        (PLAN.replace("key_env: null", "key_env: sk-123"), "must be the name of an environment variable"),
    ],
)
def test_a_mistake_is_told_with_its_line(text: str, told: str) -> None:
    with pytest.raises(ConfigError) as error:
        plan(text)
    assert told in str(error.value)
    assert "sk-123" not in str(error.value)


def test_flags_win_over_the_file_and_need_none() -> None:
    given = plan(PLAN, {"rounds": 0, "critic.model": "a/critic", "temperatures": [0.1]})
    assert (given.rounds, given.critic.model, given.temperatures) == (0, "a/critic", (0.1,))
    alone = load_plan(None, {"models": [{"model": "a/b"}]})
    assert (alone.rounds, alone.temperatures, alone.subjects, alone.medium) == (3, (0.8,), None, "hibiscus")
    with pytest.raises(ConfigError, match=r"samples: must be at most 10000.*command line: samples=20000"):
        load_plan(None, {"models": [{"model": "a/b"}], "samples": 20_000})


def test_jobs_are_named_blindly_and_alike_each_time() -> None:
    medium = load_medium("hibiscus")
    photos = [photo(number) for number in range(5)]
    jobs = jobs_of(plan(PLAN), medium, photos)
    assert len({job.id for job in jobs}) == len(jobs) == 2 * 2 * 2 * 2
    assert [job.id for job in jobs] == [job.id for job in jobs_of(plan(PLAN), medium, photos[::-1])]
    assert [job.model.model for job in jobs[:2]] == ["some/painter", "other/painter"]
    assert {job.photo for job in jobs if not job.model.sees} == {None}
    dealt = [job.photo.id for job in jobs if job.photo and job.subject == "a peach hibiscus"]
    assert len(set(dealt)) == 4  # five photographs, four paintings: none twice
    more = jobs_of(plan(PLAN.replace("samples: 2", "samples: 3")), medium, photos)
    assert {job.id for job in jobs} < {job.id for job in more}
