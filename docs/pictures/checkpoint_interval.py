"""Cost against checkpoint interval, drawn from a sweep and from Daly's formula.

J. W. Young, "A first order approximation to the optimum checkpoint interval", CACM 17, 1974;
J. T. Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps",
FGCS 22, 2006.
"""
import csv
import math
import pathlib
import re

from svg import BLACK, BLUE, LIGHT, ORANGE, RED, SKY, WIDTH, Picture

SWEEP = pathlib.Path(__file__).resolve().parents[2] / "scenarios/sweeps/checkpoint-frequency.yaml"
POLICY = "spot-only"  # rents Spot whenever there is some, so that only the interval matters
LEFT, RIGHT, TOP, BOTTOM = 52, WIDTH - 16, 132, 420
SHORTEST, LONGEST, MOST = 4, 960, 220  # minutes, minutes, hours
BAR = 46
PARTS = [("training that is kept", BLUE), ("restarts", SKY), ("saving checkpoints", ORANGE),
         ("training done again", RED)]


def minutes(text):
    return int(text[:-1]) * {"m": 1, "h": 60}[text[-1]]


def duration(key):
    """A duration of the sweep's file, in minutes."""
    return minutes(re.search(rf"\b{key}: (\d+[mh])", SWEEP.read_text())[1])


class Sweep:
    def __init__(self, folder):
        self.work, self.restart = duration("work"), duration("changeover")
        self.checkpoint, self.mean = duration("cost"), duration("up")
        self.runs = {}
        with open(folder / "runs.csv", newline="") as rows:
            for row in csv.DictReader(rows):
                if row["policy"] == POLICY:
                    interval = minutes(row["checkpoints"].split("(")[0])
                    self.runs.setdefault(interval, []).append(row)

    def finished(self, interval):
        return sum(int(row["finished"]) for row in self.runs[interval])

    def mean_of(self, interval, column):
        rows = self.runs[interval]
        return math.fsum(float(row[column]) for row in rows) / len(rows)

    def parts(self, interval):
        """Hours of an instance in a run, in the order of PARTS."""
        lost = self.mean_of(interval, "lost_h")
        return [self.mean_of(interval, "spot_h") - lost, self.mean_of(interval, "changeover_h"),
                self.mean_of(interval, "checkpoint_h"), lost]

    def expected(self, interval):
        """Daly's hours for the work, when interruptions are exponential."""
        mean = self.mean
        return (mean * math.exp(self.restart / mean) *
                math.expm1((interval + self.checkpoint) / mean) * self.work / interval / 60)

    def young(self):
        return math.sqrt(2 * self.checkpoint * self.mean)

    def daly(self):
        share = self.checkpoint / (2 * self.mean)
        return self.young() * (1 + math.sqrt(share) / 3 + share / 9) - self.checkpoint


def x_of(interval):
    share = math.log(interval / SHORTEST) / math.log(LONGEST / SHORTEST)
    return LEFT + share * (RIGHT - LEFT)


def y_of(hours):
    return BOTTOM - hours / MOST * (BOTTOM - TOP)


def bar(picture, sweep, interval):
    x, hours = x_of(interval), 0
    if sweep.finished(interval) < len(sweep.runs[interval]):
        all_runs = len(sweep.runs[interval])
        picture.text(x, BOTTOM - 44, f"{sweep.finished(interval)} of", "small", "middle")
        picture.text(x, BOTTOM - 27, f"{all_runs} runs", "small", "middle")
        picture.text(x, BOTTOM - 10, "finish", "small", "middle")
        return
    for (_, colour), part in zip(PARTS, sweep.parts(interval)):
        picture.rect(x - BAR / 2, y_of(hours + part), BAR, y_of(hours) - y_of(hours + part),
                     fill=colour)
        hours += part
    cost = sweep.mean_of(interval, "cost_usd")
    picture.text(x, BOTTOM - 10, f"${cost:.0f}", "white bold", "middle")


def axes(picture, sweep):
    for hours in range(0, MOST + 1, 50):
        picture.line(LEFT, y_of(hours), RIGHT, y_of(hours), LIGHT)
        picture.text(LEFT - 8, y_of(hours) + 5, str(hours), "grey", "end")
    for interval in sweep.runs:
        name = f"{interval} min" if interval < 60 else f"{interval // 60} h"
        picture.text(x_of(interval), BOTTOM + 20, name, None, "middle")
    picture.text((LEFT + RIGHT) / 2, BOTTOM + 42, "training between two checkpoints", "grey",
                 "middle")
    picture.text(16, TOP - 14, "hours of an instance, and what they cost", "grey")


def legend(picture):
    for number, (words, colour) in enumerate(PARTS):
        x, y = (16, 330)[number % 2], 62 + 20 * (number // 2)
        picture.rect(x, y, 13, 13, fill=colour)
        picture.text(x + 20, y + 12, words)


def draw(folder):
    """`folder` is what `spotsim sweep` writes for the sweep."""
    sweep = Sweep(folder)
    costs = ", ".join(f"${sweep.mean_of(interval, 'cost_usd'):.0f} at {interval} minutes"
                      for interval in sweep.runs)
    picture = Picture(
        BOTTOM + 56, "How often to save", "Mean hours and cost of a job over the interval between "
        f"its checkpoints: {costs}. Too short an interval spends the time on checkpoints. Too long "
        "an interval loses more training at each interruption.")
    picture.text(16, 50, f"{sweep.work // 60} h of work on Spot, interrupted every "
                 f"{sweep.mean // 60} h on average; a checkpoint takes {sweep.checkpoint} min",
                 "grey")
    legend(picture)
    axes(picture, sweep)
    for interval in sweep.runs:
        bar(picture, sweep, interval)
    curve = [(x_of(interval), y_of(sweep.expected(interval))) for interval in range(5, 361)]
    picture.polyline([point for point in curve if point[1] >= TOP], BLACK, stroke_width=2,
                     stroke_dasharray="6 4")
    picture.text(x_of(400), y_of(200), "Daly's formula", None, "middle")
    best, top = x_of(sweep.young()), y_of(187)
    picture.line(best, top, best, y_of(128), BLACK, stroke_width=1.5, marker_end="url(#arrow)")
    picture.text(best, top - 24, f"best by Young's √(2dM): {sweep.young():.0f} min,", None,
                 "middle")
    picture.text(best, top - 6, f"by Daly's: {sweep.daly():.0f} min", None, "middle")
    return str(picture)
