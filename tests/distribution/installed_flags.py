"""installed_flags.py CMAKE SOURCE BUILD: the preset `install` compiles the programs at -O2 or more,
also where nothing is installed that only tests need, and `cmake --install` refuses the folder
BUILD, which compiles sooner and runs slower."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from support import fail

cmake, source, build = sys.argv[1:]
NOT_INSTALLED = re.compile(r"/headers_|(_tests|_for_test|_fuzz|_bench)\.dir/|(^|/)(bench|tests)/")
NOT_NEEDED = ("GTest", "benchmark")
environment = {name: value for name, value in os.environ.items()
               if name != "SPOTSIM_INSTALL_AS_BUILT"}


def run(*command):
    done = subprocess.run(command, cwd=source, env=environment, capture_output=True, text=True,
                          check=False)
    return done.returncode, done.stdout + done.stderr


def level(command):
    """The last level counts."""
    return ([""] + re.findall(r" -O([^ ]*)", command))[-1]


def levels_of_the_preset(folder):
    status, said = run(cmake, "--preset", "install", "-B", folder,
                       "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DSPOTSIM_CUDA=OFF",
                       *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in NOT_NEEDED))
    if status != 0:
        fail(f"cmake --preset install: exit {status}\n{said[-3000:]}")
    entries = json.loads((pathlib.Path(folder) / "compile_commands.json").read_text())
    commands = {re.search(r" -o (\S+)", entry["command"])[1]: entry["command"] for entry in entries}
    return {output: level(command) for output, command in commands.items()
            if not NOT_INSTALLED.search(output)}


with tempfile.TemporaryDirectory(prefix="installed-flags-") as folder:
    levels = levels_of_the_preset(folder)
    slow = [f"{output}: -O{found}" for output, found in levels.items() if found not in ("2", "3")]
    if slow or len(levels) < 50:
        fail(f"of {len(levels)} files not at -O2 or -O3: {slow}")

    prefix = pathlib.Path(folder, "prefix")
    status, said = run(cmake, "--install", build, "--prefix", prefix)
    said = " ".join(said.split())  # CMake folds a message
    if status == 0 or "./spotsim install DIR" not in said or prefix.exists():
        fail(f"cmake --install {build}: expected a refusal, found exit {status}\n{said}")
    print(f"all {len(levels)} files of the preset are compiled at -O2 or -O3, and {build} is not "
          "installed")
