"""aws-cli in one process for all calls of a test, where a call takes a few milliseconds of its own
time. A new process for each call takes most of a second."""
import contextlib
import io
import json
import re
import select
import subprocess
import sys

from serve_support import aws_environment
from support import fail

PATIENCE = 120  # seconds of real time for a command


class AwsCli:
    """aws-cli for a server. `installed` is false if this python3 has no aws-cli."""

    def __init__(self, url):
        self.url = url
        self.process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=aws_environment(AWS_DEFAULT_OUTPUT="json"))
        self.installed = self.process.stdout.readline().strip() == "installed"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(timeout=20)

    def __call__(self, *words):
        """What the command prints, read as JSON. Ends the test if the command fails."""
        print(json.dumps([*words, "--endpoint-url", self.url]), file=self.process.stdin, flush=True)
        # A waiter that never sees its state asks for ten minutes.
        if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
            self.process.kill()
            fail(f"aws {' '.join(words)}: no end after {PATIENCE} s")
        status, printed, errors = json.loads(self.process.stdout.readline())
        if status:
            fail(f"aws {' '.join(words)}: {errors}")
        return json.loads(printed or "{}")

    def pages(self, service, method, parameters, key, size=None):
        """The items under the key, collected once page by page (of this size), and once in two
        calls, the second of which begins at the first one's NextToken."""
        command = [command_of(service), method.replace("_", "-"), *options(parameters)]
        if size:
            command += ["--page-size", str(size)]
        whole = self(*command).get(key) or []
        parts = self(*command, "--max-items", "1")
        items = parts.get(key) or []
        if token := parts.get("NextToken"):
            items = items + (self(*command, "--starting-token", token).get(key) or [])
        if items != whole:
            fail(f"aws {' '.join(command)}: in two calls {items}, in one {whole}")
        return whole

    def wait(self, service, waiter, parameters):
        self(command_of(service), "wait", waiter.replace("_", "-"), *options(parameters))


def command_of(service):
    return "s3api" if service == "s3" else service


def option_of(name):
    """VolumeIds: volume-ids"""
    return re.sub("(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()


def options(parameters):
    """Parameters as aws-cli's options."""
    for name, value in parameters.items():
        option = "--" + option_of(name)
        if isinstance(value, bool):
            yield option if value else option.replace("--", "--no-", 1)
        elif isinstance(value, list):
            yield from [option, *(each if isinstance(each, str) else json.dumps(each)
                                  for each in value)]
        else:
            yield from [option, json.dumps(value) if isinstance(value, dict) else str(value)]


def serve():
    """Runs each command of the standard input, a list in JSON; prints status, output, errors."""
    try:
        from awscli.clidriver import create_clidriver
    except ImportError:
        print("missing", flush=True)
        return
    driver = create_clidriver()
    print("installed", flush=True)
    for line in sys.stdin:
        printed, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
            try:
                status = driver.main(json.loads(line))
            except SystemExit as end:
                status = end.code
        print(json.dumps([status, printed.getvalue(), errors.getvalue()]), flush=True)


if __name__ == "__main__":
    serve()
