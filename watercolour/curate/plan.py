"""A plan: which models paint which subjects how often, what each costs, who criticises, and where it all has to stop.

A plan is a small YAML file, or the same said in flags; a flag wins over the file.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator

from watercolour.curate.photographs import Photograph
from watercolour.medium import Medium
from watercolour.reward.settings import Endpoint
from watercolour.settings import Count, Section, Seed, Share, Text, names
from watercolour.shipped import DEFAULT_MEDIUM
from watercolour.yaml_lines import Document, apply_overrides, parse_yaml
from watercolour.yaml_model import read_yaml_text, validate

ID_CHARACTERS = 12


class GeneratorModel(Endpoint):
    """A model that writes sketches."""

    model: Text
    """The model's name at the endpoint."""
    sees: bool = True
    """Whether it takes pictures; one that does not paints from the subject's words alone."""
    timeout_s: Annotated[float, Field(gt=0, le=3600)] = 600.0
    """Seconds that one call may take."""
    concurrency: Annotated[int, Field(ge=1, le=256)] = 4
    """Calls in flight at once."""
    max_reply_tokens: Count = 16_384
    """Where a reply is cut; a model that thinks first needs more."""


class CriticModel(Endpoint):
    """A vision model that says in words what a painting lacks."""

    timeout_s: Annotated[float, Field(gt=0, le=3600)] = 120.0
    """Seconds that one call may take."""
    concurrency: Annotated[int, Field(ge=1, le=256)] = 4
    """Calls in flight at once."""
    max_reply_tokens: Count = 1024
    """Where a reply is cut; a model that thinks first needs more."""


def _numbers(value: object) -> object:
    return (value,) if isinstance(value, int | float) and not isinstance(value, bool) else value


class Plan(Section):
    """Everything that `watercolour pool generate` is told."""

    medium: Text = DEFAULT_MEDIUM
    """What is painted and how: a shipped medium's name, or a YAML file."""
    models: Annotated[tuple[GeneratorModel, ...], Field(min_length=1, max_length=32, strict=False)]
    """Who paints."""
    subjects: Annotated[tuple[str, ...], BeforeValidator(names)] | None = None
    """What is asked for; null takes all of the medium's."""
    temperatures: Annotated[
        tuple[Annotated[float, Field(ge=0, le=2)], ...],
        BeforeValidator(_numbers),
        Field(min_length=1, max_length=16, strict=False),
    ] = (0.8,)
    """Each model paints each subject at each of these."""
    samples: Annotated[int, Field(ge=1, le=10_000)] = 1
    """How often it does so."""
    photos: Text | None = None
    """A folder that `watercolour pool photos` filled; each painting starts from one of its photographs."""
    rounds: Annotated[int, Field(ge=0, le=20)] = 3
    """How often a painting is criticised and painted again."""
    critic: CriticModel = CriticModel()
    """Who criticises."""
    probe: Annotated[int, Field(ge=0, le=1000)] = 0
    """First replies of each model that are looked at before it goes on; 0 trusts every model."""
    probe_share: Share = 0.5
    """A model of whose first replies a smaller share passes the gate is dropped."""
    max_calls: Count | None = None
    """The folder's budget: calls to models over all runs, tries that failed left out; null for no limit."""
    max_usd: Annotated[float, Field(gt=0, le=1_000_000)] | None = None
    """The folder's budget over all runs; it needs the models' prices; null for no limit."""
    seed: Seed = 0
    """Deals the photographs."""

    @field_validator("models")
    @classmethod
    def _different(cls, models: tuple[GeneratorModel, ...]) -> tuple[GeneratorModel, ...]:
        if len({model.model for model in models}) < len(models):
            raise ValueError("must not name the same model twice")
        return models

    @field_validator("temperatures")
    @classmethod
    def _each_once(cls, temperatures: tuple[float, ...]) -> tuple[float, ...]:
        if len(set(temperatures)) < len(temperatures):
            raise ValueError("must not hold the same one twice")
        return temperatures

    @field_validator("max_usd")
    @classmethod
    def _priced(cls, max_usd: float | None, info: ValidationInfo) -> float | None:
        known = info.data  # the fields above, those without a mistake
        paid: list[Endpoint] = list(known.get("models", ()))
        if known.get("rounds") and "critic" in known:
            paid.append(known["critic"])
        for each in paid if max_usd is not None else ():
            if not each.usd_per_million_output_tokens:
                raise ValueError(
                    f"needs the price of {each.model}: usd_per_million_input_tokens and usd_per_million_output_tokens"
                )
        return max_usd


@dataclass(frozen=True)
class Job:
    """One painting to be had. `id` says nothing of the model, so that who rates by it stays blind."""

    id: str
    model: GeneratorModel
    subject: str
    temperature: float
    sample: int
    photo: Photograph | None


def load_plan(path: Path | None, flags: Mapping[str, Any]) -> Plan:
    """The plan in a file, with flags, as values by dotted key, laid over it.

    Raises ConfigError with one line a mistake, each naming its key and where it was written.
    """
    if path is None:
        document = Document({}, {(): "command line; see --help, or give --plan"})
    else:
        document = parse_yaml(read_yaml_text(path), str(path))
    given = [f"{key}={json.dumps(value)}" for key, value in flags.items()]
    return validate(Plan, apply_overrides(document, given))


def jobs_of(plan: Plan, medium: Medium, photos: Sequence[Photograph]) -> list[Job]:
    """The plan's jobs, one model after the other in turns, so that a budget that ends early has served all of them.

    The photographs are dealt by subject and number, so that all models paint from the same ones.
    """
    subjects = plan.subjects or medium.subjects
    prompt = hashlib.sha256(medium.system_prompt().encode()).hexdigest()
    jobs = []
    for sample in range(plan.samples):
        for subject in subjects:
            order = sorted(photos, key=lambda photo: photo.id)
            random.Random(f"{plan.seed} {subject}").shuffle(order)
            for place, temperature in enumerate(plan.temperatures):
                number = sample * len(plan.temperatures) + place
                for model in plan.models:
                    photo = order[number % len(order)] if order and model.sees else None
                    facts = [prompt, model.model, subject, temperature, sample, photo.sha256 if photo else None]
                    digest = hashlib.sha256(json.dumps(facts).encode()).hexdigest()
                    jobs.append(Job(digest[:ID_CHARACTERS], model, subject, temperature, sample, photo))
    return jobs
