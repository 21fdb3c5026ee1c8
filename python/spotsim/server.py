"""A running `spotsim serve`."""
import json
import subprocess
import tempfile
import threading

from .control import Control


class Server:
    """`spotsim serve` on a free port, from the constructor to close()."""

    def __init__(self, program, *arguments):
        self._errors = tempfile.TemporaryFile(mode="w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [program, "serve", "--port", "0", "--json", *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._errors, text=True)
        first = self.process.stdout.readline()
        if not first:
            status = self.process.wait()
            raise RuntimeError(f"spotsim serve ended with status {status}:\n{self.errors()}")
        self.url = json.loads(first)["url"]
        self.control = Control(self.url)
        # Events follow on stdout. The control API has them, but a full pipe would stop the service.
        self._drain = threading.Thread(target=self._discard_output, daemon=True)
        self._drain.start()

    def _discard_output(self):
        for _ in self.process.stdout:
            pass

    def errors(self):
        """The text that the service has written to stderr so far."""
        self._errors.seek(0)
        return self._errors.read()

    def close(self):
        """Ends the service."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._drain.join()
        self.process.stdout.close()
        self._errors.close()
