"""The rating page's server for tests: in this process on a thread, or as the command, which can be killed."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from watercolour.curate.rateable import read_gallery
from watercolour.curate.rating.desk import Desk
from watercolour.curate.rating.server import Link, listen, make_server
from watercolour.curate.ratings import Mode


@contextmanager
def serving(folder: Path, mode: Mode = Mode.RATE, seed: int = 0) -> Iterator[tuple[Desk, Link]]:
    """The server for the rater `me`, until the block ends."""
    desk = Desk(read_gallery(folder), "me", mode, seed=seed)
    listening, link = listen(folder, None)
    server = make_server(desk, link)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield desk, link
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


class Command:
    """`watercolour pool rate` as a process. `url` is the link that it printed."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "watercolour", "pool", "rate", str(folder), "--rater", "me", "--no-browser"]
        self.process = subprocess.Popen(
            [*command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ.copy()
        )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        assert self.url, self.process.communicate()[1]

    def kill(self) -> None:
        """As a crash would: no handler runs."""
        self.process.kill()
        self.process.communicate()

    def interrupt(self) -> tuple[str, str]:
        """Ctrl-C; gives what it then prints."""
        self.process.send_signal(2)
        out, err = self.process.communicate(timeout=60)
        assert self.process.returncode == 0, err
        return out, err
