"""The timeline of scenarios/az-hop.yaml, drawn from the event log and the result of its run."""
import datetime
import json

from svg import BLACK, BLUE, GREEN, LIGHT, ORANGE, PURPLE, RED, SKY, WIDTH, Picture

LEFT, RIGHT = 104, WIDTH - 16
LANE, GAP = 22, 8
EVERY = 50  # steps between two points of the curve
COLOURS = {"pending": SKY, "creating": SKY, "running": BLUE, "available": ORANGE, "in-use": GREEN,
           "completed": PURPLE, "shutting-down": RED, "deleting": RED}
LEGEND = [(SKY, "pending or creating"), (PURPLE, "completed"), (RED, "shutting-down or deleting")]
WHITE_ON = {BLUE, RED, GREEN}


def seconds(time):
    """The log writes nanoseconds. Python reads microseconds."""
    return datetime.datetime.fromisoformat(time[:26] + "+00:00").timestamp()


def clock(time):
    return datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%H:%M:%S")


class Log:
    """What the picture shows of the log: the spans of resources, the steps, and single instants."""

    def __init__(self, path):
        self.events = [json.loads(line) for line in path.read_text().splitlines()]
        for event in self.events:
            event["at"] = seconds(event["time"])
        self.begin, self.end = self.events[0]["at"], self.events[-1]["at"]

    def named(self, name, **wanted):
        return [event for event in self.events if event["event"] == name
                and all(event[key] == value for key, value in wanted.items())]

    def spans(self, kind):
        """(zone, state, from, to) of each resource of a kind; a snapshot has no zone."""
        found, zones, since = [], {}, {}
        for event in self.named(f"{kind}.state"):
            resource, at = event[f"{kind}_id"], event["at"]
            zone = zones.setdefault(resource, event.get("availability_zone", ""))
            if resource in since:
                found.append((zone, event["from"], since[resource], at))
            since[resource] = at
            if event["to"] in ("terminated", "deleted"):
                del since[resource]
            last = event["to"]
        return found + [(zones[resource], last, at, self.end) for resource, at in since.items()]


class Panel:
    """A stretch of time across the sheet."""

    def __init__(self, picture, begin, end):
        self.picture, self.begin, self.end = picture, begin, end

    def x(self, time):
        share = (time - self.begin) / (self.end - self.begin)
        return LEFT + min(max(share, 0), 1) * (RIGHT - LEFT)

    def axis(self, top, bottom, every, shown):
        first = -(-self.begin // every) * every
        for number in range(int((self.end - first) // every) + 1):
            x = self.x(first + number * every)
            self.picture.line(x, top, x, bottom, LIGHT)
            self.picture.text(x, bottom + 14, clock(first + number * every)[:shown], "small grey",
                              "middle")

    def lane(self, y, kind, zone, log, label):
        self.picture.text(16, y + 16, label, "small")
        for where, state, since, until in log.spans(kind):
            if where != zone or until <= self.begin or since >= self.end:
                continue
            left, right = self.x(since), self.x(until)
            colour = COLOURS[state]
            self.picture.rect(left, y, max(right - left, 1.5), LANE, fill=colour)
            if right - left > 8 * len(state):
                style = "small white" if colour in WHITE_ON else "small"
                self.picture.text((left + right) / 2, y + 15, state, style, "middle")

    def lanes(self, top, log, zones):
        """From the old zone down to the new one, because the data moves that way."""
        old, new = zones
        rows = [("instance", old), ("volume", old), ("snapshot", ""), ("volume", new),
                ("instance", new)]
        for number, (kind, zone) in enumerate(rows):
            label = f"{kind} {zone[-2:]}".rstrip()
            self.lane(top + number * (LANE + GAP), kind, zone, log, label)
        return top + len(rows) * (LANE + GAP)


def step_curve(panel, log, top, height, total):
    picture, bottom = panel.picture, top + height
    picture.text(16, top + 4, "step", "small")
    for share in (0, 0.5, 1):
        y = bottom - share * height
        picture.line(LEFT, y, RIGHT, y, LIGHT)
        picture.text(LEFT - 6, y + 4, str(round(share * total)), "small grey", "end")
    for start in log.named("trainer.start"):
        steps = log.named("trainer.step", instance_id=start["instance_id"])
        shown = [start, *steps[::EVERY], steps[-1]]
        points = [(panel.x(e["at"]), bottom - e["step"] / total * height) for e in shown]
        picture.polyline(points, BLUE, stroke_width=3)
    on_notice = [e["step"] for e in log.named("trainer.checkpoint-begin", reason="on-notice")]
    for saved in log.named("trainer.checkpoint-durable"):
        notice = saved["step"] in on_notice
        picture.circle(panel.x(saved["at"]), bottom - saved["step"] / total * height,
                       5 if notice else 3, fill=RED if notice else BLACK)
    for x, radius, colour, words in ((160, 3, BLACK, "checkpoint after an epoch"),
                                     (340, 5, RED, "checkpoint on notice")):
        picture.circle(x, top - 18, radius, fill=colour)
        picture.text(x + 10, top - 14, words, "small")


def instants(log):
    """What happens in the hop, in order: (time, lane, words)."""
    notice, = log.named("instance.notice")
    saved, = log.named("trainer.checkpoint-begin", reason="on-notice")
    old = notice["instance_id"]
    taken, = log.named("instance.state", instance_id=old, to="shutting-down")
    resumed = log.named("trainer.start")[-1]
    new = resumed["instance_id"]
    launched, = log.named("instance.state", instance_id=new, to="pending")
    snapshot, = log.named("snapshot.state", to="pending")
    volume, = log.named("volume.state", to="creating", snapshot_id=snapshot["snapshot_id"])
    left = log.named("attachment.state", instance_id=old, to="detaching")[-1]
    zone = launched["availability_zone"]
    return [
        (notice["at"], 0, "EC2 gives the instance two minutes' notice"),
        (left["at"], 1, f"step {saved['step']} is saved and the volume is being detached"),
        (taken["at"], 0, "EC2 terminates the instance"),
        (launched["at"], 4, f"the fleet launches a replacement in {zone}"),
        (snapshot["at"], 2, "the replacement makes a snapshot of the volume"),
        (volume["at"], 3, f"and creates a volume from it in {zone}"),
        (resumed["at"], 4, f"training goes on after step {resumed['step']}"),
    ]


def hop(picture, log, zones, top):
    steps = instants(log)
    panel = Panel(picture, steps[0][0] - 30, steps[-1][0] + 25)
    panel.axis(top, top + 5 * (LANE + GAP), 60, 5)
    panel.lanes(top, log, zones)
    bottom = top + 5 * (LANE + GAP) + 46
    for number, (at, lane, words) in enumerate(steps, 1):
        picture.numbered(panel.x(at), top + lane * (LANE + GAP) + 1, number)
        picture.numbered(27, bottom - 5, number)
        picture.text(44, bottom, clock(at), "grey")
        picture.text(112, bottom, words)
        bottom += 21
    return bottom


def legend(picture, y):
    x = LEFT
    for colour, words in LEGEND:
        picture.rect(x, y - 10, 12, 12, fill=colour)
        picture.text(x + 18, y, words, "small")
        x += 36 + 6.2 * len(words)


def draw(run):
    """`run` is a folder with events.jsonl and result.json."""
    log = Log(run / "events.jsonl")
    result = json.loads((run / "result.json").read_text())
    zones = [attempt["availability_zone"] for attempt in result["attempts"]]
    description = (
        f"Two panels over virtual time. The first shows the whole run: a spot instance trains in "
        f"{zones[0]} until EC2 takes it, and a replacement in {zones[1]} goes on. The second shows "
        "the minutes between: notice, checkpoint, snapshot, new volume, training again.")
    picture = Picture(772, "One run of az-hop: EC2 takes a Spot instance", description)
    cost, baseline = result["cost_usd"], result["baseline_cost_usd"]
    picture.text(16, 50, f"{result['steps_total']} steps, {result['lost_progress']['steps']} lost; "
                 f"${cost:.2f} in place of ${baseline:.2f} on demand", "grey")
    picture.text(16, 80, "The whole run", "bold")
    whole = Panel(picture, log.begin, log.end)
    whole.axis(94, 352, 1800, 5)
    step_curve(whole, log, 94, 96, result["steps_total"])
    whole.lanes(204, log, zones)
    legend(picture, 388)
    picture.text(16, 424, "The hop", "bold")
    hop(picture, log, zones, 440)
    return str(picture)
