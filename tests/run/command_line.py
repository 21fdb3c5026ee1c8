"""command_line.py SPOTSIM docs/cli.md: the page is what the program says of itself, and shells
complete its words."""
import pathlib
import re
import shutil
import subprocess
import sys

from support import fail

spotsim, page = sys.argv[1:]


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


if output(spotsim, "help", "--markdown") != pathlib.Path(page).read_text():
    fail("docs/cli.md is not what the program says (a new command, option, fault, policy or law is "
         "part of it). Run: ./spotsim build && build/bin/spotsim help --markdown > docs/cli.md")
if output(spotsim, "help") != output(spotsim, "--help"):
    fail("`spotsim help` is not `spotsim --help`")
for words in (["run"], ["trace", "synth"], ["ctl", "drain"], ["sweep"], ["serve"]):
    said = output(spotsim, "help", *words)
    if said != output(spotsim, *words, "--help"):
        fail(f"`spotsim help` of {words} is not its --help:\n{said}")
    if re.search(r"->|(INT|FLOAT|ENUM|TEXT):", said):
        fail(f"the help of {words} has CLI11's own terms:\n{said}")
unknown = subprocess.run([spotsim, "help", "trace", "snyth"], capture_output=True, text=True,
                         check=False)
if unknown.returncode != 2 or 'unknown command "snyth", expected "synth"' not in unknown.stderr:
    fail(f"`spotsim help trace snyth`: exit {unknown.returncode}, {unknown.stderr}")


def offered_by_bash(*words):
    line = " ".join(f"'{word}'" for word in words)
    return output("bash", "-c", f"source <({spotsim} completion bash); COMP_WORDS=({line}); "
                  f"COMP_CWORD={len(words) - 1}; _spotsim; printf '%s\\n' \"${{COMPREPLY[@]}}\""
                  ).split()


for words, expected in [(("spotsim", "tr"), ["trace"]),
                        (("spotsim", "trace", "sy"), ["synth"]),
                        (("spotsim", "run", "--ju"), ["--junit"]),
                        (("spotsim", "run", "--set", "x", "--check"), ["--check-against"]),
                        (("spotsim", "run", "--guest", "fi"), ["fiber"]),
                        (("spotsim", "completion", "z"), ["zsh"]),
                        (("spotsim", "run", page[:-2]), [page])]:
    if offered_by_bash(*words) != expected:
        fail(f"bash, {words}: offered {offered_by_bash(*words)}, expected {expected}")

if shutil.which("zsh"):
    # compdef and _describe stand in for zsh's own, which need a terminal.
    offered = output("zsh", "-fc", "compdef() { :; }; _files() { :; }; "
                     "_describe() { printf '%s\\n' ${(P)2}; }; "
                     f"source <({spotsim} completion zsh); words=(spotsim trace sy); CURRENT=3; "
                     "_spotsim; words=(spotsim trace synth --law b); CURRENT=5; _spotsim")
    for word in ("synth:Generate a random trace, from parameters or fitted to a given one",
                 "weibull"):
        if word not in offered.splitlines():
            fail(f"zsh: {word} is not offered in\n{offered}")
