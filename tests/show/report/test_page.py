"""The page and its numbers for real runs: whole, going on, torn, tiny, and hostile."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import pytest

from tests.made_run import make_run
from tests.show.report.made import duel, evidence, rollout
from watercolour.files import plain
from watercolour.runs import RunDir, TermRecord
from watercolour.show.report.build import make_report, read_all
from watercolour.show.report.evidence import read_run
from watercolour.show.report.plot import Chart, Line, Pin, draw, scale_of
from watercolour.show.report.sections import analyse

HOSTILE = "</style><script>document.title='x'</script><img src=x onerror=alert(1)>\"'&"


def test_a_run_without_metrics_shows_what_its_rollouts_say(tmp_path: Path) -> None:
    make_run(tmp_path / "first", steps=6)
    report = make_report(read_all([str(tmp_path / "first")]))
    [run] = json.loads(json.dumps(plain(report.record()), allow_nan=False))["runs"]
    assert (run["name"], run["steps"], run["rollouts"], run["unscored"]) == ("first", [1, 2, 3, 4, 5, 6], 24, 1)
    assert run["sections"]["gate"]["totals"]["syntax_error"] == 5
    assert (run["sections"]["gate"]["judged"], run["sections"]["gate"]["passed"]) == (23, 18)
    rise = run["sections"]["failing"]["rise"]
    parts = rise["failing_less"] + rise["painting_better"] + rise["failing_better"]
    assert parts == pytest.approx(rise["total"], abs=1e-12)
    assert run["sections"]["shapes"]["painted"] == 7
    assert {"seconds", "eval", "draws"} <= run["left_out"].keys()
    page = report.page()
    assert page.count("data:image/jpeg;base64,") >= 12  # pinned, on each of three sheets
    assert "Left out for first: no step was timed." in page
    assert page == make_report(read_all([str(tmp_path / "first")])).page()


def test_the_median_is_of_scored_rollouts_and_metrics_add_what_they_have(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", steps=2)
    run.write_rollouts(3, [rollout(3, n, reward) for n, reward in enumerate([0.1, None, 0.4, 0.9])])
    for step, entropy in ((1, 0.5), (3, 0.25)):
        run.write_step(step, {"seconds": {"render": 2.0}, "kl_to_start": 0.1, "trainer": {"entropy": entropy}})
    again = {"diversity": {"source_distance": 0.5, "picture_distance": 0.125}, "kl_to_start": 0.1}
    run.write_step(3, {**again, "trainer": {"entropy": 0.25}})
    run.write_step(4, {"reward": 0.5, "reward_best": 0.75, "terms": {"gate": 1.0}})
    with run.metrics_path.open("ab") as file:
        file.write(b'{"step": 5, "rew')
    found = read_run(RunDir.open(tmp_path / "run"))
    assert [step.step for step in found.steps] == [1, 2, 3, 4]
    third, fourth = found.steps[2], found.steps[3]
    assert (third.reward, third.median, third.best) == (pytest.approx(1.4 / 3), 0.4, 0.9)
    assert (third.series["unscored_share"], third.series["zero_spread_share"]) == (0.25, 0.0)
    assert (fourth.reward, fourth.median, fourth.best, fourth.terms) == (0.5, None, 0.75, {"gate": 1.0})
    assert found.column("entropy") == [0.5, None, 0.25, None]
    assert found.column("kl_to_start") == [0.1, None, 0.1, None]
    assert found.column("diversity") == [None, None, 0.125, None]
    assert "kl_to_start" in make_report([found]).record()["runs"][0]["sections"]["learning"]["series"]


def test_the_fixed_panel_is_shown_whatever_it_measured(tmp_path: Path) -> None:
    make_run(tmp_path / "run", steps=1)
    (tmp_path / "run/eval.jsonl").write_text(
        '{"step": 0, "reward": 0.25, "valid": null, "note": "x", "terms": {"gate": 1}}\n'
        '{"step": 10, "reward": 0.5, "valid": 0.75}\n{"st'
    )
    report = make_report(read_all([str(tmp_path / "run")]))
    assert report.told[0].sections["eval"].facts == {
        "steps": [0.0, 10.0],
        "series": {"reward": [0.25, 0.5], "term gate": [1.0, None], "valid": [None, 0.75]},
    }
    assert "Fixed panel: reward" in report.page()


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_a_run_that_has_only_begun_has_a_page(tmp_path: Path, steps: int) -> None:
    make_run(tmp_path / "run", steps=steps)
    report = make_report(read_all([str(tmp_path / "run")]))
    assert "<h1>run</h1>" in report.page()
    if not steps:
        assert set(report.record()["runs"][0]["left_out"].values()) == {"no step is finished yet"}


def test_a_run_of_unscored_rollouts_has_a_page(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", steps=1)
    run.write_rollouts(1, [rollout(1, n, None, outcome="infra") for n in range(4)])
    report = make_report(read_all([str(tmp_path / "run")]))
    assert report.told[0].sections["reward"].left_out == "no rollout was scored"
    assert "4 unscored" in report.page()


def test_a_picture_that_is_gone_or_broken_is_passed_over(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", steps=3)
    pictures = sorted(run.images.glob("*/*.png"))
    pictures[0].unlink()
    pictures[1].write_bytes(b"no picture")
    assert "<svg" in make_report(read_all([str(run.path)])).page()


def test_runs_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        make_run(tmp_path / folder / "run", steps=4)
    report = make_report(read_all([str(tmp_path / "a/run"), str(tmp_path / "b/run")]))
    assert [run.name for run in report.told] == ["run", "run (2)"]
    assert "Mean reward by step, all runs" in report.page()


def hostile_run(path: Path) -> RunDir:
    """A run whose every text is an attack."""
    run = make_run(path, steps=4)
    for step in range(1, 5):
        group = [
            rollout(
                step,
                place,
                0.1 + 0.2 * place,
                subject=HOSTILE,
                completion=HOSTILE,
                source=HOSTILE,
                errors=(HOSTILE,),
                measures={"brush_fills": place + 1},
                coverage=0.1 * place,
                terms={
                    "gate": TermRecord(0.0, 0.1, HOSTILE, {"violations": [{"code": HOSTILE, "message": HOSTILE}]}),
                    HOSTILE: TermRecord(
                        0.1 * place, 0.9, HOSTILE, {"references": [{**duel(HOSTILE, 1.0), "tier": HOSTILE}]}
                    ),
                },
            )
            for place in range(4)
        ]
        run.write_rollouts(step, group)
        run.write_step(step, {"seconds": {HOSTILE: 1.0}, "terms": {HOSTILE: 0.5}})
    (path / "eval.jsonl").write_text(json.dumps({"step": 1, HOSTILE: 0.5}) + "\n")
    return run


def test_what_a_model_or_a_judge_wrote_is_never_markup(tmp_path: Path) -> None:
    page = make_report(read_all([str(hostile_run(tmp_path / "run").path)])).page()
    assert "<script" not in page
    assert "<img" not in page
    assert page.count("</style>") == 1
    assert "&lt;script&gt;" in page


def test_the_policy_names_the_style_sheet_and_allows_nothing_else(tmp_path: Path) -> None:
    make_run(tmp_path / "run", steps=3)
    page = make_report(read_all([str(tmp_path / "run")])).page()
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy.startswith("default-src &#39;none&#39;; style-src &#39;sha256-")
    assert " style=" not in page
    assert not re.findall(r'(?:src|href)="(?!#|data:image/jpeg;base64,)', page)
    assert len(set(re.findall(r' id="([^"]+)"', page))) == len(re.findall(r' id="', page))


def test_figures_have_names_and_tables_have_headings(tmp_path: Path) -> None:
    make_run(tmp_path / "run", steps=6)
    page = make_report(read_all([str(tmp_path / "run")])).page()
    assert page.count('<svg viewBox="') == page.count('role="img" aria-labelledby="') - page.count("<image ")
    assert page.count("<table") == page.count("<caption>") > 3
    figures = re.findall(r"<figcaption><strong>[^<]+\.</strong> Look [^<]+</figcaption>", page)
    assert len(figures) == page.count("<figure") > 8


def test_of_many_sources_some_from_all_over_the_run_are_read() -> None:
    many = [
        rollout(
            step, place, 0.5, coverage=0.2, measures={"brush_fills": step}, source=f"brush.circle({step}, {place}, 9)"
        )
        for step in range(1, 121)
        for place in range(8)
    ]
    found = analyse(evidence(many))["shapes"].facts
    assert found is not None
    assert (found["rollouts"], found["written"]) == (320, 1.0)
    assert [third["painted"] for third in found["thirds"]] == pytest.approx([20.5, 60.5, 100.5], abs=0.5)


def test_marks_are_round_numbers() -> None:
    assert scale_of(0.0, 1.0) == [0, 0.5, 1.0]
    assert scale_of(0.0, 0.9) == [0, 0.5, 1.0]
    assert scale_of(1, 110) == [0, 50, 100, 150]
    assert scale_of(2, 2) == [1.5, 2.0, 2.5]


def test_a_chart_of_nothing_a_point_and_a_gap() -> None:
    chart = Chart("title", "Look.", [Line("a", [(1, None)])])
    assert "no values" in draw(chart, 360, "x")
    one = dataclasses.replace(chart, lines=[Line("a", [(1, 0.5)])])
    assert draw(one, 360, "x").count("<circle") == 1
    gap = dataclasses.replace(chart, lines=[Line("a", [(1, 0.5), (2, 0.5), (3, None), (4, 0.5), (5, 0.5)])])
    assert draw(gap, 360, "x").count("M") == 2


def test_pins_are_thinned_and_named() -> None:
    pins = [Pin(float(step), 0.5, "data:,", f"step {step}") for step in range(9)]
    chart = Chart("title", "Look.", [Line("a", [(float(step), 0.5) for step in range(9)])], pins=pins)
    drawn = draw(chart, 360, "x", most_pins=3)
    assert [f"step {step}</text>" in drawn for step in (0, 4, 8)] == [True] * 3
    assert drawn.count("<image") == 3
