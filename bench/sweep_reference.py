#!/usr/bin/env python3
"""The rules of sim/ticks/tick_run.h as a plain Python loop: the rival of bench/sweep_bench.cpp.

sweep_reference.py WINDOWS.txt.gz    means and runs per CPU-second of three policies
"""
import gzip
import math
import sys
import time

IDLE, SPOT, ON_DEMAND = range(3)


def decide(policy, now, there, t, done, changeover, work, deadline, d, g):
    if policy == "on-demand":
        return ON_DEMAND
    wish = SPOT if there else IDLE
    if policy == "uniform-progress":
        if done < t * g * work / deadline:
            wish = SPOT if there else ON_DEMAND
        if now == ON_DEMAND and (not there or (t * g + 2 * d) * work / deadline >= done):
            wish = ON_DEMAND
    left = math.floor((deadline - t * g) / g) * g
    if math.ceil((work - done + 2 * d) / g) * g >= left and now in (IDLE, ON_DEMAND):
        wish = ON_DEMAND
    if math.ceil((work - done + d) / g) * g >= left:
        wish = SPOT if now == SPOT and changeover <= 1e-3 else ON_DEMAND
    return wish if wish != SPOT or there else IDLE


def run(window, policy, work=48 * 3600, deadline=60 * 3600, d=720, g=600, price=(0, 0.9731, 3.06)):
    done = changeover = cost = 0
    now = IDLE
    for t in range(len(window) + 1000):
        if now != IDLE:
            worked = max(g - changeover, 0)
            changeover -= g - worked
            done += min(worked, work - done)
        if work - done <= 1e-3:
            return cost
        there = t < len(window) and window[t] == "0"
        if now == SPOT and not there:
            now = IDLE
        wish = decide(policy, now, there, t, done, changeover, work, deadline, d, g)
        if wish not in (now, IDLE):
            changeover = d
        now = wish
        cost += price[now] * g / 3600
    return cost


def main():
    with gzip.open(sys.argv[1], "rt") as file:
        windows = file.read().split()
    for policy in ("on-demand", "greedy", "uniform-progress"):
        begin = time.process_time()
        costs = [run(window, policy) for window in windows]
        rate = len(costs) / (time.process_time() - begin)
        print(f"{policy:18} mean ${sum(costs) / len(costs):.2f}  {rate:,.0f} runs per CPU-second")


main()
