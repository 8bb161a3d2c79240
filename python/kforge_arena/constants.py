"""Overriding module-level constants of a problem file: JSON on standard input, the new source on standard output."""

import ast
import json
import re
import sys


class ConstantError(Exception):
    pass


def specialize(source, settings, name):
    """{"SHRINK": "32"} rewrites the value in the line `SHRINK = 1` and leaves the rest of the text as it is."""
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise ConstantError(f"{name}:{error.lineno}: {error.msg}") from None
    constants = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            constants[node.targets[0].id] = node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            constants[node.target.id] = node.value
    edits = []
    for key, value in settings.items():
        if key not in constants:
            known = ", ".join(constants) or "none"
            raise ConstantError(f"{name} has no module-level constant {key} (it has: {known})")
        try:
            literal = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            raise ConstantError(f"--set {key}={value}: the value must be a Python literal; a text needs quotes inside of "
                                f"those of the shell: --set '{key}=\"text\"'") from None
        edits.append((constants[key], repr(literal)))
    # Columns count UTF-8 bytes, and only these end a line; from the end, so that earlier positions stay right.
    lines = [line.encode() for line in re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", source)]
    for node, text in sorted(edits, key=lambda edit: (edit[0].lineno, edit[0].col_offset), reverse=True):
        first, last = node.lineno - 1, node.end_lineno - 1
        head, tail = lines[first][: node.col_offset], lines[last][node.end_col_offset:]
        lines[first: last + 1] = [head + text.encode() + tail]
    return b"".join(lines).decode()


if __name__ == "__main__":
    request = json.load(sys.stdin)
    try:
        sys.stdout.write(specialize(request["source"], request["settings"], request["name"]))
    except ConstantError as error:
        sys.exit(str(error))
