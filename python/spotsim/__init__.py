"""Tests with spotsim: scenarios as tests, and a simulated AWS with a virtual clock.

    Aws             a simulated AWS, as the fixture `aws` gives it
    Server          a running `spotsim serve`
    Event, Events   lines of the event log
    Run             a finished `spotsim run`
    ControlError    the service refused a control call
    ScenarioFailed  a scenario did not meet its expectations
"""
from .aws import Aws
from .control import Clock, Control, ControlError, Faults
from .events import Event, Events
from .program import ProgramNotFound, find_program
from .runs import Run, ScenarioFailed, run_scenario
from .server import Server

__all__ = ["Aws", "Clock", "Control", "ControlError", "Event", "Events", "Faults",
           "ProgramNotFound", "Run", "ScenarioFailed", "Server", "find_program", "run_scenario"]
