"""What the tests of sweeps share: a sweep of some hundred runs, the rows that are kept of it, and
comparing results."""
import contextlib
import pathlib
import sqlite3

from support import fail

SWEEP = """
name: many
scenario: {scenario}
set: {{interruptions: [{{lifetime: 1h}}], limit: 48h}}
compare: {{trainer.policy: [epoch, "time:20m"]}}
seeds: 1-{seeds}
"""
SEEDS = 300
RUNS = 2 * SEEDS
FIRST = 2  # kept at once: they are run to see that the sweep is the same


def write_sweep(folder, scenario):
    sweep = folder / "many.yaml"
    sweep.write_text(SWEEP.format(scenario=pathlib.Path(scenario).resolve(), seeds=SEEDS))
    return sweep


def rows(out):
    """How many runs are kept in an output folder."""
    part = out / "part-0-of-1.db"
    if not part.exists():
        return 0
    try:
        with contextlib.closing(sqlite3.connect(f"file:{part}?mode=ro", uri=True)) as db:
            return db.execute("SELECT count(*) FROM runs").fetchone()[0]
    except sqlite3.OperationalError:  # not made yet
        return 0


def expect_same(one, other):
    for name in ("runs.csv", "summary.csv", "results.db"):
        if (one / name).read_bytes() != (other / name).read_bytes():
            fail(f"{name} of {one.name} and of {other.name} differ")
