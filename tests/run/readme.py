"""readme.py SPOTSIM README SCENARIOS: README's first run is what spotsim prints; docs/scenario.md's
table has every key that scenarios have. The commands after a `$` are walk.py's."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from support import fail, shows

spotsim, readme, scenarios = sys.argv[1:]
text = pathlib.Path(readme).read_text()

reference = pathlib.Path(readme).parent.joinpath("docs/scenario.md").read_text()
top_level = reference.split("\n## Top level")[1].split("\n## ")[0]
table = set(re.findall(r"^\| `(\w+)` \|", top_level, re.M))
for file in sorted(pathlib.Path(scenarios).glob("*.yaml")):
    missing = set(re.findall(r"^(\w+):", file.read_text(), re.M)) - table
    if missing:
        fail(f"docs/scenario.md, Top level, lacks {sorted(missing)} of {file.name}")

block = re.search(r"^    spotsim: az-hop: seed 7\n(?:(?:    .*)?\n)*", text, re.M)
if not block:
    fail("README does not show the run of az-hop")
shown = [line.removeprefix("    ") for line in block[0].rstrip("\n").splitlines()]
with tempfile.TemporaryDirectory(prefix="readme-") as folder:
    shutil.copytree(scenarios, f"{folder}/scenarios")
    ran = subprocess.run([spotsim, "run", "scenarios/az-hop.yaml"], cwd=folder, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
if "level root, lockstep" not in ran.stdout:  # then the fingerprint is another
    shown.pop()
    ran.stdout = ran.stdout.rsplit("spotsim: az-hop:", 1)[0]
if not shows(shown, ran.stdout):
    fail(f"README shows\n{block[0]}\nprinted was\n{ran.stdout}")
print("README shows what is printed")
