"""A tiny policy that can really paint: a two-layer Llama that has learnt two sketches by heart."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.policy.conftest import tiny_folder  # noqa: F401 - fixture
from watercolour.config import PolicySection
from watercolour.medium import load_medium
from watercolour.policy.load import load_policy
from watercolour.policy.warmstart import as_reply

STEPS = 150
SKETCHES = [
    """function setup() { createCanvas(600, 600, WEBGL); noLoop(); }
function draw() {
  background("#fff"); brush.noStroke(); brush.fill("#d04070", 220); brush.circle(0, 0, 150);
}
""",
    """function setup() { createCanvas(600, 600, WEBGL); noLoop(); }
function draw() {
  background("#fff");
}
""",
]


@pytest.fixture(scope="session")
def painter(tiny_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    """The checkpoint's folder. Half of what it writes paints a disc, half leaves the paper blank."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    policy = load_policy(PolicySection(model=str(tiny_folder), threads=1))
    prompt = load_medium("hibiscus").prompt("a peach hibiscus")
    rows = [
        policy.tokenizer.apply_chat_template(
            [*prompt, {"role": "assistant", "content": as_reply(sketch)}], return_dict=False
        )
        for sketch in SKETCHES
    ]
    start = len(policy.tokenizer.apply_chat_template(prompt, add_generation_prompt=True, return_dict=False))
    torch.manual_seed(0)
    config = LlamaConfig(**{**policy.model.config.to_dict(), "hidden_size": 64, "max_position_embeddings": 2048})
    model = LlamaForCausalLM(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    for step in range(STEPS):
        row = torch.tensor([rows[step % 2]])
        labels = row.clone()
        labels[:, :start] = -100
        model(input_ids=row, labels=labels).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    folder = tmp_path_factory.mktemp("painter")
    model.save_pretrained(folder)
    policy.tokenizer.save_pretrained(folder)
    return folder
