"""Lines of the event log (docs/event-log.md) as values."""
import dataclasses
import datetime
import json


def instant(text):
    """Parses "2019-11-05T10:00:00.123456789Z" to a datetime in UTC. Nanoseconds are cut off."""
    whole, _, fraction = text.rstrip("Z").partition(".")
    moment = datetime.datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S")
    microseconds = int((fraction + "000000")[:6])
    return moment.replace(microsecond=microseconds, tzinfo=datetime.timezone.utc)


@dataclasses.dataclass(frozen=True)
class Event:
    """A line of the log: a kind such as "instance.state", a time, and further fields."""
    kind: str
    time: datetime.datetime
    fields: dict

    @classmethod
    def of_line(cls, line):
        """Parses a line of events.jsonl."""
        fields = json.loads(line)
        return cls(fields.pop("event"), instant(fields.pop("time")), fields)

    def __getitem__(self, name):
        return self.fields[name]

    def get(self, name, default=None):
        """The field of this name, or the default."""
        return self.fields.get(name, default)

    def __str__(self):
        fields = " ".join(f"{name}={value}" for name, value in self.fields.items())
        return f"{self.time:%Y-%m-%d %H:%M:%S} {self.kind} {fields}"


class Events(list):
    """Events in the order of the log."""

    def of(self, kind, /, **fields):
        """The events of this kind whose fields have these values."""
        return Events(event for event in self if event.kind == kind and all(
            event.get(name) == value for name, value in fields.items()))

    @property
    def kinds(self):
        """The kind of each event."""
        return [event.kind for event in self]


def events_of(text):
    """Parses the text of an events.jsonl."""
    return Events(Event.of_line(line) for line in text.splitlines() if line)
