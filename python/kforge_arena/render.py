"""Renders prompt templates with Jinja2: sandboxed, strict about missing variables. Needs jinja2, nothing else.

Run as a program it reads {"folders", "name" or "text", "context"} as JSON and prints the text.
"""

import functools
import json
import re
import sys

import jinja2
import jinja2.sandbox

_INLINE = "<inline template>"


class RenderError(Exception):
    """A template that cannot be rendered: where, and what is wrong with it."""


class _Missing(jinja2.StrictUndefined):
    """Names the keys that do exist, when a template asks an object for one that does not."""

    @property
    def _undefined_message(self):
        if isinstance(self._undefined_obj, dict):
            known = ", ".join(map(str, self._undefined_obj)) or "nothing"
            return f"the object has no {self._undefined_name!r}; it has: {known}"
        return super()._undefined_message


def fence(source, language=""):
    """A fenced block whose fence is longer than any run of backticks inside."""
    source = str(source).strip("\n")
    longest = max((len(run) for run in re.findall("`{3,}", source)), default=2)
    ticks = "`" * (longest + 1)
    return f"{ticks}{language}\n{source}\n{ticks}"


def demote(text, levels=1):
    """Shifts the headings of a Markdown text down, so that it fits below a heading of the prompt."""
    lines, inside = [], None
    for line in str(text).strip().splitlines():
        mark = re.match(r" {0,3}(`{3,}|~{3,})", line)
        if mark and inside is None:
            inside = mark[1]
        elif mark and mark[1].startswith(inside) and line.strip() == mark[1]:
            inside = None
        elif inside is None and re.match(r"#{1,6} ", line):
            hashes, rest = line.split(" ", 1)
            line = "#" * min(6, len(hashes) + levels) + " " + rest
        lines.append(line)
    return "\n".join(lines)


@functools.lru_cache(maxsize=8)
def _environment(folders):
    environment = jinja2.sandbox.ImmutableSandboxedEnvironment(
        loader=jinja2.ChoiceLoader([jinja2.FileSystemLoader(folder) for folder in folders]),
        undefined=_Missing,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["fence"] = fence
    environment.filters["demote"] = demote
    return environment


def _place(error, folders, name):
    """file:line of the template statement that failed: the innermost template frame of the traceback."""
    place, trace = name, error.__traceback__
    while trace is not None:
        filename = trace.tb_frame.f_code.co_filename
        if filename == "<template>":
            place = f"{name}:{trace.tb_lineno}"
        elif any(filename.startswith(folder.rstrip("/") + "/") for folder in folders):
            place = f"{filename}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def render(folders: list[str], name: str | None, text: str | None, context: dict) -> str:
    """The template `name` of the first folder that has it, or the template `text`."""
    shown = name or _INLINE
    try:
        environment = _environment(tuple(folders))
        template = environment.get_template(name) if name else environment.from_string(text or "")
        return template.render(context)
    except jinja2.TemplateNotFound as error:
        raise RenderError(f"{shown}: there is no template {error.name!r} in {', '.join(folders) or 'no folder'}")
    except jinja2.TemplateSyntaxError as error:
        raise RenderError(f"{error.filename or error.name or shown}:{error.lineno}: {error.message}")
    except jinja2.UndefinedError as error:
        message = str(error.message)
        if message.endswith(" is undefined"):
            message += f"; known variables: {', '.join(sorted(context)) or 'none'}"
        raise RenderError(f"{_place(error, folders, shown)}: {message}")
    except RecursionError as error:
        raise RenderError(f"{_place(error, folders, shown)}: the template includes itself without end")
    except Exception as error:  # whatever an expression of the template raises is the template's fault
        raise RenderError(f"{_place(error, folders, shown)}: {type(error).__name__}: {error}")


def main():
    request = json.load(sys.stdin)
    try:
        sys.stdout.write(
            render(request["folders"], request.get("name"), request.get("text"), request["context"])
        )
    except RenderError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
