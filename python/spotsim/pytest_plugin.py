"""A plugin for pytest: the marks `spotsim` and `aws`, the fixtures `spotsim_run` and `aws`."""
import pathlib

import pytest

from .aws import REGION, Aws
from .program import ProgramNotFound, find_program
from .runs import ScenarioFailed, run_scenario
from .server import Server

MARKS = (
    'spotsim(scenario, expect={}, set={}, seed=None, guest=None, options=()): runs the scenario, '
    "whose path is relative to the test's file, before the test's own code; its expectations must "
    "hold",
    "aws(scenario=None, profile='instant', speed='manual', start=None, region='us-west-2', "
    "options=()): how the fixture `aws` starts `spotsim serve`")
LOG_LINES = 60
SERVERS = pytest.StashKey()
RUN = pytest.StashKey()


def pytest_addoption(parser):
    """Defines the plugin's settings."""
    parser.addini("spotsim_program", "path of the program spotsim", default="")


def pytest_configure(config):
    """Registers the marks."""
    for mark in MARKS:
        config.addinivalue_line("markers", mark)
    config.stash[SERVERS] = {}


def pytest_unconfigure(config):
    """Ends the servers."""
    for server in config.stash.get(SERVERS, {}).values():
        server.close()


# ---- scenarios as tests


class LazyRun:
    """The run of the test's scenario. It starts when the test's own code begins."""

    def __init__(self):
        self.run = None

    def __getattr__(self, name):
        if self.run is None:
            raise AttributeError("the scenario runs when the test begins, after all fixtures")
        return getattr(self.run, name)


@pytest.fixture
def spotsim_run(request):
    """The run of the test's mark `spotsim`: its result, events and folder."""
    if request.node.get_closest_marker("spotsim") is None:
        pytest.fail("spotsim_run needs the mark @pytest.mark.spotsim(SCENARIO)", pytrace=False)
    return request.node.stash.setdefault(RUN, LazyRun())


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Runs the scenario of a marked test; pytest then calls the test's own code."""
    mark = pyfuncitem.get_closest_marker("spotsim")
    if mark is not None:
        run = _run_of(pyfuncitem, *mark.args, **mark.kwargs)
        pyfuncitem.stash.setdefault(RUN, LazyRun()).run = run
        if run.status:
            raise ScenarioFailed(run.report())


def _run_of(item, scenario, **options):
    path = pathlib.Path(scenario)
    if not path.is_absolute():
        path = item.path.parent / path
    folder = item.config._tmp_path_factory.mktemp("spotsim") / path.stem
    return run_scenario(_program(item.config), path, folder, **options)


# ---- AWS for tests


@pytest.fixture
def aws(request):
    """A simulated AWS, reset for this test. The mark `aws` has the options of its server."""
    mark = request.node.get_closest_marker("aws")
    options = dict(mark.kwargs) if mark else {}
    region = options.pop("region", REGION)
    server = _server(request.config, _arguments(request.node, **options))
    made = Aws(server, region)
    request.node.stash[SERVERS] = made
    made.reset()
    return made


def _arguments(item, scenario=None, profile="instant", speed="manual", start=None, options=()):
    words = ["--profile", profile, "--speed", speed, *options]
    if start is not None:
        words += ["--start", start]
    return (*((str(item.path.parent / scenario),) if scenario else ()), *words)


def _server(config, arguments):
    servers = config.stash[SERVERS]
    server = servers.get(arguments)
    if server is None or server.process.poll() is not None:
        servers[arguments] = server = Server(_program(config), *arguments)
    return server


def _program(config):
    try:
        return find_program(config.getini("spotsim_program"))
    except ProgramNotFound as error:
        message = str(error)
    return pytest.fail(message, pytrace=False)


# ---- reports


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Shows a failed scenario's own report, and the server's log of a failed test."""
    outcome = yield
    report = outcome.get_result()
    if call.excinfo is not None and call.excinfo.errisinstance(ScenarioFailed):
        report.longrepr = str(call.excinfo.value)
    made = item.stash.get(SERVERS, None)
    if report.failed and made is not None:
        report.sections.append(("spotsim serve", _log_of(made)))


def _log_of(made):
    if made.server.process.poll() is not None:
        return f"it ended with status {made.server.process.returncode}\n{made.server.errors()}"
    events = [event for event in made.events if event.kind not in ("run.start", "price")]
    left_out = len(events) - LOG_LINES
    lines = [f"({left_out} earlier events are left out)"] if left_out > 0 else []
    return "\n".join([*lines, *map(str, events[-LOG_LINES:])])
