"""`watercolour paint "a peach hibiscus" --from RUN`: have it painted by a run, an adapter, a model or an API."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from watercolour.cli.inputs import one_line
from watercolour.errors import ConfigError, InfraError, WatercolourError

if TYPE_CHECKING:
    from watercolour.config import RunConfig
    from watercolour.medium import Medium
    from watercolour.paint.author import Author, Named, Sampling
    from watercolour.paint.folder import PaintFolder
    from watercolour.paint.session import Plan
    from watercolour.render.pool import RendererPool
    from watercolour.reward.mix import Mix


def paint(
    source: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="WHO",
            help="A run (its last checkpoint), an adapter's folder, a model (a folder, smollm2-135m, OWNER/NAME on the"
            " hub) or api:MODEL@BASE_URL.",
        ),
    ],
    subject: Annotated[
        str | None, typer.Argument(metavar="[SUBJECT]", help="What to paint. Default: the run's or medium's first.")
    ] = None,
    count: Annotated[int, typer.Option("-n", "--count", min=1, max=10_000, help="How many pictures.")] = 8,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", help="A new folder. Default: the first free paintings/SUBJECT-N."),
    ] = None,
    medium: Annotated[
        str | None, typer.Option(help="What is painted and how. Default: the run's, or hibiscus.")
    ] = None,
    score: Annotated[
        bool, typer.Option("--score", help="Score with the run's own mix, or with that of --config.")
    ] = False,
    config: Annotated[
        str | None,
        typer.Option("--config", "-c", help="Whose reward mix scores: a file or a shipped name; implies --score."),
    ] = None,
    override: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a setting of it, as in reward.terms.gate.weight=0.2."),
    ] = None,
    best_of: Annotated[
        int, typer.Option("--best-of", min=1, max=1000, help="Keep the best of so many by score; implies --score.")
    ] = 1,
    revise: Annotated[
        int,
        typer.Option(min=0, max=100, help="Let it see its painting and try again so often; implies --score."),
    ] = 0,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**31 - 1, help="Seed of the sampling. Default: a new one, written down.")
    ] = None,
    temperature: Annotated[float | None, typer.Option(min=0.01, max=10, help="Default: the run's, or 1.")] = None,
    top_p: Annotated[float | None, typer.Option(min=0.001, max=1, help="Default: the run's, or 0.95.")] = None,
    top_k: Annotated[int | None, typer.Option(min=0, help="0 for all tokens. Default: the run's, or 20.")] = None,
    max_tokens: Annotated[
        int | None,
        typer.Option(min=16, help="Where a reply is cut. Default: the run's, 4096 for a model, 8192 for an API."),
    ] = None,
    key_env: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The environment variable that holds the API's key. Default: none, and"
            " HF_TOKEN for api:MODEL without a base URL.",
        ),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, max=64, help="Browsers at work. Default: one a core.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what paint.json holds.")] = False,
) -> None:
    """Sample sketches, paint them, and keep pictures, sources and a contact sheet in a folder.

    Exit 1 when a picture could not be had through no fault of its sketch, or when nothing was painted at all.
    """
    os.environ.setdefault("TQDM_DISABLE", "1")
    from watercolour.medium import load_medium
    from watercolour.paint.author import Sampling, read_name
    from watercolour.paint.folder import PaintFolder
    from watercolour.paint.session import Plan
    from watercolour.shipped import DEFAULT_MEDIUM

    named = read_name(source)
    if key_env is not None and named.endpoint is None:
        raise ConfigError("--key-env: goes with --from api:MODEL@BASE_URL")
    own = _own_config(named)
    chosen = load_medium(medium or (own.medium if own else DEFAULT_MEDIUM))
    is_own = own is not None and medium in (None, own.medium)
    asked = _subject(subject, chosen, own if is_own else None)
    plan = Plan(asked, count, best_of, revise, own.render.seed if own else 1)
    mix, scored_by = None, None
    if score or config or override or best_of > 1 or revise:
        mix, scored_by = _mix(named, own, config, override or [], chosen)
    # An endpoint is sent a seed only where one is asked for: not every server takes one.
    drawn_seed = int.from_bytes(os.urandom(3)) if seed is None and named.endpoint is None else seed
    sampling = Sampling(max_tokens, temperature, top_p, top_k, drawn_seed)
    author = _author(named, sampling, own, key_env, look=revise > 0)
    folder = PaintFolder(out, plan)
    facts = {
        "subject": asked,
        "medium": chosen.name,
        "from": source if named.endpoint else Path(source).name if os.path.isdir(source) else source,
        "count": count,
        "best_of": best_of,
        "revise": revise,
        "seed": drawn_seed,
        "render_seed": plan.render_seed,
        "scored_by": scored_by,
    }
    record = _run(author, chosen, plan, mix, folder, facts, _renderer(chosen, own, plan, workers))
    _end(record, folder.path, as_json=as_json)


def _own_config(named: Named) -> RunConfig | None:
    """The settings of the run that the adapter is of."""
    from watercolour.config import load_config

    return load_config(named.run.path / "config.resolved.json") if named.run else None


def _subject(subject: str | None, medium: Medium, own: RunConfig | None) -> str:
    if subject is None:
        return ((own.subject if own else None) or medium.subjects)[0]
    text = " ".join(subject.split())
    if not text or not text.isprintable() or len(text) > 300:
        raise ConfigError("SUBJECT: must be one line of at most 300 printable characters, such as 'a peach hibiscus'")
    return text


def _mix(
    named: Named, own: RunConfig | None, config: str | None, overrides: list[str], medium: Medium
) -> tuple[Mix, str]:
    """The reward that scores, and its configuration's name. What it lacks is found out before anything is sampled."""
    from watercolour.config import load_config
    from watercolour.policy.tokens import policy_count
    from watercolour.replay import own_settings
    from watercolour.reward.build import build_mix, needs_tokens
    from watercolour.shipped import find_config

    path = named.run.path / "config.resolved.json" if named.run and config is None else find_config(config or "tiny")
    settings = load_config(path, [*(own_settings(named.run) if named.run else []), *overrides])
    counted_by = own.policy if own else settings.policy
    count = policy_count(counted_by) if needs_tokens(settings) else None
    return build_mix(settings, medium, count=count), settings.name


def _author(named: Named, sampling: Sampling, own: RunConfig | None, key_env: str | None, *, look: bool) -> Author:
    if named.endpoint is not None:
        from watercolour.paint.endpoint import EndpointAuthor, endpoint_settings

        return EndpointAuthor(endpoint_settings(*named.endpoint, key_env, sampling.max_tokens), sampling)
    from watercolour.paint.policy import PolicyAuthor

    typer.echo(f"watercolour: loading {named.given}", err=True)
    return PolicyAuthor(named, sampling, own, look=look)


def _renderer(medium: Medium, own: RunConfig | None, plan: Plan, workers: int | None) -> RendererPool:
    """Paints as the run did, where there is one."""
    from watercolour.render.pool import RendererPool, RenderSettings, default_workers

    settings = RenderSettings(medium.size, frames=medium.frames)
    if own is not None:
        limits = own.render
        settings = replace(settings, timeout_s=limits.timeout_s, cpu_s=limits.cpu_limit_s)
    backend = own.render.backend if own else "wasm"
    return RendererPool(settings, workers=min(workers or default_workers(), plan.attempts), backend=backend)


def _run(
    author: Author,
    medium: Medium,
    plan: Plan,
    mix: Mix | None,
    folder: PaintFolder,
    facts: dict[str, Any],
    renderer: RendererPool,
) -> dict[str, Any]:
    """Paints, and writes down what there is even where something stopped it half-way."""
    import asyncio
    import contextlib

    from watercolour.paint.session import Attempt, Session
    from watercolour.progress import CountProgress

    async def work() -> dict[str, Any]:
        stopped: WatercolourError | None = None
        async with renderer as pool:
            with CountProgress("painting", plan.attempts) as progress:

                def on_attempt(attempt: Attempt) -> None:
                    folder.add(attempt)
                    progress.advance()

                session = Session(author, medium, plan, pool, mix, on_attempt)
                try:
                    await session.run()
                except WatercolourError as error:
                    stopped = error
                finally:
                    await author.close()
                    if mix is not None:
                        await mix.close()
            if stopped is not None and not session.attempts:
                raise stopped
            told = {**facts, "author": author.facts(), "browser": None}
            with contextlib.suppress(InfraError):
                told["browser"] = await pool.browser_version()
        weights = mix.weights if mix else {}
        record: dict[str, Any] = folder.finish(session.attempts, told, weights)
        if stopped is not None:
            typer.echo(f"watercolour: what was painted by then is in {folder.path}", err=True)
            raise stopped
        return record

    return asyncio.run(work())


def _end(record: dict[str, Any], path: Path, *, as_json: bool) -> None:
    paintings = record["paintings"]
    if as_json:
        typer.echo(json.dumps(record))
    else:
        for painting in paintings:
            typer.echo(_line(path, painting))
        typer.echo(str(path / "sheet.png"))
    tried = record["attempts"] or paintings
    missing = [each for each in tried if each["outcome"] == "infra"]
    if missing:
        why = one_line("; ".join(missing[0]["errors"]))
        raise InfraError(f"{len(missing)} of {len(tried)} could not be had ({why}); the others are in {path}")
    if not any(painting["png"] for painting in paintings):
        raise InfraError(f"nothing was painted: no reply held a sketch that runs; paint.json in {path} has the replies")


def _line(path: Path, painting: dict[str, Any]) -> str:
    name = path / painting["png"] if painting["png"] else f"{path}/{painting['picture']:02d}: no picture"
    reward = "" if painting["reward"] is None else f"  {painting['reward']:.3f}"
    told = "passed" if painting["gate"]["value"] else one_line(str(painting["gate"]["why"]))
    return f"{name}  {painting['outcome']}{reward}  {told}"
