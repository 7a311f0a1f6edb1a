"""The random states that sampling and learning use: taken, set, and lent out for a while."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from typing import Any


def random_states() -> tuple[Any, ...]:
    """Python's, NumPy's and torch's states, those of all GPUs included."""
    import numpy as np
    import torch

    gpus = torch.cuda.get_rng_state_all() if torch.cuda.is_available() else []
    return random.getstate(), np.random.get_state(), torch.get_rng_state(), gpus


def set_random_states(states: tuple[Any, ...]) -> None:
    """Set what `random_states` gave."""
    import numpy as np
    import torch

    random.setstate(states[0])
    np.random.set_state(states[1])
    torch.set_rng_state(states[2])
    if states[3]:
        torch.cuda.set_rng_state_all(states[3])


@contextlib.contextmanager
def own_randomness(seed: int) -> Iterator[None]:
    """Inside, everything is seeded with `seed` (below 2**32); after it, all goes on as if nothing had been drawn."""
    import numpy as np
    import torch

    before = random_states()
    try:
        random.seed(seed)
        np.random.seed(seed)
        torch.manual_seed(seed)
        yield
    finally:
        set_random_states(before)
