#!/usr/bin/env python3
"""Reads a checkpoint without our libraries. read_safetensors.py FILE prints its metadata and its
tensors' shapes and values as JSON. Written from https://huggingface.co/docs/safetensors."""
import json
import struct
import sys

with open(sys.argv[1], "rb") as file:
    (length,) = struct.unpack("<Q", file.read(8))
    header = json.loads(file.read(length))
    data = file.read()
metadata = header.pop("__metadata__", {})
tensors = {}
for name, tensor in header.items():
    assert tensor["dtype"] == "F32", tensor
    begin, end = tensor["data_offsets"]
    tensors[name] = {"shape": tensor["shape"],
                     "values": struct.unpack(f"<{(end - begin) // 4}f", data[begin:end])}
json.dump({"metadata": metadata, "tensors": tensors}, sys.stdout)
