#!/usr/bin/python3
"""Generates from events.txt the code and documentation of each event.

    generate.py events.txt --header FILE     the structs (sim/events/events.h)
    generate.py events.txt --schema FILE     a JSON Schema of a line of events.jsonl
    generate.py events.txt --page FILE       the tables between the page's marks
    generate.py events.txt --check ROOT      exit status 1 if the page or the schema is out of date

events.txt explains its columns."""
import argparse
import json
import pathlib
import re
import sys

TYPES = {"text": "std::string_view", "whole": "std::int64_t", "seed": "std::uint64_t",
         "number": "double", "flag": "bool", "json": "JsonField"}
WORDS = {"optional", "new", "or-null", "required"}
# A program in a guest writes these lines, with any fields beside.
PROGRAMS = ("trainer", "orchestrator")
MARKS = {None: "events", "trainer": "trainer", "orchestrator": "orchestrator"}


class Field:
    def __init__(self, line, place):
        columns = re.split(r"  +", line.strip(), maxsplit=1)
        self.name, self.type, *words = columns[0].split()
        self.note = columns[1] if len(columns) > 1 else ""
        if self.type not in TYPES or not set(words) <= WORDS:
            sys.exit(f"{place}: found {columns[0]!r}, expected NAME TYPE, the types being "
                     f"{', '.join(TYPES)} and what may follow {', '.join(sorted(WORDS))}")
        self.optional, self.new = "optional" in words, "new" in words
        self.null, self.required = "or-null" in words, "required" in words

    def cpp(self):
        may_lack = (self.optional or self.null) and self.type in ("whole", "number", "flag")
        kind = TYPES[self.type]
        return f"std::optional<{kind}>" if may_lack else kind

    def presence(self):
        when = "kNull" if self.null else "kSet" if self.optional else "kAlways"
        return f"event.is_new() ? Presence::{when} : Presence::kNever" if self.new \
            else f"Presence::{when}"

    def schema(self):
        names = {"text": "string", "whole": "integer", "seed": "integer", "number": "number",
                 "flag": "boolean", "json": ["object", "array"]}
        kind = names[self.type]
        if self.null:
            kind = [kind, "null"]
        return {"type": kind, **({"description": self.note} if self.note else {})}


class Event:
    def __init__(self, line):
        self.kind, self.when = re.split(r"  +", line, maxsplit=1)
        self.fields = []
        source = self.kind.split(".")[0]
        self.program = source if source in PROGRAMS else None

    def struct(self):
        return "".join(word.capitalize() for word in re.split(r"[.-]", self.kind))

    def has_new(self):
        return any(field.new for field in self.fields)


def read(path):
    events = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("  "):
            events[-1].fields.append(Field(line, f"{path}:{number}"))
        elif "  " in line:
            events.append(Event(line))
        else:
            sys.exit(f"{path}:{number}: found {line!r}, expected EVENT, two spaces, and when it is "
                     "written")
    return events


def struct_of(event):
    lines = [f"// {event.kind}: {plain(event.when)}", f"struct {event.struct()} {{",
             f"  static constexpr Kind kKind = Kind::k{event.struct()};", "  Time time{};"]
    for field in event.fields:
        note = f"  // {plain(field.note)}" if field.note else ""
        lines.append(f"  {field.cpp()} {field.name}{{}};{note}")
    lines.append("  const Json* read_from = nullptr;")
    if event.has_new():
        lines.append("  bool is_new() const { return from.empty(); }")
    lines += ["  template <class Event, class Visitor>",
              "  static void visit(Event& event, Visitor&& visitor) {"]
    if not event.fields:
        lines.append("    (void)event, (void)visitor;")
    for field in event.fields:
        lines.append(f'    visitor("{field.name}", event.{field.name}, {field.presence()});')
    return lines + ["  }", "};", ""]


def plain(text):
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)


def header(events):
    lines = ["// Made by sim/events/generate.py of sim/events/events.txt.", "#pragma once", "",
             "#include <array>", "#include <cstdint>", "#include <optional>",
             "#include <string_view>", "",
             '#include "sim/events/field.h"', '#include "sim/kernel/time.h"', "",
             "namespace sim::events {", "", "enum class Kind : std::uint8_t {"]
    lines += [f"  k{event.struct()}," for event in events] + ["  kOther,", "};", ""]
    for event in events:
        lines += struct_of(event)
    lines += ["template <class... Events>", "struct List {};",
              f"using All = List<{', '.join(e.struct() for e in events)}>;",
              f"inline constexpr std::size_t kKinds = {len(events)};", "",
              "// By Kind.", "inline constexpr std::array<std::string_view, kKinds> kNames{"]
    lines += [f'    "{event.kind}",' for event in events] + ["};", ""]
    lines += ["// Of programs in guests: whether their lines must have a step.",
              "inline constexpr std::array<bool, kKinds> kNeedsStep{"]
    for event in events:
        lines.append("    true," if any(f.required for f in event.fields) else "    false,")
    lines += ["};", "", "// Whether programs in guests write the lines, with any fields beside.",
              "inline constexpr std::array<bool, kKinds> kOfProgram{"]
    lines += ["    true," if event.program else "    false," for event in events]
    return "\n".join(lines + ["};", "", "}  // namespace sim::events", ""])


def row(event):
    fields = []
    for of_all in (True, False):
        texts = []
        for field in event.fields:
            if field.new == of_all:
                continue
            marks = [m for m in (field.note, "optional" if field.optional else "") if m]
            texts.append(f"`{field.name}`" + (f" ({'; '.join(marks)})" if marks else ""))
        if texts:
            fields.append(("" if of_all else "at creation also ") + ", ".join(texts))
    kind = event.kind.split(".", 1)[1] if event.program else event.kind
    return f"| `{kind}` | {'; '.join(fields)} | {event.when} |"


def tables(events):
    made = {}
    for program, mark in MARKS.items():
        first = "event" if program is None else f"line of `source: {program}`"
        rows = [f"| {first} | fields | when |", "|---|---|---|"]
        if program is None:
            rows[0] = "| event | fields | when |"
        made[mark] = "\n".join(rows + [row(e) for e in events if e.program == program])
    return made


def page(text, events):
    for mark, table in tables(events).items():
        begin, end = f"<!-- {mark}: made of sim/events/events.txt -->\n", f"<!-- end of {mark} -->"
        if begin not in text or end not in text:
            sys.exit(f"docs/event-log.md: no marks {begin.strip()} and {end}")
        text = text[:text.index(begin) + len(begin)] + table + "\n" + text[text.index(end):]
    return text


def line_schema(event):
    properties = {"time": {"$ref": "#/$defs/time"}, "event": {"const": event.kind}}
    if event.program:
        properties["instance_id"] = {"type": "string"}
        needed = ["instance_id"] + [f.name for f in event.fields if f.required]
        properties |= {f.name: f.schema() for f in event.fields if f.required}
    else:
        properties["region"] = {"$ref": "#/$defs/region"}
        properties |= {f.name: f.schema() for f in event.fields}
        needed = [f.name for f in event.fields if not f.optional and not f.new]
    made = {"description": plain(event.when), "type": "object", "properties": properties,
            "required": ["time", "event"] + needed}
    if not event.program:
        made["additionalProperties"] = False
    return made


def other_schema(events):
    ours = {event.kind.split(".")[0] for event in events}
    name = r"^(?!(" + "|".join(sorted(ours)) + r")(\.|$))[a-z0-9_-]+\.[a-z0-9_-]+$"
    return {"description": "a line that another program in a guest has written",
            "type": "object", "required": ["time", "event", "instance_id"],
            "properties": {"time": {"$ref": "#/$defs/time"}, "event": {"pattern": name}}}


def schema(events):
    instant = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$"
    whole = {"$schema": "https://json-schema.org/draft/2020-12/schema",
             "title": "A line of events.jsonl",
             "$defs": {"time": {"type": "string", "pattern": instant,
                                "description": "virtual, UTC"},
                       "region": {"type": "string",
                                  "description": "of an event in a further region"}},
             "oneOf": [line_schema(event) for event in events] + [other_schema(events)]}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def check(events, root):
    text = (root / "docs/event-log.md").read_text(encoding="utf-8")
    good = True
    for file, option, made in (("docs/event-log.md", "--page", page(text, events)),
                               ("docs/events.schema.json", "--schema", schema(events))):
        path = root / file
        if not path.exists() or path.read_text(encoding="utf-8") != made:
            print(f"{file} is not what sim/events/events.txt makes: run sim/events/generate.py "
                  f"sim/events/events.txt {option} {file}")
            good = False
    return good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("table", type=pathlib.Path)
    for option in ("--header", "--schema", "--page", "--check"):
        parser.add_argument(option, type=pathlib.Path)
    arguments = parser.parse_args()
    events = read(arguments.table)
    if arguments.header:
        arguments.header.parent.mkdir(parents=True, exist_ok=True)
        arguments.header.write_text(header(events), encoding="utf-8")
    if arguments.schema:
        arguments.schema.write_text(schema(events), encoding="utf-8")
    if arguments.page:
        text = arguments.page.read_text(encoding="utf-8")
        arguments.page.write_text(page(text, events), encoding="utf-8")
    if arguments.check and not check(events, arguments.check):
        sys.exit(1)


if __name__ == "__main__":
    main()
