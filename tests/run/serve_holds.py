"""serve_holds.py SPOTSIM SCENARIO: how `spotsim serve` starts, holds a thousand connections, bears
what is no HTTP, and ends."""
import random
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time

from serve_support import Served
from support import fail

spotsim, scenario = sys.argv[1:]
CALL = (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        b"Authorization: AWS4-HMAC-SHA256 Credential=A/20191105/us-west-2/ec2/aws4_request, "
        b"SignedHeaders=host, Signature=0\r\nContent-Length: 44\r\n\r\n"
        b"Action=DescribeInstances&Version=2016-11-15&")


def connect(port):
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    connection.settimeout(20)
    return connection


def answer(connection):
    """Head and body of one answer."""
    text = b""
    while b"\r\n\r\n" not in text:
        more = connection.recv(65536)
        if not more:
            return text
        text += more
    head, body = text.split(b"\r\n\r\n", 1)
    length = int(next(line.split(b":")[1] for line in head.split(b"\r\n")
                      if line.lower().startswith(b"content-length")))
    while len(body) < length:
        body += connection.recv(65536)
    return head


def first_answer_takes():
    """From the start of the process to the first answer, in seconds."""
    began = time.monotonic()
    with Served(spotsim, scenario) as served:
        with connect(served.port) as connection:
            connection.sendall(CALL)
            if b"200 OK" not in answer(connection):
                fail("the first call is not answered")
        return time.monotonic() - began


fastest = min(first_answer_takes() for _ in range(10))
print(f"the first answer takes {fastest * 1000:.0f} ms from the start")
if fastest > 0.05:
    fail(f"the first answer takes {fastest * 1000:.0f} ms from the start, expected 50 at most")

with Served(spotsim, scenario) as served:
    held = [connect(served.port) for _ in range(1000)]
    for round_number in range(2):  # all are held, and used again
        for connection in held:
            connection.sendall(CALL)
        for connection in held:
            if b"200 OK" not in answer(connection):
                fail("one of a thousand connections is not answered")
    print(f"a thousand connections take {served.memory_mib():.1f} MiB")
    if served.memory_mib() > 40:
        fail(f"it takes {served.memory_mib():.1f} MiB, expected 40 at most")
    for connection in held:
        connection.close()

    random.seed(13)
    for number in range(1000):
        text = bytearray(CALL * random.randint(1, 2))
        for _ in range(random.randint(1, 8)):
            at = random.randrange(len(text))
            kind = random.randrange(3)
            if kind == 0:
                text[at] = random.randrange(256)
            elif kind == 1:
                del text[at:at + random.randrange(40)]
            else:
                text[at:at] = random.randbytes(random.randrange(40))
            text = text or bytearray(b"\r")
        with connect(served.port) as connection:
            connection.sendall(text)
            connection.shutdown(socket.SHUT_WR)
            got = b""
            try:
                while more := connection.recv(65536):
                    got += more
            except ConnectionResetError:
                pass
        for line in got.split(b"\r\n"):
            if line.startswith(b"HTTP/1.1 5") and not line.startswith(b"HTTP/1.1 501"):
                fail(f"{bytes(text)} is answered {line}")
    for size, status in ((20_000, b"431"), (0, b"413")):
        with connect(served.port) as connection:
            head = b"GET /" + b"x" * size + b" HTTP/1.1\r\nContent-Length: 9999999\r\n\r\n"
            connection.sendall(head)
            if status not in answer(connection):
                fail(f"too large a request is not answered {status}")

    # Received requests are answered before the end, and an idle client delays no other.
    idle, asking = connect(served.port), connect(served.port)
    asking.sendall(CALL[:-10])
    time.sleep(0.2)
    served.process.send_signal(signal.SIGTERM)
    time.sleep(0.2)
    asking.sendall(CALL[-10:])
    if b"200 OK" not in answer(asking):
        fail("what was asked is not answered at the end")
    asking.close()
    status = served.process.wait(timeout=20)
    if status != 0:
        fail(f"it ended with {status}, expected 0")

# Without free descriptors it waits, and continues when there are some again.
with Served(spotsim, scenario) as served:
    resource.prlimit(served.process.pid, resource.RLIMIT_NOFILE, (64, 64))
    held = [connect(served.port) for _ in range(100)]
    time.sleep(0.2)
    used = served.cpu_seconds()
    time.sleep(2)
    if served.cpu_seconds() - used > 0.5:
        fail(f"out of descriptors it took {served.cpu_seconds() - used} s of two")
    for connection in held:
        connection.close()
    if "now" not in served.get("clock"):
        fail("it does not go on after it was out of descriptors")

for number in (signal.SIGINT, signal.SIGTERM):
    with Served(spotsim, scenario) as served:
        if served.stop(number) != 0:
            fail(f"signal {number} does not end it well")
        if "ended at" not in served.errors[0]:
            fail(f"it does not say that it ended: {served.errors[0]}")


def refused(*options):
    """What it says of bad input."""
    done = subprocess.run([spotsim, "serve", scenario, *options], capture_output=True, text=True,
                          timeout=20, check=False)
    if done.returncode != 2:
        fail(f"{options}: found exit code {done.returncode}, expected 2")
    return done.stderr


with Served(spotsim, scenario) as served, tempfile.TemporaryDirectory() as folder:
    if "Address already in use" not in refused("--port", str(served.port)):
        fail("a port in use is not named")
    for options, words in ((("--bind", "localhost"), "expected an IP address"),
                           (("--speed", "fast"), "expected 1x, a multiple such as 60x"),
                           (("--state", folder), folder),
                           (("--out", "/proc/nothing"), "/proc/nothing"),
                           (("--set", "x.y=1"), 'unknown key "x"')):
        if words not in refused("--port", "0", *options):
            fail(f"{options}: found {refused('--port', '0', *options)}, expected {words}")
