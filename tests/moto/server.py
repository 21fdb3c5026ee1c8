"""moto's server, for tests that compare spotsim with it or use both."""
import contextlib
import pathlib
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request


def installed_moto():
    """The server's program and its version; None and why there is none."""
    program = shutil.which("moto_server")
    if not program:
        return None, "there is no moto_server"
    done = subprocess.run(
        [pathlib.Path(program).parent / "python3", "-c", "import moto; print(moto.__version__)"],
        capture_output=True, text=True, check=False)
    return (program, done.stdout.strip()) if done.returncode == 0 else \
        (None, "the Python of moto_server has no moto")


@contextlib.contextmanager
def moto_server(program):
    """Its URL, when it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    with subprocess.Popen([program, "-p", str(port)], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as server:
        try:
            for _ in range(600):
                try:
                    urllib.request.urlopen(url + "/moto-api/data.json", timeout=20).read()
                    break
                except urllib.error.URLError:
                    time.sleep(0.1)  # its Python imports
            yield url
        finally:
            server.kill()
