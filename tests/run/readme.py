"""readme.py SPOTSIM README SCENARIOS: README's scenarios are the files, its runs and messages what
spotsim prints; docs/scenario.md's table has every key that scenarios have."""
import itertools
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from support import fail

spotsim, readme, scenarios = sys.argv[1:]
text = pathlib.Path(readme).read_text()


def differ(what, expected, found):
    pairs = itertools.zip_longest(expected.splitlines(), found.splitlines())
    for number, (a, b) in enumerate(pairs, 1):
        if a != b:
            fail(f"{what}, line {number}:\n  README has {b}\n  it is       {a}")


def quoted(first):
    """The block indented by four spaces whose first line begins with this."""
    block = re.search(rf"^    {re.escape(first)}.*\n(?:(?:    .*)?\n)*", text, re.M)
    if not block:
        fail(f"README quotes nothing that begins with {first}")
    lines = [line.removeprefix("    ") for line in block[0].splitlines()]
    return "\n".join(lines).strip("\n")


def called(folder, *command):
    ran = subprocess.run([spotsim, *command], cwd=folder, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, check=False)
    return ran.stdout.strip("\n")


blocks = re.findall(r"```yaml\n(name: (\S+)\n.*?)```", text, re.S)
if [name for _, name in blocks] != ["az-hop", "own-script"]:
    fail(f"README's scenarios are {[name for _, name in blocks]}")
for block, name in blocks:
    differ(f"scenarios/{name}.yaml", pathlib.Path(scenarios, f"{name}.yaml").read_text(), block)

reference = pathlib.Path(readme).parent.joinpath("docs/scenario.md").read_text()
top_level = reference.split("\n## Top level")[1].split("\n## ")[0]
table = set(re.findall(r"^\| `(\w+)` \|", top_level, re.M))
for file in sorted(pathlib.Path(scenarios).glob("*.yaml")):
    missing = set(re.findall(r"^(\w+):", file.read_text(), re.M)) - table
    if missing:
        fail(f"docs/scenario.md, Top level, lacks {sorted(missing)} of {file.name}")

with tempfile.TemporaryDirectory(prefix="readme-") as folder:
    shutil.copytree(scenarios, f"{folder}/scenarios")
    bad = pathlib.Path(folder, "scenarios/bad.yaml")
    scenario = pathlib.Path(scenarios, "az-hop.yaml").read_text()
    bad.write_text(scenario.replace("seed:", "sed:", 1).replace("at: 1h18m", "at: 78", 1))
    differ("the errors", called(folder, "validate", "scenarios/bad.yaml"),
           quoted("scenarios/bad.yaml:"))

    # The script's last command is one that is not there.
    broken = pathlib.Path(scenarios, "own-script.yaml").read_text()
    broken = re.sub(r"^    report '.*\n", "", broken, flags=re.M)
    broken = broken.replace("poweroff", "nosuchcommand").replace(
        '      report "\\"event\\": \\"step\\", \\"step\\": $step"\n', "")
    pathlib.Path(folder, "scenarios/broken.yaml").write_text(broken)
    told = called(folder, "run", "scenarios/broken.yaml", "--quiet")
    what_happened = re.search(r"^What happened\n.*?^Next: .*?$", told, re.M | re.S)
    if not what_happened:
        fail(f"a failed run does not say what happened:\n{told}")

    if "level root, lockstep" in told:  # else times and fingerprints are others
        differ("the failed run", what_happened[0], quoted("What happened"))
        differ("the run", called(folder, "run", "scenarios/az-hop.yaml"),
               quoted("spotsim: az-hop: seed 7"))
print("README is so")
