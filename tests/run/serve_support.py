"""What the tests of `spotsim serve` share."""
import json
import os
import pathlib
import signal
import subprocess
import threading
import urllib.error
import urllib.request

from support import fail

CONTROL = {"X-Spotsim-Control": "1"}  # what web pages cannot send


class Served:
    """A running `spotsim serve` on a free port; its events are read as they come."""

    def __init__(self, spotsim, *arguments):
        self.process = subprocess.Popen(
            [spotsim, "serve", "--port", "0", "--json", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        first = self.process.stdout.readline()
        if not first:
            fail(f"it did not start: {self.process.stderr.read()}")
        self.ready = json.loads(first)
        self.url = self.ready["url"]
        self.port = int(self.url.rsplit(":", 1)[1])
        # Full pipes would stop it.
        self.errors = []
        self.threads = [threading.Thread(target=self.process.stdout.read, daemon=True),
                        threading.Thread(target=lambda: self.errors.append(
                            self.process.stderr.read()), daemon=True)]
        for thread in self.threads:
            thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        status = self.process.wait(timeout=20)
        self.threads[1].join(timeout=20)
        return status

    def control(self, path, body=None, headers=CONTROL):
        """Status and body of a call of the control API."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/_spotsim/{path}", data=data,
                                         headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def get(self, path):
        return json.loads(self.control(path)[1])

    def log(self):
        whole = ""
        while True:
            part = self.control(f"log?offset={len(whole.encode())}")[1]
            if not part:
                return whole
            whole += part

    def cpu_seconds(self):
        """Of its own time and the kernel's, so far."""
        stat = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text()
        fields = stat.rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mib(self):
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
        return 0


def aws_environment(**more):
    plain = {name: value for name, value in os.environ.items()
             if not name.startswith("AWS_") and not name.lower().endswith("_proxy")}
    return plain | {
        "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-west-2", "AWS_DEFAULT_OUTPUT": "text", "AWS_PAGER": "",
        "AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null"} | more
