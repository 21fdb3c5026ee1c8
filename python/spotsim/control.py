"""The control API of `spotsim serve` (docs/control-api.yaml)."""
import datetime
import json
import urllib.error
import urllib.request

from .events import instant


class ControlError(Exception):
    """The service refused a call. The message is from the service."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class Control:
    """Calls of the control API at a service's URL."""

    def __init__(self, url):
        self.url = url
        # The environment's proxies must not get requests to this machine.
        self._open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open

    def text(self, path, body=None):
        """The text of the answer to a GET, or to a POST if there is a body."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/_spotsim/{path}", data=data,
                                         headers={"X-Spotsim-Control": "1"})
        try:
            with self._open(request, timeout=30) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            raise ControlError(error.code, _message(error.read().decode())) from None

    def get(self, path):
        """The JSON of the answer to a GET."""
        return json.loads(self.text(path))

    def post(self, path, **body):
        """The JSON of the answer to a POST. Members that are None are omitted."""
        return json.loads(self.text(path, {name: value for name, value in body.items()
                                           if value is not None}))

    def log(self, offset=0):
        """The text of the event log so far, from this byte on."""
        parts = []
        while True:
            part = self.text(f"log?offset={offset}")
            if not part:
                return "".join(parts)
            parts.append(part)
            offset += len(part.encode())


class Clock:
    """The virtual clock of a service."""

    def __init__(self, control):
        self._control = control

    @property
    def now(self):
        """The virtual time, a datetime in UTC."""
        return instant(self._control.get("clock")["now"])

    def advance(self, by):
        """Moves time by "10m", a number of seconds or a timedelta; returns the new time."""
        return instant(self._control.post("clock", by=duration(by))["now"])

    def advance_to(self, to):
        """Moves time to a datetime, or to "2019-11-05T10:00:00Z"; returns the new time."""
        if isinstance(to, datetime.datetime):
            to = to.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        return instant(self._control.post("clock", to=to)["now"])

    def next(self):
        """Moves time to the next event; returns the new time."""
        return instant(self._control.post("clock", next=True)["now"])


class Faults:
    """The faults that a service injects (docs/faults.md)."""

    def __init__(self, control):
        self._control = control

    def add(self, kind, /, **parameters):
        """Injects a fault, now or when a parameter says: add("api-throttled", times=2).

        Parameters that are keywords of Python get an underscore: for_="2m". The answer has the
        resources that the fault has struck.
        """
        body = {name.rstrip("_"): value for name, value in parameters.items()}
        return self._control.post("fault", kind=kind, **body)

    def list(self):
        """The added faults: dicts with id, fault, state (waits, lasts, over), strikes and found."""
        return self._control.get("faults")["faults"]

    def remove(self, fault="all"):
        """Removes a fault, by its ID or the answer of add; without an argument all of them.

        A removed fault no longer waits, and its effects end. Returns the removed faults.
        """
        which = fault["id"] if isinstance(fault, dict) else fault
        return self._control.post("fault/remove", id=which)["removed"]

    @property
    def kinds(self):
        """The names of the kinds that can strike here."""
        return [kind["kind"] for kind in self._control.get("faults")["kinds"]]


def duration(value):
    """A duration in spotsim's form, from "10m", a number of seconds or a timedelta."""
    if isinstance(value, str):
        return value
    seconds = value.total_seconds() if isinstance(value, datetime.timedelta) else value
    return f"{round(seconds * 1e6)}us"


def _message(text):
    try:
        return json.loads(text)["error"]
    except (ValueError, KeyError, TypeError):
        return text
