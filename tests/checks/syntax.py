#!/usr/bin/env python3
"""Every Python file parses as Python 3.10, the oldest that KForge supports, and every shell script as bash."""

import ast
import subprocess
import sys

from _sources import ROOT, files, finish, read

# Files that are wrong on purpose.
EXEMPT = {("tests", "fixtures"), ("tests", "conformance", "broken"), ("recordings",)}


def language(name, text):
    first = text.split("\n", 1)[0]
    if name.suffix == ".py" or (first.startswith("#!") and "python" in first):
        return "python"
    if name.suffix == ".sh" or (first.startswith("#!") and first.rstrip().endswith(("bash", "/sh"))):
        return "shell"
    return None


def python_error(text):
    try:
        ast.parse(text, feature_version=(3, 10))
    except SyntaxError as error:
        return f"{error.lineno or 1}: {error.msg}"
    return None


def shell_error(path):
    result = subprocess.run(["bash", "-n", str(path)], capture_output=True, text=True)
    return f"1: {result.stderr.strip()}" if result.returncode else None


def main():
    assert python_error("x = (") and python_error("def f[T](x): pass") and not python_error("match x:\n    case 1: pass\n")
    violations, count = [], 0
    for name in files():
        if any(name.parts[:len(folder)] == folder for folder in EXEMPT):
            continue
        text = read(name)
        kind = language(name, text)
        error = {"python": lambda: python_error(text), "shell": lambda: shell_error(ROOT / name)}.get(kind, lambda: None)()
        count += kind is not None
        if error:
            violations.append(f"{name}:{error}")
    return finish(violations, f"{count} files parse")


if __name__ == "__main__":
    sys.exit(main())
