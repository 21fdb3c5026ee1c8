"""pytest_plugin.py tests|installs SPOTSIM ROOT: the pytest plugin in ROOT/python.

tests     its own tests pass
installs  pip installs it into a virtual environment without a network, and pytest finds it there
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import venv

from support import fail, skip

what, spotsim, root = sys.argv[1], *(pathlib.Path(one).resolve() for one in sys.argv[2:])


def run(words, **options):
    """The output of a command that must succeed."""
    ran = subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, check=False, **options)
    if ran.returncode:
        fail(f"{' '.join(map(str, words))}\n{ran.stdout}")
    return ran.stdout


def run_tests(folder):
    environment = dict(os.environ, SPOTSIM=str(spotsim), SPOTSIM_SCENARIOS=str(root / "scenarios"),
                       PYTHONPATH=str(root / "python"), PYTHONDONTWRITEBYTECODE="1",
                       PYTEST_PLUGINS="spotsim.pytest_plugin")
    print(run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--basetemp",
               folder / "runs", root / "python/tests"], env=environment))


def install(folder):
    # A copy, because setuptools builds in the source's folder.
    shutil.copytree(root / "python", folder / "python")
    venv.create(folder / "venv", system_site_packages=True, symlinks=True)
    python = folder / "venv/bin/python"
    run([python, "-m", "pip", "install", "--no-index", "--no-build-isolation", folder / "python"])
    (folder / "test_it.py").write_text("def test_it(aws):\n    assert aws.instances == []\n")
    run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder / "test_it.py"],
        env=dict(os.environ, SPOTSIM=str(spotsim)), cwd=folder)


needed = ["pytest"] + (["pip", "setuptools", "wheel"] if what == "installs" else [])
missing = [name for name in needed
           if subprocess.run([sys.executable, "-c", f"import {name}"], stderr=subprocess.DEVNULL,
                             check=False).returncode]
if missing:
    skip(f"this Python has no {', '.join(missing)} (Debian: python3-{missing[0]})")
with tempfile.TemporaryDirectory(prefix="plugin-") as name:
    (install if what == "installs" else run_tests)(pathlib.Path(name))
