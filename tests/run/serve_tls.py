"""serve_tls.py SPOTSIM SCENARIO: `spotsim serve --tls-port`: clients that know its CA are served,
others find it out."""
import json
import os
import pathlib
import shutil
import socket
import ssl
import stat
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from serve_support import CONTROL, Served, aws_environment
from support import fail

spotsim, scenario = sys.argv[1:]


def clock(url, context):
    request = urllib.request.Request(f"{url}/_spotsim/clock", headers=CONTROL)
    with urllib.request.urlopen(request, context=context, timeout=20) as answer:
        return json.loads(answer.read())["now"]


with tempfile.TemporaryDirectory() as folder:
    ca = pathlib.Path(folder, "ca")
    options = ("--tls-port", "0", "--tls-folder", str(ca), "--speed", "manual")
    with Served(spotsim, scenario, *options) as served:
        url = served.ready["tls_url"]
        knows = ssl.create_default_context(cafile=ca / "ca.pem")
        for host in ("127.0.0.1", "localhost"):
            if clock(url.replace("127.0.0.1", host), knows) != served.get("clock")["now"]:
                fail("both ports are not of one world")
        try:
            clock(url, ssl.create_default_context())
            fail("a client that does not know the CA is served")
        except urllib.error.URLError as error:
            if "CERTIFICATE_VERIFY_FAILED" not in str(error):
                raise
        if stat.S_IMODE((ca / "ca-key.pem").stat().st_mode) != 0o600:
            fail("the CA's key can be read by others")
        ctl = [spotsim, "ctl", "clock", "--json", "--url"]

        def control(url, **environment):
            return subprocess.run([*ctl, url], check=False, capture_output=True, text=True,
                                  timeout=20, env=os.environ | environment)

        trusted = str(ca / "ca.pem")
        for host in ("127.0.0.1", "localhost"):
            told = control(url.replace("127.0.0.1", host), SPOTSIM_CA=trusted)
            if told.returncode != 0 or json.loads(told.stdout) != served.get("clock"):
                fail(f"spotsim ctl over TLS: {told}")
        for environment, word in (({}, "SSL certificate problem"),
                                  ({"SPOTSIM_CA": str(ca / "none.pem")}, "--ca: found no certif"),
                                  ({"SPOTSIM_CA": str(ca / "ca-key.pem")}, "--ca: found no cert")):
            told = control(url, **environment)
            if told.returncode != 2 or word not in told.stderr or told.stdout:
                fail(f"spotsim ctl that does not know the CA: {environment} {told}")
        port = int(url.rsplit(":", 1)[1])
        for text in (b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x00\x05hello", b"\x00" * 500):
            with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
                connection.sendall(text)
                connection.shutdown(socket.SHUT_WR)
                try:
                    while connection.recv(4096):
                        pass
                except ConnectionResetError:
                    pass
        if os.access("/usr/bin/aws", os.X_OK):
            done = subprocess.run(
                ["/usr/bin/aws", "--endpoint-url", url, "ec2", "describe-volumes"], check=False,
                capture_output=True, text=True, timeout=60,
                env=aws_environment(AWS_CA_BUNDLE=str(ca / "ca.pem")))
            if done.returncode != 0:
                fail(f"aws-cli over TLS: {done.stderr}")
        for headers in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}):
            if served.control("clock", headers=CONTROL | headers)[0] != 403:
                fail(f"a web page is answered: {headers}")
        silent = socket.create_connection(("127.0.0.1", port), timeout=20)
        time.sleep(0.1)
        if served.stop() != 0:
            fail("it does not end well")
        silent.close()

    made = (ca / "ca.pem").read_bytes()
    with Served(spotsim, scenario, *options) as served:
        clock(served.ready["tls_url"], knows)  # the CA of before
    if (ca / "ca.pem").read_bytes() != made:
        fail("a second start made another CA")

    if openssl := shutil.which("openssl"):
        def run_openssl(*words):
            return subprocess.run([openssl, *words], cwd=ca, check=False, capture_output=True,
                                  text=True, timeout=20)

        run_openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-subj",
                    "/CN=bank.example", "-addext", "subjectAltName=DNS:bank.example", "-out", "r")
        signed = run_openssl("x509", "-req", "-in", "r", "-CA", "ca.pem", "-CAkey", "ca-key.pem",
                             "-copy_extensions", "copyall", "-out", "bank.pem")
        told = run_openssl("verify", "-CAfile", "ca.pem", "bank.pem")
        if told.returncode == 0 or "permitted subtree violation" not in told.stderr:
            fail(f"the CA can sign for other sites: {signed} {told}")
        if run_openssl("x509", "-in", "ca.pem", "-checkend", str(90 * 86400)).returncode == 0:
            fail("the CA lasts for more than 90 days")
        if run_openssl("x509", "-in", "ca.pem", "-checkend", str(80 * 86400)).returncode != 0:
            fail("the CA lasts for less than 80 days")
    done = subprocess.run([spotsim, "serve", scenario, "--port", "0", *options, "--allow-host",
                           "spotsim.test"], capture_output=True, text=True, timeout=20, check=False)
    if done.returncode != 2 or "cannot sign for this service" not in done.stderr:
        fail(f"a CA that is not for spotsim.test: {done.returncode} {done.stderr}")

    (ca / "ca.pem").write_text("no certificate")
    done = subprocess.run([spotsim, "serve", scenario, "--port", "0", *options],
                          capture_output=True, text=True, timeout=20, check=False)
    if done.returncode != 2 or "ca.pem: found nothing that can be read as PEM" not in done.stderr:
        fail(f"a damaged CA: {done.returncode} {done.stderr}")
