"""walk.py SPOTSIM PAGE ROOT: the commands of a page print what the page shows.

Blocks with a file's name are written. The `$ commands` run in order in a folder with ROOT's
scenarios/ and examples/, and each prints the lines below it; "…" stands for any number of lines.
A `spotsim serve … &` listens on a free port, which replaces port 5000 in files and commands after
it, and ends with the page.
"""
import contextlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from serve_support import Served
from support import fail, shows, skip

spotsim, page, root = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
text = page.read_text()
# A file: ```language NAME … ```. A call: an indented line "$ …" and the lines of its block below.
STEP = re.compile(r"^```\w+ (?P<name>\S+)\n(?P<content>.*?)^```$"
                  r"|^    \$ (?P<command>[^\n]*)\n(?P<output>(?:    (?!\$ )[^\n]*\n)*)",
                  re.M | re.S)
PORT = "http://127.0.0.1:5000"
# The distribution's Python first: it has boto3.
environment = dict(os.environ, NO_COLOR="1", PYTHONDONTWRITEBYTECODE="1",
                   PYTHONPATH=str(root / "python"), PYTEST_PLUGINS="spotsim.pytest_plugin",
                   PATH=f"{spotsim.parent}:/usr/bin:{os.environ['PATH']}")


def walk(stack):
    """Takes the page's steps; returns how many commands it has."""
    calls, url = 0, PORT
    for step in STEP.finditer(text):
        if step["name"]:
            file = pathlib.Path(step["name"])
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(step["content"].replace(PORT, url))
            file.chmod(0o755)
            continue
        calls += 1
        command = step["command"]
        if command.startswith("spotsim serve ") and command.endswith(" &"):
            options = shlex.split(command.removesuffix(" &"))[2:]
            url = stack.enter_context(Served(spotsim, *options)).url
            environment["SPOTSIM_URL"] = url
            continue
        ran = subprocess.run(["bash", "-c", command.replace(PORT, url)], env=environment,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             check=False)
        shown = [line.removeprefix("    ") for line in step["output"].rstrip("\n").splitlines()]
        if not shows(shown, ran.stdout):
            fail(f"$ {command}\nshown:\n{step['output']}\nprinted:\n{ran.stdout}")
    return calls


needed = ["boto3"] if "import boto3" in text else []
if "-m pytest" in text:
    needed += ["pytest", "boto3"]
for module in needed:
    if subprocess.run(["/usr/bin/python3", "-c", f"import {module}"], stderr=subprocess.DEVNULL,
                      check=False).returncode:
        skip(f"no {module} (Debian: python3-{module})")
with tempfile.TemporaryDirectory(prefix="walk-") as folder, contextlib.ExitStack() as stack:
    for part in ("scenarios", "examples"):
        shutil.copytree(root / part, pathlib.Path(folder, part))
    os.chdir(folder)
    calls = walk(stack)
    os.chdir(root)
if calls == 0:
    fail(f"{page} has no commands")
print(f"{calls} commands of {page.name} print what it shows")
