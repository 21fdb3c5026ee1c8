"""serve_iam_bench.py SPOTSIM [SECONDS] [--before OTHER]: what `spotsim serve` answers in a second
where IAM decides, and where it does not, beside nginx with the same bytes and moto's server:
DescribeVolumes of 10 and 100 volumes and one volume by its ID, signed, by 1 and 16 keep-alive
clients. The caller is an administrator, or a user with ten statements. OTHER: an older program.

Needs wrk and botocore. SECONDS: of each measurement (2). The servers alternate, so that all see
the same load of the machine.
"""
import argparse
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

import botocore.auth
import botocore.awsrequest
import botocore.credentials

import serve_bench

ADMINISTRATOR = ("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
WRK = """
wrk.method, wrk.body = "POST", os.getenv("BENCH_BODY")
for line in os.getenv("BENCH_HEADERS"):gmatch("[^\\n]+") do
  local name, value = line:match("^([^:]+): (.*)$")
  wrk.headers[name] = value
end
if wrk.body == "" then wrk.method, wrk.body = "GET", nil end
function done(summary, latency)
  io.write(string.format('\\nRESULT {"requests": %d, "seconds": %f, "bad": %d, "p50": %f}\\n',
    summary.requests, summary.duration / 1e6, summary.errors.status + summary.errors.read,
    latency:percentile(50) / 1000))
end
"""


def signed(url, keys, service, version, action, **parameters):
    """The headers and the body of a request; `serve` ignores the signing time."""
    body = urllib.parse.urlencode({"Action": action, "Version": version} | parameters)
    request = botocore.awsrequest.AWSRequest("POST", url, data=body, headers={
        "Content-Type": "application/x-www-form-urlencoded; charset=utf-8"})
    region = "us-east-1" if service == "iam" else "us-west-2"
    botocore.auth.SigV4Auth(botocore.credentials.Credentials(*keys), service, region).add_auth(
        request)
    return dict(request.headers), body


def ask(server, keys, action, service="ec2", version="2016-11-15", **parameters):
    headers, body = signed(server.url, keys, service, version, action, **parameters)
    request = urllib.request.Request(server.url, body.encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read().decode()


def value(xml, name):
    return xml.split(f"<{name}>")[1].split("<")[0]


def user_with_statements(server):
    """Nine statements that do not match, and one that does, with a condition."""
    def iam(action, **parameters):
        return ask(server, ADMINISTRATOR, action, "iam", "2010-05-08", UserName="ann", **parameters)
    others = [{"Effect": "Allow", "Action": f"s3:*{i}", "Resource": f"arn:aws:s3:::b{i}/*"}
              for i in range(9)]
    own = {"Effect": "Allow", "Action": "ec2:Describe*", "Resource": "*",
           "Condition": {"StringEquals": {"aws:RequestedRegion": "us-west-2"}}}
    iam("CreateUser")
    iam("PutUserPolicy", PolicyName="own", PolicyDocument=json.dumps(
        {"Version": "2012-10-17", "Statement": [*others, own]}))
    made = iam("CreateAccessKey")
    return value(made, "AccessKeyId"), value(made, "SecretAccessKey")


def load(script, server, url, clients, seconds, headers, body):
    """Requests a second, p50 in milliseconds, processor time of a request in microseconds."""
    before = server.cpu_seconds()
    done = subprocess.run(
        ["wrk", "-t1", f"-c{clients}", f"-d{seconds}s", "--timeout", "100s", "-s", str(script),
         url], capture_output=True, text=True, check=False,
        env=os.environ | {"BENCH_BODY": body, "BENCH_HEADERS": "\n".join(
            f"{name}: {text}" for name, text in headers.items())})
    if "RESULT" not in done.stdout:
        sys.exit(f"wrk: {done.stdout}{done.stderr}")
    result = json.loads(done.stdout.split("RESULT")[1])
    if result["bad"] or not result["requests"]:
        sys.exit(f"wrk {body}: {result}")
    cpu = (server.cpu_seconds() - before) / result["requests"] * 1e6
    return result["requests"] / result["seconds"], result["p50"], cpu


def measure(folder, callers, nginx, seconds):
    """callers: for each row its name, its server and the caller's keys."""
    script = folder / "wrk.lua"
    script.write_text(WRK)
    servers = list({id(server): server for _, server, _ in callers}.values())
    last, made = {}, 0
    for count in (10, 100):
        for server in servers:
            for _ in range(made, count):
                last[server] = value(ask(server, ADMINISTRATOR, "CreateVolume",
                                         AvailabilityZone="us-west-2b", Size=1), "volumeId")
        made = count
        for what in (f"all of {count}", f"one of {count}"):
            for clients in (1, 16):
                rows = []
                for name, server, keys in callers:
                    one = {"VolumeId.1": last[server]} if what.startswith("one") else {}
                    rows.append((name, server, server.url, *signed(
                        server.url, keys, "ec2", "2016-11-15", "DescribeVolumes", **one)))
                if nginx:
                    one = {"VolumeId.1": last[servers[0]]} if what.startswith("one") else {}
                    file = what.replace(" ", "-") + ".xml"  # nginx keeps its files open
                    (folder / "files" / file).write_text(
                        ask(servers[0], ADMINISTRATOR, "DescribeVolumes", **one))
                    rows.append(("nginx, the same bytes", nginx, nginx.url + file, {}, ""))
                for name, server, url, headers, body in rows:
                    rate, p50, cpu = load(script, server, url, clients, seconds, headers, body)
                    print(f"| {what} | {clients} | {name} | {rate:,.0f} | {cpu:,.1f} | {p50:.3g} |",
                          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("spotsim")
    parser.add_argument("seconds", nargs="?", type=int, default=2)
    parser.add_argument("--before", metavar="OTHER")
    arguments = parser.parse_args()
    if not shutil.which("wrk"):
        sys.exit("wrk is not there: it makes the load")
    print(f"{os.cpu_count()} cores, {platform.machine()}, load {os.getloadavg()[0]:.1f}, "
          f"{arguments.seconds} s a row")
    print("| DescribeVolumes | clients | server | a second | µs of processor | p50 ms |\n"
          "|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o755)  # nginx's worker is another user
        (folder / "files").mkdir()
        off, on = (serve_bench.serve(arguments.spotsim, *iam) for iam in ((), ("--iam",)))
        before = arguments.before and serve_bench.serve(arguments.before)
        nginx, moto = serve_bench.start_nginx(folder), serve_bench.start_moto()
        try:
            callers = [("IAM off", off, ADMINISTRATOR),
                       ("IAM on, administrator", on, ADMINISTRATOR),
                       ("IAM on, ten statements", on, user_with_statements(on))]
            if before:
                callers.append(("the older program", before, ADMINISTRATOR))
            if moto:
                callers.append(("moto", moto, ADMINISTRATOR))
            measure(folder, callers, nginx, arguments.seconds)
        finally:
            for server in (off, on, before, nginx, moto):
                if server:
                    server.__exit__()


if __name__ == "__main__":
    main()
