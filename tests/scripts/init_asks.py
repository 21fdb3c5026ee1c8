"""init_asks.py SPOTSIM SCENARIOS: on a terminal, `spotsim init --log` asks whether the log was read
correctly. It writes the scenario after an answer of yes, and nothing after no or without an answer.
"""
import os
import pathlib
import pty
import sys
import tempfile

from support import fail

QUESTION = "Is this right? [Y/n]"


def on_a_terminal(command, answer):
    """The exit status and what is printed, with the answer once the question is there."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(command[0], command)
    text = b""
    try:
        while part := os.read(terminal, 65536):
            text += part
            if answer and QUESTION.encode() in text:
                os.write(terminal, answer)
                answer = b""
    except OSError:  # Linux reports a closed other end with EIO
        pass
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), text.decode()


def main():
    spotsim, scenarios = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    job = scenarios / "foreign/s3-sync"
    with tempfile.TemporaryDirectory(prefix="init-") as folder:
        log, file = pathlib.Path(folder, "train.log"), pathlib.Path(folder, "my.yaml")
        log.write_text("step 1/40\nstep 2/40\n")
        command = [spotsim, "init", "--user-data", f"{job}/user-data.sh", "--fleet",
                   f"{job}/fleet.json", "--prices", f"{scenarios}/traces/us-west-2-gpu.json",
                   "--log", str(log), "-o", str(file)]
        for what, answer, written in (("no", b"n\n", False), ("the end of input", b"\x04", False),
                                      ("yes", b"y\n", True)):
            status, said = on_a_terminal(command, answer)
            if QUESTION not in said or "step 1/40" not in said:
                fail(f"{what}: expected the log's lines and {QUESTION!r} in\n{said}")
            if file.exists() != written or (status == 0) != written or status not in (0, 2):
                fail(f"{what}: exit status {status}, written: {file.exists()}\n{said}")
            if ("not confirmed" in said) == written:
                fail(f"{what}: found\n{said}")
    print("init asks on a terminal")


main()
