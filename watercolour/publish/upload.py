"""The upload, and before it what the hub's own client says of names and cards. The token is the environment's."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from watercolour.errors import ConfigError, InfraError, PrerequisiteError
from watercolour.publish.bundle import Bundle

TOKEN = "HF_TOKEN"
FOLDER = "folder:"


def read_target(to: str) -> tuple[str | None, Path | None]:
    """The repository that `to` names, or the folder of `folder:PATH`. Raises ConfigError for neither."""
    if to.startswith(FOLDER):
        path = to.removeprefix(FOLDER)
        if not path:
            raise ConfigError(f"--to {to}: names no folder; write folder:PATH")
        return None, Path(path)
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils._validators import validate_repo_id

    try:
        validate_repo_id(to)
    except HFValidationError as error:
        raise ConfigError(f"--to {to}: {' '.join(str(error).split())}") from None
    if "/" not in to:
        raise ConfigError(f"--to {to}: write USER/NAME, or folder:PATH")
    return to, None


def check_cards(bundle: Bundle) -> None:
    """Raise InfraError unless the hub's client can read every card."""
    from huggingface_hub import DatasetCard, ModelCard

    for part in bundle.parts:
        path = bundle.out / part / "README.md"
        kind = ModelCard if part == "model" else DatasetCard
        try:
            card = kind.load(path)
        except Exception as error:  # whatever its YAML reader says
            raise InfraError(f"{path}: is no card that the hub takes: {' '.join(str(error).split())}") from error
        if not card.data.license:
            raise InfraError(f"{path}: names no licence")


def token() -> str:
    """The hub's token. Raises PrerequisiteError where the environment holds none."""
    value = os.environ.get(TOKEN, "").strip()
    if not value:
        raise PrerequisiteError(f"--upload: ${TOKEN} is not set: export {TOKEN}=... with a token that may write")
    return value


def upload(bundle: Bundle, repo: str, key: str, *, is_public: bool, say: Callable[[str], None]) -> list[str]:
    """Make the repositories, where they are not there, and upload each part; returns their addresses.

    Raises InfraError with what the hub said; what is uploaded by then stays, and the same command goes on.
    """
    from huggingface_hub import HfApi

    api = HfApi(endpoint=os.environ.get("HF_ENDPOINT"), token=key)
    addresses = []
    for part in bundle.parts:
        say(f"uploading {part} to {repo}")
        try:
            made = api.create_repo(repo, repo_type=part, private=not is_public, exist_ok=True)
            api.upload_folder(
                repo_id=repo, repo_type=part, folder_path=bundle.out / part, commit_message="Publish with watercolour"
            )
        except Exception as error:  # the hub's client lets many kinds through, its transport's among them
            reason = " ".join(str(error).split()).replace(key, "(the token)")[:300]
            raise InfraError(f"{repo}: the {part} could not be uploaded ({reason})") from None
        addresses.append(str(made))
    return addresses
