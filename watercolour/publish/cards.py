"""Cards: the README.md of what is published, written from its own numbers, with its licences and its limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from watercolour.publish.numbers import RunNumbers
from watercolour.references import Reference, Tier
from watercolour.statistics import BAD_REWARD

TAGS = ["watercolour", "p5.brush", "generative-art", "grpo"]

_BASES = {"smollm2-135m": ("SmolLM2-135M-Instruct", "HuggingFaceTB/SmolLM2-135M-Instruct", "Apache-2.0")}
"""Of a base model that has a name of ours: its own name, its repository, its licence."""


@dataclass(frozen=True)
class CardFacts:
    """What the cards of a run say besides its numbers, cleaned. `licence` is a licence's identifier on the hub."""

    name: str
    repo: str
    licence: str
    facts: Mapping[str, Any]
    config: Mapping[str, Any]
    references: Sequence[Reference]
    adapter: str
    """What lies in the model's repository: `adapter`, `merged`, or nothing where the run has no checkpoint."""
    tensors: int = 0
    is_warm_started: bool = False


def dataset_card(run: CardFacts, numbers: RunNumbers) -> str:
    """The README.md of a run's rollouts."""
    from huggingface_hub import DatasetCardData

    data = DatasetCardData(
        license=run.licence,
        pretty_name=f"{run.name}: rollouts",
        tags=TAGS,
        size_categories=[_size(numbers.rollouts)],
        configs=[{"config_name": "default", "data_files": "data/rollouts.parquet"}],
    )
    lost = numbers.painted - numbers.pictures
    pictures = f"{numbers.pictures} have a picture" + (f"; {lost} more had one whose file is gone" if lost else "")
    return _page(
        data.to_yaml(),
        f"# {run.name}: every rollout of a run",
        f"{numbers.rollouts} sketches that a language model wrote to paint {_listed(numbers.subjects)}, over"
        f" {len(numbers.steps)} steps of GRPO, with what each one painted and what every term of the reward said of it."
        f" Made with `watercolour`; {pictures}, {numbers.scored} are scored.",
        f"![The median painting of some steps](paintings.png)\n\n*The median painting by reward of"
        f" {_some_steps(numbers)}.*",
        "## Load it",
        f'```python\nfrom datasets import load_dataset\n\nrollouts = load_dataset("{run.repo}", split="train")\n```',
        "## The run in numbers",
        _numbers(run, numbers),
        "## Columns",
        _columns(numbers),
        "`metrics.jsonl` has a line a step with the trainer's own numbers, `curves.csv` the same as a plain table,"
        " `config.yaml` the configuration as it was given, `config.resolved.json` every setting, `run.json` versions"
        " and seeds.",
        "## Limits",
        _limits(run, numbers),
        "## Licences",
        _licences(run),
    )


def model_card(run: CardFacts, numbers: RunNumbers) -> str:
    """The README.md of a run's adapter, or of its merged model."""
    from huggingface_hub import ModelCardData

    base_name, base_repo, base_licence = _base(run)
    data = ModelCardData(
        license=base_licence.lower() if base_licence == "Apache-2.0" else "other",
        license_name=None if base_licence == "Apache-2.0" else "of-the-base-model",
        base_model=base_repo if "/" in base_repo else None,
        library_name="transformers" if run.adapter == "merged" else "peft",
        pipeline_tag="text-generation",
        datasets=[run.repo] if "/" in run.repo else None,
        tags=TAGS,
    )
    kind = run.facts.get("policy_class") or "the class of its base"
    if run.adapter == "merged":
        what = f"The whole model: {base_name} with the trained adapter added to its weights."
        how = f'```sh\nwatercolour paint "{numbers.subjects[0]}" --from FOLDER_OF_THIS_REPOSITORY -n 8\n```'
    else:
        what = f"A LoRA adapter of {run.tensors} tensors on {base_name}, trained as {kind}."
        how = (
            f'```sh\nwatercolour paint "{numbers.subjects[0]}" --from FOLDER_OF_THIS_REPOSITORY -n 8\n```\n\nLoaded'
            " through another class than that one it may bind nothing, and PEFT only warns; the command above refuses."
        )
    if run.is_warm_started and run.adapter != "merged":
        what += (
            " **Its base is not the published model but a warm-started one**, trained on sketches before GRPO, which"
            " is not contained here: the configuration in the data set's repository makes it again. Without it the"
            " adapter is of no use."
        )
    return _page(
        data.to_yaml(),
        f"# {run.name}: a model that writes p5.brush sketches",
        f"{what} Its {numbers.rollouts} rollouts lie in the data set of the same name.",
        "## Use it",
        how,
        "## The run in numbers",
        _numbers(run, numbers),
        "## Limits",
        _limits(run, numbers),
        "## Licences",
        _licences(run),
    )


def pool_card(repo: str, name: str, licence: str, references: Sequence[Reference], medium: str) -> str:
    """The README.md of a pool of rated paintings."""
    from huggingface_hub import DatasetCardData

    data = DatasetCardData(
        license=licence,
        pretty_name=f"{name}: rated paintings",
        tags=TAGS[:3],
        size_categories=[_size(len(references))],
        configs=[{"config_name": "default", "data_files": "data/paintings.parquet"}],
    )
    tiers = [tier for tier in Tier if any(reference.tier is tier for reference in references)]
    subjects = sorted({reference.subject for reference in references})
    counts = Counter((reference.subject, reference.tier) for reference in references)
    rows = [[subject, *(str(counts[subject, tier]) for tier in tiers)] for subject in subjects]
    totals = [str(sum(counts[subject, tier] for subject in subjects)) for tier in tiers]
    return _page(
        data.to_yaml(),
        f"# {name}: rated paintings and the programs that painted them",
        f"{len(references)} paintings of the medium `{medium}`, each with its p5.brush source and one person's rating."
        " Made with `watercolour`.",
        "![Every painting, tier by tier](paintings.png)",
        "## Load it",
        f'```python\nfrom datasets import load_dataset\n\npool = load_dataset("{repo}", split="train")\n```',
        "## What is in it",
        _table(["subject", *map(str, tiers)], [*rows, ["**all**", *totals]]),
        "`love`: what a model should learn to paint. `okay`: recognisable and pleasant, but plain. `nope`: rejected,"
        " kept so that a model of taste can see it.",
        "Generators: " + _counted(str(reference.facts.get("generator") or "not known") for reference in references),
        "## Limits",
        "- One rating a painting. It is a taste, not a measurement, and whoever trains on it trains on that taste.\n"
        "- Pictures are exactly repeatable only with the browser, p5 and p5.brush that their rows name.",
        "## Licences",
        _pool_licences(references),
    )


def _numbers(run: CardFacts, numbers: RunNumbers) -> str:
    heads = [
        f"step {part.first}" if part.first == part.last else f"steps {part.first} to {part.last}"
        for part in numbers.parts
    ]
    rows = [
        ["mean reward", *(_number(part.reward) for part in numbers.parts)],
        ["best of a step, mean", *(_number(part.best) for part in numbers.parts)],
        [f"share below {BAD_REWARD:g}", *(_share(part.bad_share) for part in numbers.parts)],
        ["paint on the paper", *(_share(part.coverage) for part in numbers.parts)],
    ]
    for name, weight in numbers.weights.items():
        rows.append([f"`{name}` (weight {weight:g})", *(_number(part.terms[name]) for part in numbers.parts)])
    table = _table(["", *heads], rows)
    note = (
        "Means over steps of each step's mean over its scored rollouts; a term's over those that it was asked about"
        " (what the gate rejects is not shown to a judge or a scorer)."
    )
    outcomes = ", ".join(
        f"{'not to be had' if outcome == 'infra' else outcome.replace('_', ' ')} {count}"
        for outcome, count in numbers.outcomes.items()
    )
    seeds = ", ".join(f"{name} {seed}" for name, seed in (run.facts.get("seeds") or {}).items())
    versions = run.facts.get("versions") or {}
    told = ", ".join(f"{name} {version}" for name, version in versions.items() if version)
    unscored = numbers.rollouts - numbers.scored
    lines = [
        f"- Status: {run.facts.get('status', 'not known')}; {numbers.hours:.2f} hours over all steps.",
        f"- Outcomes: {outcomes}. Unscored through no fault of the sketch: {unscored}.",
        f"- Seeds: {seeds or 'not known'}. Browser: {run.facts.get('browser') or 'not known'}.",
        f"- Versions: {told or 'not known'}.",
    ]
    return "\n".join([table, "", note, "", *lines])


def _columns(numbers: RunNumbers) -> str:
    terms = ", ".join(f"`{name}`" for name in numbers.weights) or "none"
    return "\n".join(
        [
            "- `image`: the painting; empty where there is none. `sha256` is the hash of its pixels.",
            "- `source`: the program found in the reply; `completion`: the reply, whole.",
            "- `outcome` and `errors`: how it ran. `coverage`: share of the paper that carries paint.",
            "- `reward`: the weighted sum; empty where it could not be scored, 0 where the gate failed.",
            f"- Of every term ({terms}): `term_NAME` its value, `term_NAME_weight`, `term_NAME_why`, and"
            " `term_NAME_parts`, the numbers behind it as JSON, such as the references faced and the verdicts.",
            "- `skipped`: terms that were not asked, since the gate had decided.",
        ]
    )


def _limits(run: CardFacts, numbers: RunNumbers) -> str:
    lines = [
        "- One run with one seed: a difference to another run may be chance.",
        "- The reward is what the configuration's terms say, not what a person saw. A model finds what they overlook.",
        "- Replies are a model's own, unfiltered: programs to be run in a sandbox, never trusted.",
    ]
    if unscored := numbers.rollouts - numbers.scored:
        lines.append(f"- {unscored} of {numbers.rollouts} rollouts are unscored and in no mean.")
    if run.facts.get("status") != "finished":
        lines.append("- The run had not finished when this was written.")
    if run.facts.get("config_changes"):
        lines.append("- Settings were changed on the way; `run.json` says which and when.")
    if len(numbers.subjects) == 1:
        lines.append(f"- It was only ever asked to paint {numbers.subjects[0]}.")
    return "\n".join(lines)


def _licences(run: CardFacts) -> str:
    name, repo, licence = _base(run)
    where = f" ([{repo}](https://huggingface.co/{repo}))" if "/" in repo else ""
    lines = [
        f"- These files: {run.licence}, but for what stands under another licence below.",
        f"- Base model: {name}{where}: {licence}.",
        "- Painted with p5.js (LGPL-2.1) and p5.brush (MIT); neither is contained.",
    ]
    terms = {str(term.get("term")) for term in (run.config.get("reward") or {}).get("terms") or []}
    if "hpsv3" in terms:
        lines.append("- Scored by HPSv3 (code MIT, weights Apache-2.0).")
    if "taste" in terms:
        lines.append("- Scored by a model of taste on EfficientNet-Lite0 features (Apache-2.0).")
    judges = {str(term.get("model")) for term in run.config["reward"]["terms"] if term.get("term") == "judge"}
    lines += [f"- Judged by {judge}, under its own licence." for judge in sorted(judges)]
    if run.references and (judges or "taste" in terms or run.is_warm_started):
        lines.append(f"- Its pool of {len(run.references)} rated paintings is not contained.")
        lines += _photographs(run.references)
    return "\n".join(lines)


def _pool_licences(references: Sequence[Reference]) -> str:
    given = _counted(str(reference.facts.get("licence") or "not known") for reference in references)
    lines = [
        f"- Paintings and sources: {given}.",
        "- Painted with p5.js (LGPL-2.1) and p5.brush (MIT); neither is contained.",
    ]
    return "\n".join([*lines, *(_photographs(references) or ["- No painting was made from a photograph."])])


def _photographs(references: Sequence[Reference]) -> list[str]:
    """A line a photograph that a painting was made from, with its licence and whom it asks to be named."""
    told: dict[str, str] = {}
    for reference in references:
        facts = reference.facts
        where = facts.get("photo_url") or facts.get("photo")
        if where:
            licence = facts.get("photo_licence") or "licence not known"
            told[str(where)] = f"{facts.get('photo_attribution') or 'attribution not known'}, {licence}, {where}"
    return [f"- Photograph: {told[where]}" for where in sorted(told)]


def _base(run: CardFacts) -> tuple[str, str, str]:
    model = str((run.config.get("policy") or {}).get("model") or "not known")
    return _BASES.get(model, (model, model, "under its own licence, which its card states"))


def _page(front_matter: str, *parts: str) -> str:
    return f"---\n{front_matter.strip()}\n---\n\n" + "\n\n".join(parts) + "\n"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _counted(values: Any) -> str:
    return ", ".join(f"{value} {count}" for value, count in Counter(values).most_common())


def _listed(subjects: Sequence[str]) -> str:
    few = ", ".join(subjects[:4])
    return few if len(subjects) <= 4 else f"{few} and {len(subjects) - 4} more"


def _some_steps(numbers: RunNumbers) -> str:
    return f"some of the steps {numbers.steps[0]} to {numbers.steps[-1]}, in order"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def _size(count: int) -> str:
    """The hub's word for a number of rows."""
    for limit, word in ((1000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K")):
        if count < limit:
            return word
    return "100K<n<1M"
