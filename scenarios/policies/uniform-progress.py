#!/usr/bin/env python3
"""Uniform Progress as a program: docs/policies.md, "A program as a strategy"."""
import json
import math
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["event"] == "begin":
        C, D, d, g = (message[key] for key in ("work", "deadline", "changeover", "tick_time"))
        continue
    now, done, held = message["tick"] * g, message["done"], message["held"]
    pool = message["pools"][0]
    spot = pool["instances"] > 0 and pool["spot"] <= pool["on_demand"]
    rental = "spot" if spot else "on-demand" if done * D < now * C else "idle"
    if held == "on-demand" and (not spot or done * D <= (now + 2 * d) * C):
        rental = "on-demand"
    left = D // g - message["tick"]
    if held != "spot" and math.ceil((C - done + 2 * d) / g) >= left:
        rental = "on-demand"
    if math.ceil((C - done + d) / g) >= left:
        working = held == "spot" and message["changeover_left"] == 0
        rental = "spot" if working else "on-demand"
    print(json.dumps({"rental": rental}), flush=True)
