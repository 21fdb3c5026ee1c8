"""installed_package.py CMAKE BUILD: a project that finds an installed spotsim can test with it."""
import pathlib
import subprocess
import sys
import tempfile

from support import fail

PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(user NONE)
enable_testing()
find_package(spotsim 0.1 REQUIRED)
spotsim_add_scenario_test({scenarios}/no-interruption.yaml)
spotsim_add_scenario_test(failing.yaml)
"""

cmake, build = sys.argv[1:]


def run(*command, cwd=None):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def need(*command):
    status, said = run(*command)
    if status != 0:
        fail(f"{' '.join(map(str, command))}: exit {status}\n{said[-3000:]}")


with tempfile.TemporaryDirectory(prefix="installed-") as folder:
    prefix, project = pathlib.Path(folder, "prefix"), pathlib.Path(folder, "project")
    need(cmake, "--install", build, "--prefix", prefix)
    scenarios = prefix / "share" / "spotsim" / "scenarios"
    for completion in ("bash-completion/completions/spotsim", "zsh/site-functions/_spotsim"):
        if "_spotsim" not in (prefix / "share" / completion).read_text():
            fail(f"share/{completion} does not complete spotsim's words")
    project.mkdir()
    (project / "CMakeLists.txt").write_text(PROJECT.format(scenarios=scenarios))
    (project / "failing.yaml").write_text("sed: 7\n")
    need(cmake, "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    ctest = pathlib.Path(cmake).with_name("ctest")
    status, said = run(ctest, "--output-on-failure", cwd=project / "build")
    if status == 0 or "scenario.failing (Failed)" not in said or "1 tests failed" not in said:
        fail(f"expected scenario.failing alone to fail:\n{said[-3000:]}")
    print("an installed spotsim runs scenarios as tests of another project")
