"""colours.py SPOTSIM SCENARIO: on a terminal spotsim's words have colours; where NO_COLOR is set
they are, byte for byte, what they are in a file. A run on a terminal has one line of progress."""
import fcntl
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios

from support import fail

spotsim, scenario = sys.argv[1:]
HEADING, GOOD, WARNING, ERROR = b"\033[1m", b"\033[32m", b"\033[33m", b"\033[1m\033[31m"


def environment(**more):
    plain = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
    return {**plain, "TERM": "xterm", **more}


def on_a_terminal(*command, columns=0, **more):
    """All that the command prints on a terminal, with a line feed alone at a line's end."""
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.execve(spotsim, [spotsim, *command], environment(**more))
    text = b""
    try:
        while part := os.read(terminal, 65536):
            text += part
    except OSError:  # Linux says that the other end is closed with EIO
        pass
    os.waitpid(pid, 0)
    os.close(terminal)
    return text.replace(b"\r\n", b"\n")


def without_progress(text):
    """What stays of it: a line of progress is overwritten by the next, and the last by nothing."""
    return re.sub(rb"(\r\033\[K[^\r\n]*)*\r\033\[K", b"", text)


def in_a_file(*command):
    return subprocess.run([spotsim, *command], env=environment(), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False).stdout


with tempfile.TemporaryDirectory(prefix="colours-") as folder:
    bad = pathlib.Path(folder, "bad.yaml")
    bad.write_text(pathlib.Path(scenario).read_text().replace("seed:", "sed:", 1))
    place = f"{bad}:".encode()
    for command, coloured in [
            (("types", "p3"), HEADING + b"type "),
            (("types", "p33"), ERROR + b"spotsim:\033[0m PATTERN: found no type"),
            (("validate", scenario), GOOD + scenario.encode() + b":\033[0m "),
            (("validate", str(bad)), ERROR + place),
            (("trace", "inspect", f"{folder}/none"), ERROR + b"spotsim:\033[0m "),
            (("sweep", f"{folder}/none"), ERROR + f"cannot read {folder}/none:".encode()),
            (("runn",), ERROR + b"spotsim:\033[0m found unknown command"),
            (("run", scenario, "--seed", "-3"), ERROR + b"spotsim run:\033[0m ")]:
        plain = in_a_file(*command)
        if b"\033" in plain:
            fail(f"{command}: a file has colours: {plain}")
        found = on_a_terminal(*command)
        if coloured not in found:
            fail(f"{command}: a terminal lacks {coloured}: {found}")
        for name, value in [("NO_COLOR", "1"), ("TERM", "dumb")]:
            found = on_a_terminal(*command, **{name: value})
            if found != plain:
                fail(f"{command}, {name}={value}:\n{found}\nis not\n{plain}")

    short = pathlib.Path(folder, "short.yaml")
    short.write_text("""name: short
policies: [on-demand, greedy]
job: {work: 1h, deadline: 4h, changeover: 0s, tick: 10m}
prices: {on_demand: 3, spot: 1}
traces: [draw: {up: 1h, down: 1h, length: 2h}]
""")
    job = pathlib.Path(folder, "job.yaml")
    job.write_text("""instance_type: p3.2xlarge
work: 1h
deadline: 3h
trace: prices.csv
windows: 10
""")
    pathlib.Path(folder, "prices.csv").write_text("""az,instance_type,timestamp,price_usd_h
us-east-1a,p3.2xlarge,2021-03-01T00:00:00Z,0.918
us-east-1a,p3.2xlarge,2021-04-01T00:00:00Z,0.918
""")
    calls = [("sweep", str(short), "--out", f"{folder}/short"), ("advise", str(job), "--details")]
    for call in calls:
        found = without_progress(on_a_terminal(*call, NO_COLOR="1"))
        if found != (plain := in_a_file(*call)):
            fail(f"{call}, NO_COLOR=1:\n{found}\nis not\n{plain}")
    found, advised = (on_a_terminal(*call) for call in calls)
    for words in (HEADING + b"  policy ", GOOD + b"* greedy ", HEADING + b"Advice\033[0m"):
        if words not in found:
            fail(f"a sweep on a terminal lacks {words}:\n{found}")
    for words in (HEADING + b"job: 1h of work", b"  rent      " + GOOD + b"p3.2xlarge with "):
        if words not in advised:
            fail(f"an advice on a terminal lacks {words}:\n{advised}")
    warning = f"{short}:5:10:\033[0m traces[0]: warning: found windows of 2h".encode()
    if WARNING + warning not in found:
        fail(f"a sweep does not warn on a terminal:\n{found}")

    run = ("run", scenario, "--guest", "fiber", "--out", f"{folder}/out")
    found = on_a_terminal(*run)
    for words in (GOOD + b"completed", HEADING + b"Attempts", GOOD + b"holds"):
        if words not in found:
            fail(f"a run on a terminal lacks {words}:\n{found}")
    failed = on_a_terminal(*run, "--set", "expect.attempts=7")
    for words in (ERROR + b"FAILS", HEADING + b"What happened", ERROR + b"spotsim:\033[0m FAILED"):
        if words not in failed:
            fail(f"a failed run on a terminal lacks {words}:\n{failed}")
    plain = on_a_terminal(*run, NO_COLOR="1")
    if b"\033[3" in plain or b"\033[1m" in plain:
        fail("a run has colours, though NO_COLOR is set")
    # The line of progress: elapsed virtual time, the step, the state, the cost.
    elapsed = re.findall(rb"Z  \+(\S+)  step \d+\S*  \S+  \$\d", plain)
    if not elapsed or re.search(rb"\d{3}h", b" ".join(elapsed)):
        fail(f"the line of progress says that these times have passed: {elapsed}")
    if b"\r" in in_a_file(*run):
        fail("a file has a line of progress")
    if b"\r" in (dumb := on_a_terminal(*run, TERM="dumb")) or b"\033" in dumb:
        fail("a terminal that cannot clear a line has a line of progress")
    narrow = re.findall(rb"\r\033\[K([^\r\n]+)", on_a_terminal(*run, columns=40))
    if not narrow or (widest := max(len(line.decode()) for line in narrow)) >= 40:
        fail(f"a line of progress would wrap on a terminal of 40 columns: {narrow}")
print("colours on a terminal, none elsewhere")
