"""Compares a JSON answer with the output shape that botocore has for it."""

TYPES = {"string": str, "boolean": bool, "integer": int, "long": int, "timestamp": (int, float),
         "double": (int, float), "float": (int, float), "blob": str, "list": list, "map": dict,
         "structure": dict}


def faults(value, shape, path):
    """The parts of a value that differ from its shape, each with its path."""
    if not isinstance(value, TYPES[shape.type_name]):
        return [f"{path}: found {value!r}, expected {shape.type_name}"]
    if shape.type_name == "list":
        return [fault for number, each in enumerate(value)
                for fault in faults(each, shape.member, f"{path}[{number}]")]
    if shape.type_name == "map":
        return [fault for key, each in value.items()
                for fault in faults(each, shape.value, f"{path}.{key}")]
    if shape.type_name != "structure":
        known = getattr(shape, "enum", None) or [value]
        return [] if value in known else [f"{path}: found {value!r}, expected one of {known}"]
    found = [f"{path}.{name}: unknown" for name in set(value) - set(shape.members)]
    for name in set(value) & set(shape.members):
        found += faults(value[name], shape.members[name], f"{path}.{name}")
    return found
