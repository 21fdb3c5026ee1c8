"""State machines, drawn from the tables of allowed steps in the sources."""
import math
import re

from svg import BLUE, GREY, WIDTH, Picture, number

COLUMN, ROW, BOX = 150, 84, 26
LEFT, TOP = 116, 92
CLOUD, SAGEMAKER = "sim/cloud/states.cpp", "sim/sagemaker/statuses.cpp"

# Where a state stands, in columns and rows. The steps are not here: they come from the table.
PLACES = {
    "instance": {
        "pending": (0, 0), "running": (1, 0), "shutting-down": (2, 0), "terminated": (3, 0),
        "stopped": (0, 1), "stopping": (1, 1)},
    "volume": {
        "creating": (0, 0), "available": (1, 0), "in-use": (2, 0),
        "deleted": (0, 1), "deleting": (1, 1), "error": (2, 1)},
    "spot-request": {
        "open": (0, 0), "active": (1, 0), "disabled": (2, 0),
        "failed": (0, 1), "cancelled": (1, 1), "closed": (2, 1)},
    "training-job": {
        "Interrupted": (0.5, 0), "Restarting": (1.5, 0), "Starting": (0, 1),
        "Downloading": (1, 1), "Training": (2, 1), "Uploading": (3, 1), "Stopping": (2.5, 2)},
}


def steps_of(machine, root):
    """The rows {"volume", "creating", "available"} of the cloud, or {"Starting", "Failed"}."""
    source, row = ((SAGEMAKER, r'^ *\{"(\w*)", "(\w*)"\},') if machine == "training-job" else
                   (CLOUD, rf'^ *\{{"{machine}", "([\w-]*)", "([\w-]*)"\}},'))
    found = re.findall(row, (root / source).read_text(), re.MULTILINE)
    if not found:
        raise SystemExit(f"states.py: found no steps of {machine} in {source}")
    return found


class Machine:
    def __init__(self, name, root):
        self.places, self.steps = PLACES[name], steps_of(name, root)
        self.states = list(dict.fromkeys(to for _, to in self.steps))
        self.ends = [state for state in self.states if state not in {old for old, _ in self.steps}]
        for state in self.states:
            if state not in self.places and state not in self.ends:
                raise SystemExit(f"states.py: found no place for the state {state} of {name}: "
                                 "add it to PLACES")
        self.listed = [state for state in self.ends if state not in self.places]
        self.rows = 1 + max(row for _, row in self.places.values())

    def at(self, state):
        column, row = self.places[state]
        return LEFT + column * COLUMN, TOP + row * ROW

    def before(self, state):
        return sorted((old for old, new in self.steps if new == state), key=self.states.index)


def width_of(state):
    return 20 + 7.8 * len(state)


def box(picture, machine, state, x, y):
    end = state in machine.ends
    picture.rect(x - width_of(state) / 2, y - BOX / 2, width_of(state), BOX, rx=13 if end else 4,
                 fill="#ececec" if end else "#e3f0f9", stroke=GREY if end else BLUE,
                 stroke_width=1.5)
    picture.text(x, y + 5, state, None, "middle")


def rim(point, middle, state, direction):
    """Where a ray from a point in a state's box leaves the box."""
    def reach(i, half):
        if not direction[i]:
            return math.inf
        aside = (point[i] - middle[i]) * math.copysign(1, direction[i])
        return (half + 1 - aside) / abs(direction[i])

    far = min(reach(0, width_of(state) / 2), reach(1, BOX / 2))
    return point[0] + far * direction[0], point[1] + far * direction[1]


def arrow(picture, machine, old, new):
    one, other = machine.at(old), machine.at(new)
    if one[1] == other[1] and abs(one[0] - other[0]) > COLUMN:  # over the boxes between
        top = one[1] - BOX / 2
        picture.path(f"M{number(one[0])} {number(top)}Q{number((one[0] + other[0]) / 2)} "
                     f"{number(top - 45)} {number(other[0])} {number(top - 1)}",
                     marker_end="url(#arrow)")
        return
    length = math.dist(one, other)
    dx, dy = (other[0] - one[0]) / length, (other[1] - one[1]) / length
    aside = 6 if (new, old) in machine.steps else 0  # two arrows side by side
    begin = one[0] - aside * dy, one[1] + aside * dx
    end = other[0] - aside * dy, other[1] + aside * dx
    picture.line(*rim(begin, one, old, (dx, dy)), *rim(end, other, new, (-dx, -dy)),
                 marker_end="url(#arrow)")


def drawing(name, title):
    def draw(root):
        machine = Machine(name, root)
        description = "; ".join(f"from {old or 'creation'} to {new}" for old, new in machine.steps)
        listed = TOP + machine.rows * ROW - 24
        height = listed + 34 * len(machine.listed) - (0 if machine.listed else 8)
        picture = Picture(height, title, f"The allowed steps: {description}.")
        picture.text(WIDTH - 16, 28, "a rounded box is an end", "small grey", "end")
        for old, new in machine.steps:
            if old and new in machine.places:
                arrow(picture, machine, old, new)
            elif not old:
                x, y = machine.at(new)
                edge = x - width_of(new) / 2
                picture.circle(edge - 36, y, 5, fill=GREY)
                picture.line(edge - 31, y, edge - 1, y, marker_end="url(#arrow)")
        for state in machine.places:
            box(picture, machine, state, *machine.at(state))
        for line, state in enumerate(machine.listed):
            y = listed + 34 * line
            box(picture, machine, state, 16 + width_of(state) / 2, y)
            picture.text(194, y + 4.5, "after " + ", ".join(machine.before(state)), "small")
        return str(picture)

    return draw
