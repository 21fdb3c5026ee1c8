"""The rooms of the sources by layer, drawn from the table ALLOWED of tests/tidy/tidy.py."""
import importlib.util
import itertools

import layers
from svg import BLUE, GREEN, ORANGE, PURPLE, WIDTH, Picture, number

TOP, STOREY, BOX = 118, 50, 24
EXPLANATION = ["A room may include the rooms that its arrows lead to, and most of",
               "those further down the arrows. The table below has the exact list."]
# A room belongs to the first family of which its name has the beginning.
FAMILIES = [
    (("sim/",), BLUE, "white", "the simulator"),
    (("fakes",), ORANGE, None, "AWS's services over HTTP"),
    (("orchestrator", "trainer"), GREEN, "white", "programs that also run on EC2"),
    (("tests",), PURPLE, None, "tests"),
    (("",), "#cfcfcf", None, "shared by all"),
]


def tidy(root):
    spec = importlib.util.spec_from_file_location("tidy", root / "tests/tidy/tidy.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def family(room):
    return next(row for row in FAMILIES if room.startswith(row[0]))


def direct(below):
    """Leaves out what a room may include by way of another room."""
    def reached(room):
        return below[room].union(*(reached(other) for other in below[room]))

    return {room: sorted(other for other in others
                         if not any(other in reached(between) for between in others))
            for room, others in below.items()}


def curve(points):
    """From below the first box to the top of the last. Passes straight between other boxes."""
    half = BOX / 2
    steps = [f"M{number(points[0][0])} {number(points[0][1] + half)}"]
    for (x1, y1), (x2, y2) in itertools.pairwise(points):
        middle = number((y1 + y2) / 2)
        steps.append(f"V{number(y1 + half)}C{number(x1)} {middle} {number(x2)} {middle} "
                     f"{number(x2)} {number(y2 - half)}")
    return "".join(steps)


def width_of(room):
    return 14 + 6.7 * len(label_of(room))


def label_of(room):
    return room.removeprefix("sim/")


def draw(root):
    table = tidy(root)
    storeys, arrows = table.storeys(), direct(table.rooms_below())
    storey = {room: number for number, rooms in storeys.items() for room in rooms}
    x, paths = layers.place(storey, arrows, width_of, 16, WIDTH - 16)

    def y(stop):
        return TOP + (max(storeys) - (storey[stop] if stop in storey else stop[2])) * STOREY

    description = ("Boxes are rooms of the sources, in layers. " + " ".join(
        f"{room} includes {', '.join(others)}." for room, others in arrows.items() if others))
    picture = Picture(TOP + len(storeys) * STOREY, "Rooms by layer", description)
    for line, words in enumerate(EXPLANATION):
        picture.text(16, 50 + 18 * line, words, "grey")
    left = 16
    for _, colour, _, words in FAMILIES:
        picture.rect(left, 84, 12, 12, fill=colour)
        picture.text(left + 17, 94, words, "small")
        left += 34 + 6 * len(words)
    for stops in paths.values():
        picture.path(curve([(x[stop], y(stop)) for stop in stops]), marker_end="url(#arrow)")
    for room in storey:
        _, colour, style, _ = family(room)
        width = width_of(room)
        picture.rect(x[room] - width / 2, y(room) - BOX / 2, width, BOX, rx=5, fill=colour)
        picture.text(x[room], y(room) + 4.5, label_of(room), f"small {style or ''}".strip(),
                     "middle")
    return str(picture)
