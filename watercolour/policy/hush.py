"""Keep the model libraries' progress bars and notices off the terminal, which is ours."""

from __future__ import annotations

import logging
import warnings


def hush_libraries() -> None:
    """Silence transformers, datasets and TRL below errors. Imports them."""
    import datasets  # type: ignore[import-untyped]
    import transformers

    transformers.utils.logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    transformers.utils.logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    datasets.disable_progress_bars()
    logging.getLogger("trl").setLevel(logging.ERROR)
    warnings.filterwarnings("ignore", category=FutureWarning, module=r"transformers|trl|peft")
