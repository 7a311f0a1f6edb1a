from __future__ import annotations

import json
import string

from hypothesis import given
from hypothesis import strategies as st

from watercolour.publish.clean import Cleaner

SECRET = "correct-horse-battery"


def test_secrets_go_from_every_text_and_are_counted() -> None:
    cleaner = Cleaner({"MY_TOKEN": SECRET, "PATH": "/usr/bin", "SHORT_KEY": "abc"})
    assert cleaner.text(f"// {SECRET}") == "// $MY_TOKEN"
    assert cleaner.text("const k = 'hf_" + "a" * 34 + "'") == "const k = '(removed)'"
    assert cleaner.text("sk-" + "Z9_-" * 8) == "(removed)"
    assert cleaner.secrets == 3
    for harmless in ("abc", "brush.fill('#sk-12', 3)", "a /b/c in a program", "hf_home"):
        assert cleaner.text(harmless) == harmless
    assert cleaner.secrets == 3


def test_paths_of_the_machine_become_names() -> None:
    cleaner = Cleaner({})
    for path, wanted in (
        ("/home/ann/code/.venv/bin/watercolour train --config tiny", "watercolour train --config tiny"),
        ("model: /data/models/warm-start-01ab", "model: warm-start-01ab"),
        ("~/runs/tiny-1 and /srv/pools/mine/", "tiny-1 and mine"),
        ("see https://huggingface.co/someone/model/tree/main", "see https://huggingface.co/someone/model/tree/main"),
        ("characters / 4; 3/4 and a/b/c.js, </div>", "characters / 4; 3/4 and a/b/c.js, </div>"),
        ("# a // comment /* here */", "# a // comment /* here */"),
        ("(/var/tmp/x/log.txt: gone)", "(log.txt: gone)"),
    ):
        assert cleaner.facts(path) == wanted
    record = {"a": ["/x/y/z", {"b": "/x/y"}], "/q/r": 1, "n": None, "t": True}
    assert cleaner.record(record) == {"a": ["z", {"b": "y"}], "r": 1, "n": None, "t": True}


def test_addresses_of_private_hosts_become_nameless() -> None:
    cleaner = Cleaner({})
    for address, wanted in (
        ("base_url: http://10.0.0.5:8000/v1", "base_url: http://(private)/v1"),
        ("http://localhost:11434/v1", "http://(private)/v1"),
        ("https://gpu-box.internal/v1?x=1", "https://(private)/v1?x=1"),
        ("at https://ann:pw@judge/v1.", "at https://(private)/v1."),
        ("http://[::1]:9/x", "http://(private)/x"),
        ("http://Box.LAN", "http://(private)"),
        ("HTTP://10.0.0.5/v1", "HTTP://(private)/v1"),
        ("https://ann:pw@judge.example.com:8000/v1", "https://judge.example.com:8000/v1"),
        ("https://api.openai.com/v1", "https://api.openai.com/v1"),
        ("https://8.8.8.8/v1", "https://8.8.8.8/v1"),
        ("see https://huggingface.co/a/b", "see https://huggingface.co/a/b"),
    ):
        assert cleaner.facts(address) == wanted
        assert cleaner.facts(wanted) == wanted


@given(st.text(alphabet=string.ascii_letters + "/.~ :\ud800é", max_size=60))
def test_any_text_comes_out_as_unicode_and_twice_the_same(text: str) -> None:
    cleaner = Cleaner({})
    once = cleaner.facts(text)
    assert cleaner.facts(once) == once or "/" in once or "~" in once
    json.dumps(once).encode("ascii")
    once.encode("utf-8")
