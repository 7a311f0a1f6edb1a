"""What a training step on this machine spends its time on: generate, render, score, learn.

    python bench/step.py                             configs/tiny.yaml, four steps: a table
    python bench/step.py --json --steps 6            one JSON object
    python bench/step.py policy.dtype=float32        with other settings
    python bench/step.py --group-at-once             painting begins when the whole group is written

A step is the real one: the policy decodes token by token, the browser paints, the terms of the reward score, and
the adapter is trained. One thing is set: the tokens decoded are those of template sketches, since what a
policy without a warm start writes never ends and cannot be painted. The first step, which loads and compiles, is left
out of the medians. Seconds are wall time, and depend on what else the machine does.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

STAGES = ("generate", "render", "score", "recheck", "record", "learn")


def write_templates(grpo: Any, decode: Any) -> None:
    """Let decoding compute what it always does, and then go on with a template's tokens."""
    from watercolour.policy.templates import template_sketches
    from watercolour.policy.warmstart import as_reply

    texts = iter(template_sketches(10_000, 0))
    rows: list[list[int]] = []
    sample, draw, on_row = decode.Decoder.sample, decode.draw, grpo._Trainer._on_row

    def generate(self: Any, prompt_ids: Any, *args: Any, **kwargs: Any) -> Any:
        tokenizer = self.processing_class
        rows[:] = [
            [*tokenizer.encode(as_reply(next(texts)), add_special_tokens=False), tokenizer.eos_token_id]
            for _ in prompt_ids
        ]
        return own_generate(self, prompt_ids, *args, **kwargs)

    def scripted_sample(self: Any, *args: Any, **kwargs: Any) -> Any:
        alive = [list(row) for row in rows]

        def scripted_draw(logits: Any, sampling: Any) -> Any:
            tokens = draw(logits, sampling)
            alive[:] = [row for row in alive if row]
            for at, row in enumerate(alive):
                tokens[at] = row.pop(0)
            return tokens

        decode.draw = scripted_draw
        try:
            return sample(self, *args, **kwargs)
        finally:
            decode.draw = draw

    own_generate = grpo._Trainer._generate_single_turn
    grpo._Trainer._generate_single_turn = generate
    grpo._Trainer._on_row = on_row
    decode.Decoder.sample = scripted_sample


def measure(config_path: Path, overrides: list[str], steps: int, *, group_at_once: bool) -> dict[str, Any]:
    """Train for `steps` + 1 steps and give the medians of all but the first."""
    import torch

    from watercolour.config import load_config
    from watercolour.policy import decode, grpo
    from watercolour.training import run_training

    ours = ["warm_start=null", f"grpo.steps={steps + 1}", f"grpo.save_every_steps={steps + 1}"]
    config = load_config(config_path, [*ours, *overrides])
    write_templates(grpo, decode)
    if group_at_once:
        grpo._Trainer._on_row = lambda *_: None  # type: ignore[method-assign]
    with tempfile.TemporaryDirectory() as folder:
        run = run_training(config, config_path.read_text(), name=Path(folder) / "run")
        records = run.metrics()[1:]
        rollouts = [rollout for rollout in run.rollouts() if rollout.step > 1]
    stages = {stage: statistics.median(record["seconds"].get(stage, 0.0) for record in records) for stage in STAGES}
    step_s = statistics.median(record["trainer"]["step_s"] for record in records)
    tokens = sum(rollout.tokens for rollout in rollouts) / len(records)
    return {
        "config": config_path.name,
        "overrides": overrides,
        "dtype": config.policy.dtype,
        "threads": torch.get_num_threads(),
        "steps": len(records),
        "rollouts_a_step": config.grpo.generations,
        "tokens_a_step": tokens,
        "painted": sum(rollout.painting is not None for rollout in rollouts),
        "rollouts": len(rollouts),
        "seconds": stages,
        "painted_while_generating_s": statistics.median(record["painted_while_generating_s"] for record in records),
        "step_s": step_s,
        "tokens_per_s": {
            "generate": tokens / stages["generate"],
            "learn": tokens / stages["learn"],
            "step": tokens / step_s,
        },
    }


def table(row: dict[str, Any]) -> str:
    """The measurement for a person."""
    seconds = row["seconds"]
    lines = [
        f"{row['config']} {' '.join(row['overrides'])} ({row['threads']} threads, median of {row['steps']} steps of"
        f" {row['rollouts_a_step']} rollouts, {row['tokens_a_step']:.0f} tokens; {row['painted']} of"
        f" {row['rollouts']} painted)",
        f"{'stage':10} {'seconds':>8} {'share':>6} {'tokens/s':>9}",
    ]
    for stage, spent in seconds.items():
        rate = row["tokens_per_s"].get(stage)
        lines.append(f"{stage:10} {spent:8.2f} {spent / row['step_s']:6.0%} {'' if rate is None else f'{rate:9.0f}'}")
    lines.append(f"{'step':10} {row['step_s']:8.2f} {'':6} {row['tokens_per_s']['step']:9.0f}")
    lines.append(f"painted while generating: {row['painted_while_generating_s']:.2f} s")
    return "\n".join(lines)


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("overrides", nargs="*", metavar="KEY=VALUE", help="settings to change")
    parser.add_argument("--config", type=Path, default=ROOT / "configs" / "tiny.yaml")
    parser.add_argument("--steps", type=int, default=4, help="steps that count; one more is run first")
    parser.add_argument("--group-at-once", action="store_true", help="paint only when the whole group is written")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    asked = parser.parse_args()
    os.environ.setdefault("TQDM_DISABLE", "1")
    row = measure(asked.config, asked.overrides, asked.steps, group_at_once=asked.group_at_once)
    print(json.dumps(row) if asked.json else table(row))


if __name__ == "__main__":
    main()
