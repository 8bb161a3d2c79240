#!/usr/bin/env python3
"""Who may include whom. The table is the architecture: a module may include itself and what stands in its row.

arena never knows an LLM; report reads only stored artifacts; nothing points back. Includes are root-relative
("kforge/module/file.hpp"). --self-test only proves that the check can fail.
"""

import re
import sys

from _sources import ROOT, files, finish, line_of, read, without_comments

BOTTOM = {"net", "store", "jail", "guard", "prompt", "synth"}
ALLOWED = {
    "util": set(),
    **{module: {"util"} for module in BOTTOM},
    "platform": {"guard", "util"},
    "llm": {"net", "util"},
    "arena": {"jail", "platform", "guard", "util"},
    "profile": {"jail", "platform", "util"},
    "report": {"store", "util"},
    "agents": {"llm", "prompt", "util"},
    "exec": {"arena", "util"},
}
ALLOWED["forge"] = set(ALLOWED)
ALLOWED["cli"] = set(ALLOWED)
ALLOWED["main.cpp"] = set(ALLOWED)

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.M)


def violations_of(name, text, exists):
    """`name` is a path below src/kforge, such as "arena/clock.cpp"."""
    module = name.split("/")[0]
    if module not in ALLOWED:
        yield f"src/kforge/{name}:1: module '{module}' is not in the table of tests/checks/include_direction.py"
        return
    text = without_comments(text)
    for match in INCLUDE.finditer(text):
        where = f"src/kforge/{name}:{line_of(text, match.start())}"
        quote, target = match.groups()
        if not target.startswith("kforge/"):
            if quote == '"':
                yield f'{where}: "{target}" is not root-relative: write "kforge/{module}/..."'
            continue
        included = target.split("/")[1]
        if quote == "<":
            yield f"{where}: <{target}> is ours: include it in quotes"
        elif not exists(target):
            yield f"{where}: there is no src/{target}"
        elif included not in ALLOWED:
            yield f"{where}: module '{included}' is not in the table of tests/checks/include_direction.py"
        elif included != module and included not in ALLOWED[module]:
            yield f"{where}: {module} must not include {included} (it may: {', '.join(sorted(ALLOWED[module])) or 'nothing'})"


def cycle():
    """A module that can reach itself, if the table has one."""
    for start in ALLOWED:
        reached, ahead = set(), list(ALLOWED[start])
        while ahead:
            module = ahead.pop()
            if module == start:
                return start
            if module not in reached:
                reached.add(module)
                ahead += ALLOWED[module]
    return None


def self_test():
    def found(name, text):
        return list(violations_of(name, text, lambda target: "absent" not in target))

    assert cycle() is None, f"the table has a cycle through {cycle()}"
    good = '#include "kforge/jail/launch.hpp"\n#include <vector>\n// #include "kforge/llm/provider.hpp"\n'
    assert found("arena/arena.cpp", good) == []
    bad = {
        '#include "kforge/llm/provider.hpp"': "arena must not include llm",
        '  #  include "kforge/forge/forge.hpp"': "arena must not include forge",
        '#include "verdict.hpp"': "not root-relative",
        '#include "../jail/launch.hpp"': "not root-relative",
        "#include <kforge/jail/launch.hpp>": "in quotes",
        '#include "kforge/magic/wand.hpp"': "module 'magic'",
        '#include "kforge/jail/absent.hpp"': "there is no",
    }
    for line, message in bad.items():
        violations = found("arena/arena.cpp", "#pragma once\n" + line + "\n")
        assert len(violations) == 1 and message in violations[0], (line, violations)
        assert violations[0].startswith("src/kforge/arena/arena.cpp:2: "), violations
    assert "module 'magic'" in found("magic/wand.cpp", "")[0]
    assert "must not" in found("report/html.cpp", '#include "kforge/arena/verdict.hpp"')[0]
    assert "must not" in found("util/text.cpp", '#include "kforge/store/journal.hpp"')[0]


def main():
    self_test()
    if "--self-test" in sys.argv:
        return 0
    sources = [name for name in files() if name.parts[:2] == ("src", "kforge") and name.suffix in {".cpp", ".hpp", ".h"}]
    violations = [violation for name in sources
                  for violation in violations_of("/".join(name.parts[2:]), read(name),
                                                 lambda target: (ROOT / "src" / target).is_file())]
    return finish(violations, f"{len(sources)} files include only what they may")


if __name__ == "__main__":
    sys.exit(main())
