"""build_progress.py SPOTSIM SCRIPT: `SCRIPT build` shows the progress of a build from
ninja's lines, which a stand-in for cmake prints here. Other lines appear only in the log.
A second build in the same folder waits until the first has ended."""
import os
import pathlib
import pty
import shutil
import subprocess
import sys
import tempfile

from support import fail, skip

NINJA = """ninja: Entering directory `build'
[1/120 2.812] Building CXX object a.o
[20/120 19.970] Building CXX object b.o
[41/120 62.104] Building CXX object c.o
note: [42/120 90.000] no line of ninja's
[60/120 82.1] Building CXX object d.o
[100/120 155.2] Building CXX object e.o
[119/120 176.0] Linking CXX executable f
"""
TOLD = ["building 41/120, about 2 min left", "building 60/120, about 1 min left",
        "building 100/120, about 40 s left", "building 119/120"]
FIRST = ["building 1/120", "building 20/120, about 2 min left"]


def stand_in(path, script):
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def on_a_terminal(command, environment):
    """What is printed on a terminal, as the texts that overwrite each other."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(command[0], command, environment)
    text = b""
    try:
        while part := os.read(terminal, 65536):
            text += part
    except OSError:  # Linux says that the other end is closed with EIO
        pass
    os.waitpid(pid, 0)
    os.close(terminal)
    return [line.strip() for line in text.decode().split("\r\033[K")][1:]


def expect(what, found, expected):
    if found != expected:
        fail(f"{what}: found {found}, expected {expected}")


if not shutil.which("apt-get"):
    skip("no Debian: the script builds nothing here")
with tempfile.TemporaryDirectory(prefix="build-progress-") as name:
    folder = pathlib.Path(name)
    script = shutil.copy(sys.argv[2], folder / "spotsim")
    tools = folder / "tools"
    tools.mkdir()
    (folder / "lines").write_text(NINJA)
    stand_in(tools / "cmake", f'case $1 in --build) cat "{folder}/lines" ;; esac')
    stand_in(tools / "dpkg-query", "echo installed all")
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
    build = [str(script), "build"]

    said = subprocess.run(build, env=environment, stderr=subprocess.PIPE, text=True,
                          check=True).stderr
    expect("in a file", said.splitlines()[1:], [f"spotsim: {text}" for text in TOLD])
    expect("the log", (folder / "build/build.log").read_text(), NINJA)

    # The stand-in ends when its input does, and notes how many builds there are at a time.
    stand_in(tools / "cmake", f"""case $1 in --build)
        mkdir "{folder}/building" || echo "two at a time" >>"{folder}/wrong"
        read line
        rmdir "{folder}/building" ;; esac""")
    first = subprocess.Popen(build, env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True)
    while "building into" not in (line := first.stderr.readline()):
        expect("the first build", bool(line), True)
    second = subprocess.Popen(build, env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True)
    expect("the second build", second.stderr.readline(),
           "spotsim: another build is running in build/ "
           "(tail -f build/build.log): waiting for it\n")
    for process in first, second:
        process.communicate("\n")
        expect("a build's status", process.returncode, 0)
    expect("two builds at a time", (folder / "wrong").exists(), False)

    stand_in(tools / "cmake", f'case $1 in --build) cat "{folder}/lines" ;; esac')
    expect("on a terminal", on_a_terminal(build, environment),
           [f"spotsim: {text}" for text in FIRST + TOLD] + [""])
