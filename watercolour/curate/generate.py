"""Paints candidates: a model writes a sketch, the gate and the browser see it, a critic's words go back to the model.

Which round becomes the candidate: the last that passes the gate. Critiques make paintings better more often than not,
and a round that breaks its program must not lose the one before. All rounds are kept (attempts.py).

What a model does wrong is data: a round without the gate's pass. What is ours (an endpoint that does not answer, a
browser that cannot be had) leaves a painting unfinished, and the next run goes on from there without paying again.
"""

from __future__ import annotations

import asyncio
import base64
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from watercolour.curate.attempts import Attempt, Attempts
from watercolour.curate.budget import BudgetUsedUpError, Ledger, Reply
from watercolour.curate.candidates import IMAGES, SOURCES, Candidate, add_candidate, read_candidates
from watercolour.curate.critique import Messages, again_messages, critic_messages, first_messages, refused_messages
from watercolour.curate.photographs import Photograph
from watercolour.curate.plan import Job, Plan
from watercolour.curate.render import hash_source, settings_of
from watercolour.errors import ConfigError
from watercolour.files import cannot_write, cut_torn_tail, write_whole
from watercolour.medium import Medium
from watercolour.painting import Painting, read_picture
from watercolour.render.libraries import LIBRARY_VERSIONS
from watercolour.render.pool import DEFAULT_SEED, RendererPool
from watercolour.reward.base import ScoreContext
from watercolour.reward.gate import GateTerm
from watercolour.reward.judge.client import Client
from watercolour.reward.judge.flight import run_together
from watercolour.reward.judge.pictures import encode
from watercolour.reward.judge.verdict import UnresolvedError
from watercolour.sketch import ExtractionProblem, Sketch, extract

if TYPE_CHECKING:
    from watercolour.render.backend import AskedBackend

logger = logging.getLogger(__name__)

CRITIC_TEMPERATURE = 0.0
CRITIC = "critic"


@dataclass
class Generated:
    """What came of a run. `known` were candidates before; `failed` are paintings of which no round passed the gate,
    `duplicates` those that came out as another candidate did; `unfinished` says why, by painting; `dropped` says how
    many of a model's first replies passed, by model."""

    new: list[Candidate] = field(default_factory=list)
    known: int = 0
    failed: list[str] = field(default_factory=list)
    duplicates: list[str] = field(default_factory=list)
    unfinished: dict[str, str] = field(default_factory=dict)
    dropped: dict[str, tuple[int, int]] = field(default_factory=dict)
    first: dict[str, Counter[bool]] = field(default_factory=dict)
    """Of each model, how many first replies passed the gate and how many did not."""
    refused: dict[str, str] = field(default_factory=dict)
    """Why the gate refused the first of a model's first replies that it refused."""
    out_of_budget: str = ""


class Generation:
    """One run over a folder of candidates that is locked by the caller."""

    def __init__(self, folder: Path, plan: Plan, medium: Medium, photo_folder: Path | None) -> None:
        """Raises ConfigError for a folder whose records are broken, PrerequisiteError without an endpoint's key."""
        self.folder = folder
        self.plan = plan
        self.medium = medium
        self.result = Generated()
        self._photo_folder = photo_folder
        try:
            for name in (IMAGES, SOURCES):
                (folder / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            cannot_write(folder, error)
        cut_torn_tail(folder / "candidates.jsonl")
        held = read_candidates(folder, is_new=True)
        self._done = {candidate.id for candidate in held}
        self._hashes = {candidate.sha256 for candidate in held}
        self.attempts = Attempts(folder)
        self.ledger = Ledger(folder, max_calls=plan.max_calls, max_usd=plan.max_usd)
        self._clients = {model.model: Client(model, model.model) for model in plan.models}
        self._critic = Client(plan.critic, CRITIC) if plan.rounds else None
        self._gate = GateTerm(medium.method_names, medium.size, names=medium.closed_names, strict_allowlist=True)
        self._at_once = asyncio.Semaphore(sum(model.concurrency for model in plan.models))

    async def run(
        self,
        jobs: Sequence[Job],
        backend: AskedBackend,
        workers: int | None = None,
        on_done: Callable[[Candidate | None], None] = lambda candidate: None,
    ) -> Generated:
        """Do what is left of the jobs. `on_done` is called once a job, with its new candidate where there is one.

        Raises a WatercolourError for what no further call can mend (a key, a model's name, a disk); what is done is
        kept.
        """
        left = [job for job in jobs if job.id not in self._done]
        self.result.known = len(jobs) - len(left)
        for _ in range(self.result.known):
            on_done(None)
        if not left:
            return self.result
        async with RendererPool(settings_of(self.medium), workers=workers, backend=backend) as pool:
            self._pool = pool
            self._browser = await pool.browser_version()
            try:
                kept = await self._probe(jobs, left, on_done)
                await run_together([self._paint(job, on_done) for job in kept])
            finally:
                for client in filter(None, (*self._clients.values(), self._critic)):
                    await client.close()
        return self.result

    async def _probe(
        self, jobs: Sequence[Job], left: Sequence[Job], on_done: Callable[[Candidate | None], None]
    ) -> list[Job]:
        """The jobs of the models whose first replies pass the gate often enough; those of the others are told of."""
        if not self.plan.probe:
            return list(left)
        first = {
            model.model: [job for job in jobs if job.model is model][: self.plan.probe] for model in self.plan.models
        }
        waiting = {job.id for job in left}
        probes = [
            job for group in first.values() for job in group if job.id in waiting and not self.attempts.of(job.id)
        ]
        await run_together([self._first_round(job) for job in probes])
        for name, group in first.items():
            seen = [self._saw(attempts[0]) for job in group if (attempts := self.attempts.of(job.id))]
            if len(seen) == len(group) and sum(seen) < self.plan.probe_share * len(seen):
                self.result.dropped[name] = (sum(seen), len(seen))
        kept = [job for job in left if job.model.model not in self.result.dropped]
        for _ in range(len(left) - len(kept)):
            on_done(None)
        return kept

    async def _first_round(self, job: Job) -> None:
        """Round 0 alone. What fails here is told when the job is done in full."""
        try:
            async with self._at_once:
                await self._round(job, [])
        except (BudgetUsedUpError, UnresolvedError) as error:
            logger.debug("%s: %s", job.id, error)

    async def _paint(self, job: Job, on_done: Callable[[Candidate | None], None]) -> None:
        """All rounds of a job that are not done yet, and its candidate."""
        candidate = None
        try:
            async with self._at_once:
                while len(self.attempts.of(job.id)) <= self.plan.rounds:
                    await self._round(job, self.attempts.of(job.id))
            candidate = self._choose(job)
        except BudgetUsedUpError as error:
            self.result.out_of_budget = str(error)
            self.result.unfinished[job.id] = str(error)
        except UnresolvedError as error:
            self.result.unfinished[job.id] = str(error)
        if attempts := self.attempts.of(job.id):
            self.result.first.setdefault(job.model.model, Counter())[self._saw(attempts[0])] += 1
        on_done(candidate)

    def _saw(self, first: Attempt) -> bool:
        """Whether a first reply passed; if it did not, why is remembered."""
        if not first.gate:
            self.result.refused.setdefault(first.generator, first.why)
        return first.gate

    async def _round(self, job: Job, before: Sequence[Attempt]) -> None:
        """One reply, painted and kept. Raises UnresolvedError where that is not to be had for a reason of ours."""
        photo_url = await asyncio.to_thread(self._photo_url, job.photo)
        messages = first_messages(self.medium, job.subject, photo_url)
        critique, usd = "", 0.0
        if before:
            messages, critique, usd = await self._after(job, before, messages, photo_url)
        copy = f"{job.sample} {len(before)}"
        reply = await self.ledger.write(self._clients[job.model.model], job.model, messages, job.temperature, copy=copy)
        sketch = _storable(extract(reply.text))
        painting = await self._pool.paint(sketch, seed=DEFAULT_SEED)
        [score] = await self._gate.score([painting], ScoreContext(run_seed=0))
        if score.value is None:
            raise UnresolvedError(score.why)
        attempt = Attempt(
            id=job.id,
            round=len(before),
            generator=job.model.model,
            critique=critique,
            outcome=painting.outcome.value,
            gate=score.value == 1.0,
            why=reply.problem or score.why,
            coverage=round(painting.coverage, 5),
            sha256=painting.sha256,
            browser=self._browser,
            usd=usd + reply.usd,
        )
        self.attempts.add(attempt, sketch.source, painting)

    async def _after(
        self, job: Job, before: Sequence[Attempt], first: Messages, photo_url: str | None
    ) -> tuple[Messages, str, float]:
        """What is asked after these rounds, the words that it was criticised with, and what those have cost."""
        last = before[-1]
        source = await asyncio.to_thread(_read_text, last.source_path(self.folder))
        if not source.strip():
            return first, last.why, 0.0
        if not last.gate:
            return refused_messages(first, source, last.why), last.why, 0.0
        reply = await self._criticise(job, last, photo_url)
        return again_messages(first, source, reply.text), reply.text, reply.usd

    async def _criticise(self, job: Job, last: Attempt, photo_url: str | None) -> Reply:
        assert self._critic is not None
        critic = self.plan.critic
        painting = await asyncio.to_thread(_read_painting, last.picture_path(self.folder))
        assert painting.pixels is not None
        url = encode(painting.pixels, critic.image_px, critic.image_format)
        messages = critic_messages(self.medium, job.subject, url, photo_url)
        reply = await self.ledger.write(self._critic, critic, messages, CRITIC_TEMPERATURE)
        if reply.problem:
            raise UnresolvedError(f"{CRITIC} {critic.model}: {reply.problem}")
        return reply

    def _photo_url(self, photo: Photograph | None) -> str | None:
        if photo is None or self._photo_folder is None:
            return None
        try:
            data = (self._photo_folder / photo.file).read_bytes()
        except OSError as error:
            raise ConfigError(f"{self._photo_folder / photo.file}: cannot be read ({error.strerror})") from None
        return f"data:image/jpeg;base64,{base64.b64encode(data).decode('ascii')}"

    def _choose(self, job: Job) -> Candidate | None:
        """The job's candidate, written down; None where no round passed or the picture is a candidate already."""
        passed = [attempt for attempt in self.attempts.of(job.id) if attempt.gate and attempt.sha256]
        if not passed:
            self.result.failed.append(job.id)
            return None
        chosen = passed[-1]
        assert chosen.sha256 is not None
        if chosen.sha256 in self._hashes:
            self.result.duplicates.append(job.id)
            return None
        self._hashes.add(chosen.sha256)
        image, source = f"{IMAGES}/{job.id}.png", f"{SOURCES}/{job.id}.js"
        for kept, name in ((chosen.picture_path(self.folder), image), (chosen.source_path(self.folder), source)):
            write_whole(self.folder / name, _read_bytes(kept))
        candidate = self._candidate(job, chosen, image, source)
        add_candidate(self.folder, candidate)
        self.result.new.append(candidate)
        return candidate

    def _candidate(self, job: Job, chosen: Attempt, image: str, source: str) -> Candidate:
        photo = job.photo
        return Candidate(
            id=job.id,
            image=image,
            source=source,
            subject=job.subject,
            generator=job.model.model,
            medium=self.medium.name,
            sha256=chosen.sha256 or "",
            source_sha256=hash_source(self.folder / source),
            temperature=job.temperature,
            sample=job.sample,
            photo=photo.id if photo else None,
            photo_licence=photo.licence if photo else None,
            photo_attribution=photo.attribution if photo else None,
            photo_url=photo.url if photo else None,
            round=chosen.round,
            outcome=chosen.outcome,
            gate=chosen.gate,
            why=chosen.why,
            coverage=chosen.coverage,
            seed=DEFAULT_SEED,
            size=self.medium.size,
            backend=self._pool.backend.name,
            browser=chosen.browser,
            p5=LIBRARY_VERSIONS["p5"],
            p5_brush=LIBRARY_VERSIONS["p5.brush"],
            cost_usd=round(sum(attempt.usd for attempt in self.attempts.of(job.id)), 6),
        )


def _storable(sketch: Sketch) -> Sketch:
    """The sketch as it is found again in its file, so that what is painted is what a pool paints from the file."""
    if sketch.problem is ExtractionProblem.NO_SKETCH:
        return sketch
    source = sketch.source.encode("utf-8", "replace").decode()
    return Sketch(extract(source).source or source, sketch.problem)


def _read_text(path: Path) -> str:
    return _read_bytes(path).decode("utf-8", "replace")


def _read_painting(path: Path) -> Painting:
    try:
        return read_picture(path)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: not a readable picture ({error}); delete its line of attempts.jsonl") from None


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}); delete its line of attempts.jsonl") from None
