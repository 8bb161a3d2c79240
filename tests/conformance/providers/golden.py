"""The requests of each provider, as a server sees them: they change only on purpose (KFORGE_UPDATE_GOLDEN=1)."""

import base64
import json
import os
from pathlib import Path

from probing import PLANTED, Probe, entry
from server import Answer

FOLDER = Path(__file__).resolve().parents[2] / "golden" / "requests"
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==")
SHOWN_HEADERS = ("anthropic-version", "content-type", "authorization", "x-api-key", "x-goog-api-key", "accept-encoding")

EVERYTHING = {"temperature": 0.25, "effort": "high", "caches_prompts": True, "sees_images": True}


def requests_of(suite, dialect):
    """Three requests: nothing but the prompt; all that can be set; the rest of an answer that was cut off."""
    picture = suite.folder / "picture.png"
    picture.write_bytes(PNG)
    prompt = {"system": "You write kernels.", "prompt": "The task: é.\nThe history.", "stable_bytes": 14}
    settings = dict(EVERYTHING)
    if dialect.name in ("anthropic", "gemini"):
        settings["thinking"] = "2048"
    url, script = suite.server.play(f"golden-{dialect.name}", lambda request, number: Answer(
        dialect.stream(["First half, "], stop="length") if number == 2 else dialect.stream(["second half."])))
    with Probe(suite.options.probe, suite.folder) as probe:
        def ask(request, **more):
            got = probe.ask({"toml": entry(dialect.name, url, **more), "llm": "x", "request": request})
            assert got["kind"] == "answer", got
        ask({"prompt": "Write a kernel."}, stream="false")
        ask({**prompt, "images": [str(picture)]}, **settings)
        ask(prompt)
    return script.requests


def check(suite, dialect):
    shown = []
    for request in requests_of(suite, dialect):
        headers = {name: request.headers[name] for name in SHOWN_HEADERS if name in request.headers}
        path = "/" + "/".join(request.path.split("/")[3:])
        shown.append({"request": f"{request.method} {path}", "headers": headers, "body": request.json})
    text = json.dumps(shown, indent=1, ensure_ascii=False).replace(PLANTED, "KEY") + "\n"
    path = FOLDER / f"{dialect.name}.json"
    if os.environ.get("KFORGE_UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    if not path.is_file() or path.read_text() != text:
        raise AssertionError(f"{path.relative_to(FOLDER.parents[2])} is not what is sent (KFORGE_UPDATE_GOLDEN=1 rewrites it):\n{text}")
