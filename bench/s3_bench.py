"""s3_bench.py SPOTSIM [GIB] [FILES]: measures S3 of `spotsim serve` with Debian's aws-cli, and cp
in the same run. One file of GIB (5) goes up and down, and FILES (10000) small files are synced both
ways and again. The table has the time, the processor time of client and server, and the largest
memory of the server so far (VmHWM).

The stored objects and the client's files are in the folder for temporary files (TMPDIR). They take
three times GIB on one disk.
"""
import os
import pathlib
import platform
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent
SCENARIO = SOURCE / "scenarios/no-interruption.yaml"
ENVIRONMENT = os.environ | {
    "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_DEFAULT_REGION": "us-west-2",
    "AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
    "AWS_EC2_METADATA_DISABLED": "true"}
TICKS = os.sysconf("SC_CLK_TCK")


class Server:
    """`spotsim serve` as long as the block lasts."""

    def __init__(self, spotsim):
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = found.getsockname()[1]
        self.command = [spotsim, "serve", str(SCENARIO), "--port", str(self.port)]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return self
            except OSError:
                time.sleep(0.05)
        sys.exit("s3_bench: the server does not answer")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def most_memory(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024  # MiB

    def processor(self):
        stat = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text()
        fields = stat.rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS


def measured(what, command, server, mib=None):
    """Runs a command and prints its row; returns its output."""
    def used_by_children():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    before, own, began = used_by_children(), server.processor(), time.monotonic()
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    took = time.monotonic() - began
    if done.returncode != 0:
        sys.exit(f"s3_bench: {command} failed:\n{done.stdout}{done.stderr}")
    rate = f"{mib / took:.0f}" if mib else "–"
    print(f"| {what} | {took:.1f} | {rate} | {used_by_children() - before:.1f} | "
          f"{server.processor() - own:.1f} | {server.most_memory():.0f} |", flush=True)
    return done.stdout


def make_file(path, mib):
    block = os.urandom(1 << 20)
    with path.open("wb") as file:
        for _ in range(mib):
            file.write(block)


def make_files(folder, count):
    old = time.time() - 20 * 365 * 86400  # older than any object of the scenario's time
    for i in range(count):
        path = folder / f"{i % 100:02}" / f"{i:05}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"%05d" % i * 200)
        os.utime(path, (old, old))


def main():
    spotsim = sys.argv[1]
    mib = int(float(sys.argv[2] if len(sys.argv) > 2 else 5) * 1024)
    count = int(sys.argv[3] if len(sys.argv) > 3 else 10000)
    print(f"{platform.processor() or platform.machine()}, load {os.getloadavg()[0]:.1f}\n")
    print("| | seconds | MiB/s | processor: client | server | server's most MiB |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as place, Server(spotsim) as server:
        folder = pathlib.Path(place)
        s3 = ["/usr/bin/aws", "--endpoint-url", f"http://127.0.0.1:{server.port}", "s3"]
        subprocess.run(s3 + ["mb", "s3://data"], env=ENVIRONMENT, check=True, capture_output=True)
        print(f"| at the start | | | | | {server.most_memory():.0f} |")
        if mib > 0:
            make_file(folder / "large", mib)
            quiet = ["--no-progress", "--only-show-errors"]
            measured("`cp` of the file", ["cp", folder / "large", folder / "copy"], server, mib)
            (folder / "copy").unlink()
            measured("`aws s3 cp` up", s3 + ["cp", *quiet, folder / "large", "s3://data/large"],
                     server, mib)
            measured("`aws s3 cp` down", s3 + ["cp", *quiet, "s3://data/large", folder / "back"],
                     server, mib)
            subprocess.run(["cmp", folder / "large", folder / "back"], check=True)
            for name in ("large", "back"):
                (folder / name).unlink()
        if count > 0:
            make_files(folder / "many", count)
            measured(f"`cp -r` of {count} files",
                     ["cp", "-r", folder / "many", folder / "copied"], server)
            shutil.rmtree(folder / "copied")
            up = s3 + ["sync", "--no-progress", folder / "many", "s3://data/many"]
            down = s3 + ["sync", "--no-progress", "s3://data/many", folder / "back"]
            for what, command, expected in (("up", up, count), ("up again", up, 0),
                                            ("down", down, count), ("down again", down, 0)):
                text = measured(f"`aws s3 sync` {what}", command, server)
                copied = len(text.splitlines())
                if copied != expected:
                    sys.exit(f"s3_bench: sync {what} copied {copied} files, expected {expected}")
            subprocess.run(["diff", "-r", folder / "many", folder / "back"], check=True)


main()
