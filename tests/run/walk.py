"""walk.py SPOTSIM PAGE ROOT: what a page shows is so.

Its blocks with a file's name are written, its `$ commands` run in order in a folder with ROOT's
scenarios/ and examples/, and each prints the lines below it; "…" stands for any number of lines.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from support import fail

spotsim, page, root = map(pathlib.Path, sys.argv[1:])
text = page.read_text()
# A file: ```language NAME … ```. A call: an indented line "$ …" and the lines of its block below.
STEP = re.compile(r"^```\w+ (?P<name>\S+)\n(?P<content>.*?)^```$"
                  r"|^    \$ (?P<command>[^\n]*)\n(?P<output>(?:    (?!\$ )[^\n]*\n)*)",
                  re.M | re.S)


def pattern(lines):
    """What the shown lines allow."""
    parts = [r"(?:.*\n)*" if line.strip() == "…" else re.escape(line.rstrip()) + r"[ \t]*\n"
             for line in lines]
    return re.compile("".join(parts))


with tempfile.TemporaryDirectory(prefix="walk-") as folder:
    for part in ("scenarios", "examples"):
        shutil.copytree(root / part, pathlib.Path(folder, part))
    environment = dict(os.environ, PATH=f"{spotsim.parent}:{os.environ['PATH']}", NO_COLOR="1")
    calls = 0
    for step in STEP.finditer(text):
        if step["name"]:
            file = pathlib.Path(folder, step["name"])
            file.write_text(step["content"])
            file.chmod(0o755)
            continue
        calls += 1
        ran = subprocess.run(["bash", "-c", step["command"]], cwd=folder, env=environment,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             check=False)
        shown = [line.removeprefix("    ") for line in step["output"].rstrip("\n").splitlines()]
        if not pattern(shown).fullmatch(ran.stdout):
            fail(f"$ {step['command']}\nshown:\n{step['output']}\nprinted:\n{ran.stdout}")
    if calls == 0:
        fail(f"{page} has no commands")
    print(f"{calls} commands of {page.name} print what it shows")
