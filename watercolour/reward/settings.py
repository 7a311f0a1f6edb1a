"""What each term of the reward is told, as the configuration's `reward.terms` writes it."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from watercolour.settings import BaseUrl, Count, FileName, Section, Share, Text, VariableName, Weight


class TermSettings(Section):
    """What all terms have."""

    looks_at_picture: ClassVar[bool] = True
    """Whether the term scores the picture; a mix of terms that do not can do without a browser."""

    term: str
    weight: Weight
    """What the term's value counts in the reward; at 0 it is not computed."""
    name: FileName | None = None
    """How the term is called in tables and records; null takes the word of `term`. Two terms must not share one."""

    @property
    def called(self) -> str:
        """The name, or the word of `term` where there is none."""
        return self.name or self.term


class GateSettings(TermSettings):
    """Is it a p5.brush sketch within the rules? A rollout that fails gets reward 0 whatever its other terms."""

    term: Literal["gate"]
    strict_allowlist: bool = False
    """Refuse methods of the brush, and brushes, that exist but that the prompt does not name."""


class LengthSettings(TermSettings):
    """Is the source long enough, and not too long? Comments and white space do not count."""

    looks_at_picture: ClassVar[bool] = False
    term: Literal["length"]
    kind: Literal["ramp", "band", "binary"] = "ramp"
    """A ramp has a gradient between floor and full; a band and a binary check have none inside."""
    count_by: Literal["policy", "characters"] = "policy"
    """A token is the policy's tokenizer's, where there is a policy, or four characters."""
    floor_tokens: Annotated[int, Field(ge=0, le=1_000_000)] = 150
    """Below this the term is 0."""
    full_tokens: Count = 3000
    """From here to the ceiling the term is 1."""
    ceiling_tokens: Count = 6000
    """Above this the term is 0."""

    @model_validator(mode="after")
    def _in_order(self) -> LengthSettings:
        if not self.floor_tokens < self.full_tokens <= self.ceiling_tokens:
            raise ValueError("needs floor_tokens < full_tokens <= ceiling_tokens")
        return self


class CoverageSettings(TermSettings):
    """How much of the paper carries paint; rises from 0 to 1."""

    term: Literal["coverage"]
    full_at: Annotated[float, Field(gt=0, le=1)] = 0.30
    """The share of painted pixels at which the term reaches 1."""


class SubjectSettings(TermSettings):
    """Has the painting the colour that the prompt asks for? Greenery does not count, unless green was asked for."""

    term: Literal["subject"]
    full_share: Annotated[float, Field(gt=0, le=1)] = 0.6
    """The share of the flower's paint in the asked colour at which the term reaches 1."""
    full_area: Annotated[float, Field(gt=0, le=1)] = 0.04
    """The share of the sheet that this paint must cover for it: less scales the term down, so a dot wins little."""
    accent_weight: Share = 0.25
    """What is lost where the prompt's further colours, as in "white with a red eye", are missing."""


class FillsSettings(TermSettings):
    """How many places of the source lay paint? A check of the trainer, not a taste; it needs no browser."""

    looks_at_picture: ClassVar[bool] = False
    term: Literal["fills"]
    full_at: Count = 8
    """The count at which the term reaches 1."""


class LoveShare(Section):
    """From easy rivals to hard ones: the share of loved references rises linearly over the run's first steps."""

    start: Share = Field(alias="from")
    """At step 1."""
    to: Share
    """From step `over_steps` on."""
    over_steps: Count
    """Steps that the rise takes."""


class Endpoint(Section):
    """A model at an OpenAI-compatible endpoint."""

    model: Text = "Qwen/Qwen3-VL-30B-A3B-Instruct"
    """The model's name at the endpoint."""
    base_url: BaseUrl = "https://router.huggingface.co/v1"
    """The endpoint."""
    key_env: VariableName | None = "HF_TOKEN"
    """The environment variable that holds the endpoint's key; null for an endpoint without one."""
    concurrency: Annotated[int, Field(ge=1, le=256)] = 16
    """Calls in flight at once."""
    timeout_s: Annotated[float, Field(gt=0, le=3600)] = 60.0
    """Seconds that one call may take."""
    max_tries: Annotated[int, Field(ge=1, le=20)] = 4
    """How often a call is tried: again after 429, 5xx and time-outs only."""
    max_calls: Count | None = None
    """The run stops before it makes more calls than this, tries that failed included; null for no limit. A resumed run
    counts from 0 again, and answers that are already on the disk do not count."""
    max_reply_tokens: Count = 512
    """Where a reply is cut; a model that thinks first needs more."""
    usd_per_million_input_tokens: Annotated[float, Field(ge=0, le=10_000)] = 0.0
    """The endpoint's price; 0 where it is not known."""
    usd_per_million_output_tokens: Annotated[float, Field(ge=0, le=10_000)] = 0.0
    """The endpoint's price; 0 where it is not known."""
    image_px: Annotated[int, Field(ge=64, le=4096)] | None = None
    """The longer side that a larger picture is shrunk to before it is sent; null sends all as painted."""
    image_format: Literal["png", "webp"] = "png"
    """How they are sent; webp is lossless too, and smaller."""


class EndpointSettings(Endpoint, TermSettings):
    """A term that asks a vision model."""


class PairwiseSettings(EndpointSettings):
    """Which is the better watercolour, this or a reference? Asked in both orders of each pair."""

    term: Literal["judge"]
    kind: Literal["pairwise"]
    references: Annotated[int, Field(ge=1, le=64)] = 4
    """Paintings of the pool that each rollout of a step faces."""
    love_share: Share | LoveShare = 0.5
    """The share of them drawn from the tier `love`, the others come from `okay`; or {from, to, over_steps}."""
    rivals: Literal["pool", "group", "both"] = "pool"
    """Whom a rollout faces: the pool's references, the other rollouts of its group, or both."""
    group_rivals: Annotated[int, Field(ge=1, le=64)] = 4
    """How many of its own group each rollout faces, where `rivals` says so."""


class Question(Section):
    """One thing that an absolute judge is asked to rate from 0 to 10."""

    name: FileName
    ask: Text
    weight: Annotated[float, Field(gt=0, le=1000)] = 1.0
    """What it counts in the term's value, beside the term's other questions."""


class AbsoluteSettings(EndpointSettings):
    """Rates each picture from 0 to 10 by named questions, in one call; the term is their weighted mean over 10."""

    term: Literal["judge"]
    kind: Literal["absolute"]
    questions: Annotated[tuple[Question, ...], Field(min_length=1, max_length=32, strict=False)]
    """What is asked, each with its weight."""


class Hpsv3Settings(TermSettings):
    """HPSv3's preference for a picture, given what it should show; the term is 1 / (1 + exp(-mu / mu_scale))."""

    term: Literal["hpsv3"]
    checkpoint: Text = "MizzenAI/HPSv3"
    """A folder, a safetensors file, or a repository on the hub."""
    base: Text = "Qwen/Qwen2-VL-7B-Instruct"
    """Whose configuration and tokenizer it builds on: a folder or a repository."""
    mu_scale: Annotated[float, Field(gt=0, le=1000)] = 4.0
    """How wide a range of scores the term spreads over 0..1."""
    dtype: Literal["auto", "float32", "bfloat16"] = "auto"
    """auto takes bfloat16 on a GPU and float32 on a CPU."""
    offload: Literal["never", "between_steps"] = "never"
    """Whether the weights leave the GPU while the policy generates and learns."""
    batch_size: Annotated[int, Field(ge=1, le=256)] = 8
    """Pictures scored at once."""


class TasteSettings(TermSettings):
    """A small model of somebody's ratings (`watercolour taste fit`), calibrated to 0..1."""

    term: Literal["taste"]
    model: Text | None = None
    """The fitted taste's folder; null takes the one shipped with the medium's pool."""
    distance_penalty: Annotated[float, Field(ge=0, le=10)] = 0.0
    """What a picture unlike all those rated loses, for each unit of distance beyond theirs."""


AnyTermSettings = Annotated[
    GateSettings
    | LengthSettings
    | CoverageSettings
    | SubjectSettings
    | FillsSettings
    | Annotated[PairwiseSettings | AbsoluteSettings, Field(discriminator="kind")]
    | Hpsv3Settings
    | TasteSettings,
    Field(discriminator="term"),
]
"""A term of the reward: `term` says which, and `kind` which of the judges."""
