"""How long the program itself takes to start."""

from measuring import peak_mb, row, run


def measure(bench):
    rows = []
    for name, argv, count in (("kforge --version", ["--version"], 50), ("kforge problems", ["problems"], 20)):
        runs = [run([bench.kforge, *argv]).require() for _ in range(count)]
        rows.append(row(name, [1e3 * r.seconds for r in runs], "ms"))
        rows.append(row(f"{name}, peak memory", [peak_mb([bench.kforge, *argv]) for _ in range(5)], "MB"))
    return rows, {}
