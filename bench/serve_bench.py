"""serve_bench.py SPOTSIM [SECONDS]: what `spotsim serve` answers in a second, beside moto's server
and nginx with the same bytes, in one run: DescribeVolumes of 10, 100 and 1000 volumes, one volume
by its ID and its tag, and an instance's ID from its metadata, by 1 and 16 keep-alive clients.

Needs wrk; nginx and moto_server are left out where they are not there. SECONDS: of each
measurement (2). The processor time of a request says more than the rate where the machine is busy.
"""
import json
import os
import pathlib
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

SOURCE = pathlib.Path(__file__).resolve().parent.parent
SCENARIO = SOURCE / "scenarios/no-interruption.yaml"
ZONE = "us-west-2b"
SIGNED = ("AWS4-HMAC-SHA256 Credential=A/20191105/us-west-2/ec2/aws4_request, SignedHeaders=host, "
          "Signature=0")
HEADERS = {"Authorization": SIGNED, "Content-Type": "application/x-www-form-urlencoded"}
# One thread with all connections; it prints the number of answers and the latencies as JSON.
WRK = """
local method, body = os.getenv("BENCH_METHOD"), os.getenv("BENCH_BODY")
wrk.method, wrk.body = method, body ~= "" and body or nil
if body ~= "" then
  wrk.headers["Authorization"] = "%s"
  wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
end
function done(summary, latency)
  io.write(string.format('\\nRESULT {"requests": %%d, "seconds": %%f, "bad": %%d, ' ..
    '"p50": %%f, "p99": %%f}\\n', summary.requests, summary.duration / 1e6,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
""" % SIGNED
NGINX = """
daemon off; worker_processes 1; pid {0}/pid; error_log {0}/error.log;
events {{ worker_connections 256; }}
http {{
  access_log off; keepalive_requests 100000000; default_type text/xml; server_tokens off;
  client_body_temp_path {0}; proxy_temp_path {0}; fastcgi_temp_path {0}; uwsgi_temp_path {0};
  scgi_temp_path {0}; open_file_cache max=100;
  server {{ listen 127.0.0.1:{1}; root {0}/files; }}
}}
"""


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def form(action, **parameters):
    return urllib.parse.urlencode({"Action": action, "Version": "2016-11-15"} | parameters)


def ask(url, body=None):
    data = body.encode() if body else None
    request = urllib.request.Request(url, data, HEADERS if body else {})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read()


def value(xml, name):
    return xml.split(f"<{name}>".encode())[1].split(b"<")[0].decode()


class Program:
    """A server that ends at the end of the block."""

    def __init__(self, name, command):
        self.name, self.began = name, time.monotonic()
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)

    def until_it_answers(self, url):
        while self.process.poll() is None:
            try:
                ask(url)
                return
            except (urllib.error.URLError, OSError) as error:
                if isinstance(error, urllib.error.HTTPError):
                    return
            time.sleep(0.001)
        sys.exit(f"{self.name} ended with {self.process.returncode}")

    def cpu_seconds(self):
        """The processor time of the server and its children, so far."""
        pid = self.process.pid
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        total = 0
        for one in [str(pid), *children]:
            fields = pathlib.Path(f"/proc/{one}/stat").read_text().rsplit(")", 1)[1].split()
            total += int(fields[11]) + int(fields[12])
        return total / os.sysconf("SC_CLK_TCK")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()  # nginx ends its worker
        self.process.wait()


def serve(spotsim, *options):
    port = free_port()
    program = Program("spotsim", [spotsim, "serve", str(SCENARIO), "--port", str(port), *options])
    program.url = f"http://127.0.0.1:{port}/"
    program.until_it_answers(program.url)
    return program


def first_answer(spotsim):
    """From the start to the first answer, in milliseconds."""
    with serve(spotsim) as program:
        return (time.monotonic() - program.began) * 1000


def peak_mib(program):
    text = pathlib.Path(f"/proc/{program.process.pid}/status").read_text()
    return int(text.split("VmHWM:")[1].split()[0]) / 1024


class Load:
    def __init__(self, folder, seconds):
        self.script, self.seconds = folder / "wrk.lua", seconds
        self.script.write_text(WRK)

    def once(self, url, clients, body, seconds):
        done = subprocess.run(
            ["wrk", "-t1", f"-c{clients}", f"-d{seconds}s", "--timeout", "100s", "-s",
             str(self.script), url], capture_output=True, text=True, check=False,
            env=os.environ | {"BENCH_METHOD": "POST" if body else "GET", "BENCH_BODY": body})
        if "RESULT" not in done.stdout:
            sys.exit(f"wrk {url}: {done.stdout}{done.stderr}")
        result = json.loads(done.stdout.split("RESULT")[1])
        if result["bad"]:
            sys.exit(f"wrk {url} {body}: {result}")
        return result

    def __call__(self, program, path, clients, body=""):
        """Requests a second, p50 and p99 in milliseconds, processor time of each in microseconds;
        None without the program. Goes on for longer where nothing was answered."""
        if program is None:
            return None
        seconds = self.seconds
        while True:
            before = program.cpu_seconds()
            result = self.once(program.url + path, clients, body, seconds)
            if result["requests"]:
                break
            seconds *= 4
        cpu = (program.cpu_seconds() - before) / result["requests"] * 1e6
        return result["requests"] / result["seconds"], result["p50"], result["p99"], cpu


class Volumes:
    """Makes the given number; one of them has a unique tag."""

    def __init__(self, url):
        self.url, self.count, self.last = url, 0, None

    def grow(self, count):
        for number in range(self.count, count):
            made = ask(self.url, form("CreateVolume", AvailabilityZone=ZONE, Size=100, **{
                "TagSpecification.1.ResourceType": "volume", "TagSpecification.1.Tag.1.Key": "Name",
                "TagSpecification.1.Tag.1.Value": f"number-{number}"}))
            self.last = value(made, "volumeId")
        self.count = count

    def bodies(self):
        return (("all", form("DescribeVolumes")),
                ("by ID", form("DescribeVolumes", **{"VolumeId.1": self.last})),
                ("by tag", form("DescribeVolumes", **{
                    "Filter.1.Name": "tag:Name", "Filter.1.Value.1": f"number-{self.count - 1}"})))


COLUMNS = ("what", "clients", "a second: spotsim", "nginx", "moto", "of nginx", "times moto",
           "µs of processor: spotsim", "nginx", "moto", "p50 / p99 ms: spotsim", "nginx", "moto")


def row(what, clients, *servers):
    """A line of the table: for each server the result of Load, or None."""
    def shown(format_of):
        return [format_of(found) if found else "–" for found in servers]
    ours, others = servers[0], servers[1:]
    cells = [what, clients, *shown(lambda found: f"{found[0]:,.0f}"),
             *(f"{ours[0] / found[0]:.3g}" if found else "–" for found in others),
             *shown(lambda found: f"{found[3]:,.0f}"),
             *shown(lambda found: f"{found[1]:.3g} / {found[2]:.3g}")]
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def measure_volumes(load, served, moto, nginx, files):
    mine, theirs = Volumes(served.url), moto and Volumes(moto.url)
    for count in (10, 100, 1000):
        mine.grow(count)
        if count > 100:  # moto takes seconds for one answer
            moto = None
        if moto:
            theirs.grow(count)
        for kind, body in mine.bodies():
            file = f"{count}-{kind.replace(' ', '-')}.xml"
            (files / file).write_bytes(ask(served.url, body))
            for clients in (1, 16):
                row(f"DescribeVolumes, {kind} of {count}", clients,
                    load(served, "", clients, body), load(nginx, file, clients),
                    load(moto, "", clients, moto and dict(theirs.bodies())[kind]))


def measure_metadata(load, served, nginx, files):
    instance = value(ask(served.url, form(
        "RunInstances", ImageId="ami-0123456789abcdef0", InstanceType="p3.2xlarge", MinCount=1,
        MaxCount=1)), "instanceId")
    path = f"_spotsim/imds/{instance}/latest/meta-data/instance-id"
    (files / "instance-id").write_bytes(ask(served.url + path))
    for clients in (1, 16):
        row("instance-id", clients, load(served, path, clients),
            load(nginx, "instance-id", clients), None)


def start_nginx(folder):
    if not (program := shutil.which("nginx", path="/usr/sbin:/usr/bin")):
        print("no nginx: it is left out")
        return None
    port = free_port()
    (folder / "nginx.conf").write_text(NGINX.format(folder, port))
    nginx = Program("nginx", [program, "-p", str(folder), "-c", str(folder / "nginx.conf")])
    nginx.url = f"http://127.0.0.1:{port}/"
    nginx.until_it_answers(nginx.url)
    return nginx


def start_moto():
    if not shutil.which("moto_server"):
        print("no moto_server: it is left out")
        return None
    port = free_port()
    moto = Program("moto", ["moto_server", "-p", str(port)])
    moto.url = f"http://127.0.0.1:{port}/"
    moto.until_it_answers(moto.url + "moto-api/")
    return moto


def main():
    spotsim, seconds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2
    if not shutil.which("wrk"):
        sys.exit("wrk is not there: it makes the load")
    print(f"{os.cpu_count()} cores, {platform.machine()}, load {os.getloadavg()[0]:.1f}, "
          f"{seconds} s a row")
    fastest = min(first_answer(spotsim) for _ in range(10))
    print(f"first answer: {fastest:.0f} ms from the start, aim 50")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o755)  # nginx's worker is another user
        (folder / "files").mkdir()
        load = Load(folder, seconds)
        nginx, moto = start_nginx(folder), start_moto()
        try:
            with serve(spotsim) as served:
                print(f"| {' | '.join(COLUMNS)} |\n|" + "---|" * len(COLUMNS))
                measure_metadata(load, served, nginx, folder / "files")
                measure_volumes(load, served, moto, nginx, folder / "files")
                print(f"memory at the end: {peak_mib(served):.1f} MiB, aim 40")
        finally:
            for program in (nginx, moto):
                if program:
                    program.__exit__()


if __name__ == "__main__":
    main()
