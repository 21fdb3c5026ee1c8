"""options.py SPOTSIM DOCS README: each option of spottrain and spotrun, which stand beside SPOTSIM,
is on a page, not in --help alone."""
import pathlib
import re
import subprocess
import sys

from support import fail

spotsim, docs, readme = map(pathlib.Path, sys.argv[1:])
pages = readme.read_text() + "".join(page.read_text() for page in docs.rglob("*.md"))
OPTION = re.compile(r"(?:^|[\s,`|(])(--[a-z][a-z-]*)", re.M)


def help_of(*command):
    return subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout


def commands_of(program):
    listed = help_of(program).split("Subcommands:\n", 1)[1].split("\n\n", 1)[0]
    return re.findall(r"^  (\w[\w-]*)", listed, re.M)


documented = set(OPTION.findall(pages)) | {"--help"}
missing, seen = [], 0
for program in (spotsim.with_name("spottrain"), spotsim.with_name("spotrun")):
    for command in commands_of(program):
        offered = set(re.findall(r"^ +(?:-\w,)?(--[a-z][a-z-]*)", help_of(program, command), re.M))
        seen += len(offered)
        missing += [f"{program.name} {command} {option}" for option in sorted(offered - documented)]
if missing:
    fail("on no page of docs/: " + ", ".join(missing))
if seen < 50:
    fail(f"found {seen} options in all, expected more: is --help read rightly?")
