"""An aws-cli of which there can be no memory image starts as usual, and a notice says why.

other_shapes.py SPOTSIM SCENARIO

An image of the scenario's instances would be more than is needed: the operator's script itself puts
a program at /usr/local/bin/aws, as Amazon's installer and pip do.
"""
import pathlib
import re
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from support import Run, fail, need_lockstep

PROGRAMS = {
    # Amazon's installer: a program with its own Python; here a shell script.
    "#!/bin/sh\necho \"aws-cli/2.0 $*\"\n": "it is neither a Python script",
    # A Python script whose package is not aws-cli's.
    "#!/usr/bin/python3\nimport sys\nsys.path.insert(0, '/nowhere')\nprint('aws-cli/1.0')\n": None,
    # As in a virtual environment that the script has made.
    "#!/opt/venv/bin/python3\nprint('aws-cli/1.0')\n":
        "cannot run /opt/venv/bin/python3: No such file or directory",
}


def main():
    spotsim, scenario = sys.argv[1:]
    need_lockstep()
    source = pathlib.Path(scenario)
    text = source.read_text().replace("traces/", f"{source.resolve().parent}/traces/")
    text = re.sub(r"^expect:.*\n(?: +.*\n)*", "", text, flags=re.M)
    with tempfile.TemporaryDirectory(prefix="other-aws-") as folder:
        for number, (program, why) in enumerate(PROGRAMS.items()):
            script = ("mkdir -p /opt/venv/bin; ln -s /usr/bin/python3 /opt/venv/bin/\n"
                      f"cat >/usr/local/bin/aws <<'END'\n{program}END\n"
                      "chmod +x /usr/local/bin/aws\naws --version\naws --version\n")
            operator = "operator:\n  script: |\n" + "".join(
                f"    {line}\n" for line in script.splitlines())
            file = pathlib.Path(folder, f"{number}.yaml")
            file.write_text(re.sub(r"^operator:\n(?: +.*\n)*", lambda _: operator, text,
                                   flags=re.M))
            out = pathlib.Path(folder, str(number))
            run = Run(spotsim, str(file), "--guest", "process", out=out)
            console = (out / "console/operator.log").read_text()
            if console.count("aws-cli/") != 2:
                fail(f"it did not run twice:\n{console}\n{run.process.stderr[-2000:]}")
            if why and run.process.stderr.count(why) != 1:
                fail(f"no notice, or two:\n{run.process.stderr[-2000:]}")


main()
