"""Runs of scenarios."""
import dataclasses
import json
import pathlib
import subprocess

from .events import events_of

REPLAY = "spotsim: replay with: "


class ScenarioFailed(Exception):
    """A scenario did not meet its expectations. The message is for people."""


@dataclasses.dataclass
class Run:
    """A finished `spotsim run`: its exit status, result.json, output folder and messages."""
    scenario: str
    status: int
    folder: pathlib.Path
    result: dict
    messages: str

    @property
    def events(self):
        """The events of the run."""
        return events_of((self.folder / "events.jsonl").read_text(encoding="utf-8"))

    @property
    def replay(self):
        """The command that replays a failed run and compares the logs; empty for other runs."""
        return next((line.removeprefix(REPLAY) for line in self.messages.splitlines()
                     if line.startswith(REPLAY)), "")

    def report(self):
        """The failures and their causes, as a text for people."""
        result = self.result
        lines = [f"{self.scenario}: {result['outcome']}, not as expected"]
        lines += [f"  FAILS  {one['expect']}, found {one['found']}"
                  for one in result["expectations"] if not one["holds"]]
        lines += [f"  BROKEN {one['id']}: {one['name']}, found {one.get('found', '?')}"
                  for one in result["invariants"] if not one["holds"]]
        if result["cause"]:
            lines += [f"cause: {result['cause']['why']}"]
            if console := result["cause"].get("console"):
                lines += [f"console: {self.folder / console}"]
        if self.replay:
            lines += [f"replay: {self.replay}"]
        return "\n".join([*lines, f"files: {self.folder}"])


def run_scenario(program, scenario, folder, *, expect=None, set=None, seed=None, guest=None,
                 options=()):
    """Runs a scenario and returns the Run, whose status is 0 if all expectations hold.

    `expect` replaces expectations, `set` values of other keys: {"trainer.policy": "epoch"}. Raises
    ScenarioFailed if the scenario cannot be run.
    """
    values = {f"expect.{key}": value for key, value in (expect or {}).items()} | (set or {})
    words = [program, "run", str(scenario), "--out", str(folder), "--quiet", *options]
    for key, value in values.items():
        words += ["--set", f"{key}={yaml_text(value)}"]
    if seed is not None:
        words += ["--seed", str(seed)]
    if guest is not None:
        words += ["--guest", guest]
    ran = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, text=True, check=False)
    file = pathlib.Path(folder, "result.json")
    if ran.returncode not in (0, 1) or not file.exists():
        raise ScenarioFailed(f"{scenario} was not run: spotsim ended with status "
                             f"{ran.returncode}\n{ran.stderr}")
    return Run(str(scenario), ran.returncode, pathlib.Path(folder),
               json.loads(file.read_text(encoding="utf-8")), ran.stderr)


def yaml_text(value):
    """A value as one line of YAML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {yaml_text(one)}" for key, one in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(yaml_text, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)
