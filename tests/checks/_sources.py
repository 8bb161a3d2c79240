"""What the checks share: the files of the repository, and C++ text without its comments."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# Folders that exist without git knowing, for a checkout without .git.
IGNORED = {".git", ".venv", ".cache", "runs", "__pycache__"}


def files(root=ROOT):
    """Every file git tracks or would track, relative to the root and sorted."""
    listing = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                             capture_output=True)
    if listing.returncode == 0:
        names = [Path(name) for name in listing.stdout.decode().split("\0") if name]
    else:
        names = [path.relative_to(root) for path in root.rglob("*")]
        names = [name for name in names
                 if not IGNORED & set(name.parts) and not re.match(r"build(-.*)?$", name.parts[0])]
    return sorted(name for name in names if (root / name).is_file() and not (root / name).is_symlink())


def read(name, root=ROOT):
    return (root / name).read_text(encoding="utf-8", errors="replace")


TOKEN = re.compile(r'R"([^\s()\\]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.S)


def without_comments(text, strings=True):
    """C++ text with comments blanked (and the insides of strings, unless they are wanted); lines keep their numbers."""
    def blank(match):
        token = match[0]
        if token.startswith(("//", "/*")):
            return re.sub(r"[^\n]", " ", token)
        # A quote after a digit separates thousands.
        if strings or (token.startswith("'") and match.start() and text[match.start() - 1].isalnum()):
            return token
        return '"' + re.sub(r"[^\n]", " ", token[1:-1]) + '"'
    return TOKEN.sub(blank, text)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def finish(violations, summary):
    """Prints the violations and gives the exit status."""
    for violation in violations:
        print(violation)
    print(f"{len(violations)} violations" if violations else summary)
    return 1 if violations else 0
