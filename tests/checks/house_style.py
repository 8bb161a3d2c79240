#!/usr/bin/env python3
"""The house rules that a regular expression can see. Each rule says where it looks, what it refuses and which
files are its home. --self-test only proves that each rule can fail."""

import re
import sys
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import PurePath

from _sources import ROOT, files, finish, line_of, read, without_comments

CPP = ("src/*.cpp", "src/*.hpp", "src/*.h")
PYTHON = ("python/*.py",)
TEXT = ("*.cpp", "*.hpp", "*.h", "*.py", "*.sh", "*.md", "*.toml", "*.json", "*.j2", "*.txt", "scripts/*", "Makefile")


@dataclass
class Rule:
    message: str
    pattern: str
    where: tuple
    home: tuple = ()  # files the rule does not bind
    see: str = "code"  # code: C++ without comments and strings; strings: with strings; text: all of it
    bad: tuple = field(default=())  # what must be refused, for the self-test
    good: tuple = field(default=())


RULES = [
    Rule("read the environment in cli/config only", r"\b(secure_)?getenv\s*\(", CPP, ("src/kforge/cli/config.*",),
         bad=('auto* home = std::getenv("HOME");',), good=('say("getenv(x)");  // getenv(x)',)),
    Rule("environ belongs to util/process", r"\benviron\b", CPP, ("src/kforge/util/process.cpp",),
         bad=("for (char** e = ::environ; *e; ++e) {}",), good=("Environment environment;",)),
    Rule("processes are started in util/process.hpp's way only",
         r"\b(fork|vfork|clone3?|posix_spawnp?|exec[lv]p?e?|execveat|fexecve|system|popen)\s*\(", CPP,
         ("src/kforge/util/process.cpp", "src/kforge/util/spawn.cpp", "src/kforge/jail/*"),
         bad=("if (::fork() == 0) {}", 'std::system("ls");', 'popen("ls", "r");', "execve(a, b, c);"),
         good=("file_system(x);", 'text("fork()");', "steady_clock::now();")),
    # sanitize.py runs in a player, where candidates start processes too; baseline.py is where torch.compile starts compilers.
    Rule("the arena's Python starts processes in its nursery and its zygote only",
         r"\bos\.(fork|forkpty|exec\w+|spawn\w+|posix_spawnp?|system|popen)\b|\bimport (subprocess|multiprocessing)\b",
         PYTHON, tuple(f"python/kforge_arena/{name}.py" for name in ("nursery", "zygote", "sanitize", "baseline")), see="text",
         bad=("pid = os.fork()", "import subprocess"), good=("os.environ.clear()",)),
    Rule("catch what you can handle, by name", r"\bcatch\s*\(\s*\.\.\.\s*\)", CPP,
         ("src/kforge/main.cpp", "src/kforge/jail/inside/*"),  # nothing may fly through a C interface
         bad=("} catch (...) {",), good=("} catch (const Fatal& fatal) {",)),
    Rule("catch what you can handle, by name", r"^[ \t]*except[ \t]*:", PYTHON, see="text",
         bad=("    except:",), good=("    except ValueError:",)),
    Rule("unfinished work goes to the issue tracker", r"\b(TODO|FIXME|XXX|HACK)\b", TEXT,
         ("problems/*", "tests/checks/house_style.py", "tests/fixtures/*", "recordings/*"), see="text",
         bad=("// TODO: later",), good=("a method to do it",)),
    Rule("a path of one person's machine", r"(?<![\w.$}~-])/(home|Users|root)/\w", TEXT,
         ("tests/*", "recordings/*"), see="text",
         bad=('open("/home/ann/x")', "see /root/notes"), good=("src/root/x", "$HOME/home/x", "https://x.org/home/y")),
    Rule("branching on a platform, dialect, vendor or provider by name: its folder or table should decide",
         r'\b(dialect|vendor|platform(\.|->)name|provider)\s*(==|!=)\s*"', CPP, see="strings",
         bad=('if (platform.dialect == "x") {',), good=("if (platform.dialect == wanted) {",)),
]

NAMES = re.compile(r"(^|_)(manager|helpers?|utils?2|base|misc)(_|$)")


def rules_from_tables(platforms, providers):
    """Names that have one home each: a platform's is its folder, a provider's the llm module."""
    if platforms:
        either = "|".join(map(re.escape, platforms))
        yield Rule("a platform's name belongs to its folder (and to the default of --platform)",
                   rf"(?<![\w-])({either})(?![\w-])", CPP + PYTHON + ("prompts/*",), ("src/kforge/forge/run_config.hpp",),
                   see="strings")
    # The word "command" is too common to tell the provider from the word.
    if either := "|".join(re.escape(name) for name in providers if name != "command"):
        yield Rule("a provider's name belongs to its file and its row in llm/provider.cpp", rf'"({either})"', CPP,
                   ("src/kforge/llm/*",), see="strings")


def listed(patterns, name):
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def violations_of(rule, name, text):
    if not listed(rule.where, name) or listed(rule.home, name):
        return
    if rule.see != "text" and PurePath(name).suffix in {".cpp", ".hpp", ".h"}:
        text = without_comments(text, strings=rule.see == "strings")
    for match in re.finditer(rule.pattern, text, re.M):
        yield f"{name}:{line_of(text, match.start())}: {match[0].strip()}: {rule.message}"


def shape_violations(name, text):
    path = PurePath(name)
    if path.parts[0] in {"src", "python"} and NAMES.search(path.stem):
        yield f"{name}:1: a file named for nothing in particular"
    if path.parts[0] != "src" or path.suffix != ".hpp":
        return
    lines = text.split("\n")
    comment = next((index for index, line in enumerate(lines) if not line.startswith("//")), len(lines))
    if not 1 <= comment <= 6:
        yield f"{name}:1: a header opens with up to six lines of comment: what it owns, what it refuses to know"
    if comment >= len(lines) or lines[comment] != "#pragma once":
        yield f"{name}:{comment + 1}: expected #pragma once after the opening comment"


def self_test():
    by_table = list(rules_from_tables(["acme-lang"], ["oracle", "command"]))
    by_table[0].bad, by_table[0].good = ('x = "acme-lang";',), ("// acme-lang", "acme_lang();")
    by_table[1].bad, by_table[1].good = ('f("oracle");',), ('// "oracle"', 'f("command");', 'f("an oracle");')
    for rule in RULES + by_table:
        name = "python/x.py" if rule.where == PYTHON else "src/kforge/forge/x.cpp"
        for text in rule.bad:
            found = list(violations_of(rule, name, "\n" + text))
            assert len(found) == 1 and found[0].startswith(f"{name}:2: "), (rule.message, text, found)
        for text in rule.good:
            assert not list(violations_of(rule, name, text)), (rule.message, text)
        for home in rule.home:
            assert not list(violations_of(rule, home.replace("*", "x.cpp"), rule.bad[0])), (rule.message, home)
    assert list(shape_violations("src/kforge/run_manager.hpp", "// A.\n#pragma once\n"))
    assert list(shape_violations("src/kforge/a.hpp", "#pragma once\n"))
    assert list(shape_violations("src/kforge/a.hpp", "// A.\n#ifndef A\n"))
    assert not list(shape_violations("src/kforge/baseline.hpp", "// A.\n#pragma once\n"))
    assert without_comments("a /* x\n y */ 1'000'000 // z\n'\"' \"//\"").count("\n") == 2


def main():
    self_test()
    if "--self-test" in sys.argv:
        return 0
    names = [name.as_posix() for name in files()]
    platforms = sorted({name.split("/")[1] for name in names if fnmatchcase(name, "platforms/*/platform.toml")})
    table = ROOT / "src/kforge/llm/provider.cpp"
    providers = re.findall(r'^\s*\{"([\w-]+)",', table.read_text(), re.M) if table.is_file() else []
    rules = RULES + list(rules_from_tables(platforms, providers))
    rules.append(Rule("the path of this checkout", re.escape(str(ROOT)) + r"\b", TEXT, see="text"))
    violations = []
    for name in names:
        if any(listed(rule.where, name) for rule in rules):
            text = read(name)
            violations += shape_violations(name, text)
            violations += [violation for rule in rules for violation in violations_of(rule, name, text)]
    return finish(violations, f"{len(names)} files keep {len(rules)} rules")


if __name__ == "__main__":
    sys.exit(main())
