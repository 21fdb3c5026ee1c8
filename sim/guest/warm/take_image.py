# Makes aws-cli's start once, and has the simulator take an image of this process's memory. Calls
# continue here, each in a process of its own, with the arguments and environment of its caller.
#
#   python3 take_image.py PROGRAM MANIFEST UPTIME
# PROGRAM is aws-cli's script. MANIFEST is a file for the simulator: what the image depends on.
# UPTIME is the guest's at this process's start, in seconds.
# Until `started` nothing may be imported or locked that aws-cli's script does not: each costs time
# that the guest sees. `time` and `posix` are built in and imported already.
import sys
import os

KINDS = "service-2", "paginators-1", "waiters-2", "endpoint-rule-set-1"  # of a service's files


def take_image(program, manifest, uptime):
    clock, system = sys.modules["time"], sys.modules["posix"]
    SKIP, RECORDS, MOST_SKIPPED = 0x60000000, 0x68000000, 0xffffff
    READS, BYTES = 0, 1
    SEED_BYTES = 2496  # that Python's random module asks for when it seeds itself

    def reads():
        return (clock.monotonic_ns() - uptime * 1_000_000_000) // 1000

    def taken():
        out = []
        while True:
            try:
                record = clock.clock_gettime_ns(RECORDS + len(out))
            except OSError:
                return out
            out.append((record // 1_000_000_000, record % 1_000_000_000))

    def text_of(path):
        file = system.open(path, system.O_RDONLY)
        try:
            parts = []
            while part := system.read(file, 1 << 16):
                parts.append(part)
            return b"".join(parts)
        finally:
            system.close(file)

    def last_process():
        return int(text_of("/proc/loadavg").split()[-1])

    sys.path[0] = os.path.dirname(os.path.realpath(program))
    variables, processes, begin = dict(os.environb), last_process(), reads()
    import awscli.clidriver
    awscli.clidriver.create_clidriver()
    first, first_taken, first_processes = reads(), taken(), last_process()
    # What each call still does itself, and so does not skip.
    awscli.clidriver.create_clidriver()
    again, again_taken, again_processes = reads(), taken(), last_process()
    driver = awscli.clidriver.create_clidriver()
    started, started_taken = reads(), taken()
    repeated = again_taken[len(first_taken):]
    if started - again != again - first or started_taken[len(again_taken):] != repeated:
        sys.exit("it does not do the same each time it starts")
    skipped = first_taken[1:]  # the first is this program's image, which every start has
    if repeated:
        if skipped[-len(repeated):] != repeated:
            sys.exit("it does not do at its second start what it did at its first")
        skipped = skipped[:-len(repeated)]
    # One read of each mark is its own.
    reads_skipped = (first - 2) - (again - first - 1)
    children = (first_processes - processes) - (again_processes - first_processes)

    import gc
    import _signal
    keep_models(driver)
    folders = keep_service_names(driver)
    keep_environment()
    keep_signatures()
    order_sets()
    before = reads()
    sys.stdout.reconfigure(line_buffering=False)
    reads_of_reconfigure = reads() - before - 1
    threading = sys.modules.get("threading")
    random = sys.modules.get("random")
    code = compile(text_of(program), program, "exec")
    # In the place of what the kernel put on the stack, which other arguments will take.
    for name in list(os.environb):
        if name.startswith(b"SPOTSIM_IMAGE_") or name == b"GLIBC_TUNABLES":
            del os.environb[name]
        else:
            os.environb[name] = os.environb[name]
    changed = {name: value for name, value in os.environb.items()
               if variables.get(name) != value}
    interpreter = text_of("/proc/self/cmdline").split(b"\0")[0].decode()
    write_manifest(manifest, program, interpreter, children, folders)
    lasting = modules_that_last()
    gc.collect()
    gc.freeze()

    def skip(what, amount):
        while amount > 0:
            clock.clock_gettime(SKIP | what << 24 | min(amount, MOST_SKIPPED))
            amount -= MOST_SKIPPED

    end = sys.ps2 = End(lasting)

    system.sync()  # here the simulator takes the image, and here it continues

    arguments = text_of("/proc/self/cmdline").split(b"\0")[:-1]
    if arguments[0] != os.fsencode(program):
        del arguments[0]
    sys.argv[:] = [os.fsdecode(argument) for argument in arguments]
    sys.orig_argv[:] = [interpreter] + sys.argv
    for name in list(os.environb):
        del os.environb[name]
    for setting in reversed(text_of("/proc/self/environ").split(b"\0")):
        name, equals, value = setting.partition(b"=")
        if equals:
            os.environb[name] = value
    os.environb.update(changed)
    clock.tzset()
    ignored = int(text_of("/proc/self/status").partition(b"SigIgn:")[2].split()[0], 16)
    for number in range(1, 32):
        if ignored >> number - 1 & 1:
            _signal.signal(number, _signal.SIG_IGN)
    # As Python does at its start.
    for number in (_signal.SIGPIPE, _signal.SIGXFSZ):
        _signal.signal(number, _signal.SIG_IGN)
    if not ignored >> _signal.SIGINT - 1 & 1:
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)
    if threading:
        threading.main_thread()._set_native_id()
    for what, amount in skipped:
        if random and (what, amount) == (BYTES, SEED_BYTES):
            random.seed()
            random = None
        else:
            skip(what, amount)
    for stream in (sys.stdin, sys.stdout):
        if stream.isatty():
            stream.reconfigure(line_buffering=True)
            reads_skipped -= reads_of_reconfigure
    skip(READS, reads_skipped)
    return code, end.before


# Python frees all objects at its end. To visit those of the image would copy all their memory, so
# the collector leaves them alone. But some read the clock when they are freed: handlers of logs,
# and the standard error that aws-cli's own handler keeps open. They are freed here, since Python
# first forgets sys.ps2. A call without that handler (--version) frees all objects.
class End:
    def __init__(self, lasting):
        self.lasting, self.modules = lasting, sys.modules
        self.logging = sys.modules["logging"]
        self.handlers = len(self.logging._handlerList)

    def before(self):
        if len(self.logging._handlerList) <= self.handlers:
            self.logging = None
            sys.modules["gc"].unfreeze()

    def __del__(self):
        if not self.logging:
            return
        # A handler that is freed leaves this list under a lock, which reads the clock. A usual call
        # has no list any more when it frees its handlers.
        self.logging._handlerList.clear()
        for logger in [self.logging.root, *self.logging.root.manager.loggerDict.values()]:
            getattr(logger, "handlers", []).clear()
        self.logging.lastResort = None
        # A usual call closes this stream when Python frees objects. The image's objects hold it.
        try:
            self.modules["sys"].__stdout__.close()
        except (OSError, ValueError, AttributeError):
            pass  # as if it were freed
        # The list is in a dictionary that the collector leaves alone.
        self.logging.lasting = [self.modules.pop(name, None) for name in self.lasting]


# Names of the modules that need not be freed at the end: those that hold no object that reads the
# clock when it is freed. Such are thread-local objects and the standard streams.
def modules_that_last():
    import gc
    import _thread
    names = {id(vars(module)): name for name, module in sys.modules.items()
             if hasattr(module, "__dict__")}
    streams = [stream for stream in (sys.stdin, sys.stdout, sys.stderr) if stream]
    held = [item for item in gc.get_objects() if isinstance(item, _thread._local)]
    held += streams + [getattr(stream, "buffer", stream) for stream in streams]
    seen, used = {id(names), id(streams)}, {"sys", "builtins", "__main__"}
    frame = type(sys._getframe())
    while held:
        holders = []
        seen.update((id(held), id(holders)))
        for holder in gc.get_referrers(*held):
            if id(holder) in seen or isinstance(holder, frame):
                continue
            seen.add(id(holder))
            if id(holder) in names:
                used.add(names[id(holder)])
            else:
                holders.append(holder)
        held = holders
    return [name for name in sys.modules if name not in used]


# These sets have objects in the order of their addresses, which a new program has elsewhere. In an
# image they have the order in which objects were added: so no log depends on its addresses.
def order_sets():
    class OrderedSet(dict):
        def add(self, item):
            self[item] = None

        def remove(self, item):
            del self[item]

        def discard(self, item):
            self.pop(item, None)

        def __copy__(self):
            return OrderedSet(self)

    def order(module, owner, name):
        owner = getattr(sys.modules.get(module), owner, None)
        if owner is None:
            return
        start = owner.__init__

        def start_ordered(self, *arguments, **named):
            start(self, *arguments, **named)
            if isinstance(getattr(self, name, None), set):
                setattr(self, name, OrderedSet.fromkeys(getattr(self, name)))

        start_ordered.__wrapped__ = start
        owner.__init__ = start_ordered

    order("concurrent.futures.thread", "ThreadPoolExecutor", "_threads")
    for package in ("s3transfer", "awscli.s3transfer"):
        order(package + ".manager", "TransferCoordinatorController",
              "_tracked_transfer_coordinators")


# Keeps the models of services parsed, and the names of their actions as options have them. A
# file is read at each use, and parsed if it is another one.
def keep_models(driver):
    services = ("ec2", "s3", "sts", "autoscaling", "cloudformation", "ssm", "logs",
                "sagemaker")
    data = "endpoints", "partitions", "_retry", "sdk-default-configuration", "cli"
    loaders = sys.modules.get("awscli.botocore.loaders") or sys.modules["botocore.loaders"]
    json, kept = loaders.json, {}

    class KeptModels:
        def __getattr__(self, name):
            return getattr(json, name)

        # Each at most once, because the caller may change it.
        def loads(self, text, **how):
            found = kept.pop(text, None)
            return json.loads(text, **how) if found is None else found

    class Recorder(KeptModels):
        def loads(self, text, **how):
            kept[text] = json.loads(text, **how)
            return kept[text]

    loaders.json = Recorder()
    loader = driver.session.get_component("data_loader")
    for name in data:
        try:
            loader.load_data(name)
        except Exception:
            pass  # versions have different files
    for service in services:
        for kind in KINDS:
            try:
                loader.load_service_model(service, kind)
            except Exception:
                pass
    loaders.json = KeptModels()
    name_of_option = sys.modules[loaders.__package__].xform_name  # keeps what it has found
    for model in list(kept.values()):
        for action in model.get("operations", ()):
            name_of_option(action, "-"), name_of_option(action)
    keep_from_collector(list(kept.values()))


# The collector does not visit these objects, and the end of the program does not free them: both
# would copy all their memory in each process.
def keep_from_collector(objects):
    loaded = set(sys.modules)
    import ctypes
    forget, keep = ctypes.pythonapi.PyObject_GC_UnTrack, ctypes.pythonapi.Py_IncRef
    forget.argtypes = keep.argtypes = (ctypes.py_object,)
    forget.restype = keep.restype = None
    for item in objects:
        keep(item)
    while objects:
        item = objects.pop()
        if isinstance(item, (dict, list)):
            forget(item)
            objects.extend(item.values() if isinstance(item, dict) else item)
    for name in set(sys.modules) - loaded:  # aws-cli would notice that they are there
        del sys.modules[name]


# Keeps the names of the services in aws-cli's own folders, which a call lists several times.
# Returns the folders that they came from: if one of them changes, the image is not used.
def keep_service_names(driver):
    loader = driver.session.get_component("data_loader")
    kind_of_loader = type(loader)
    if not hasattr(loader, "_potential_locations") or not hasattr(loader, "BUILTIN_DATA_PATH"):
        return []  # another version
    listed = kind_of_loader.list_available_services
    package = os.path.dirname(sys.modules["awscli"].__file__)
    own = [folder for folder in loader._potential_locations()
           if folder == loader.BUILTIN_DATA_PATH or folder.startswith(package + os.sep)]

    def names(loader, folders, kind):
        part = object.__new__(kind_of_loader)
        part.__dict__.update(loader.__dict__, _cache={}, _potential_locations=lambda: folders)
        return listed(part, kind)

    kept = {kind: names(loader, own, kind) for kind in KINDS}

    def list_available_services(self, type_name):
        now = list(self._potential_locations())
        if type_name not in kept or any(folder not in now for folder in own):
            return listed(self, type_name)
        others = [folder for folder in now if folder not in own]
        return sorted({*kept[type_name], *(names(self, others, type_name) if others else ())})

    kind_of_loader.list_available_services = list_available_services
    return [folder for start in own for folder, _, _ in os.walk(start)]


# aws-cli copies the environment once for each action of a service. Each copy decodes all variables.
def keep_environment():
    environment = type(os.environ)
    encoded, decoded = [], {}

    def copy(self):
        if self is not os.environ:
            return dict(self)
        now = list(self._data.items())
        if now != encoded:
            encoded[:] = now
            decoded.clear()
            decoded.update(self)
        return dict(decoded)

    if hasattr(os.environ, "_data"):
        environment.copy = copy


# aws-cli inspects the parameters of each of its handlers whenever it starts.
def keep_signatures():
    hooks = sys.modules.get("awscli.botocore.hooks") or sys.modules["botocore.hooks"]
    inspect, known = hooks.accepts_kwargs, {}

    def accepts_kwargs(function):
        code = getattr(getattr(function, "__func__", function), "__code__", None)
        if code is None:
            return inspect(function)
        if code not in known:
            known[code] = inspect(function)
        return known[code]

    hooks.accepts_kwargs = accepts_kwargs
    sys.modules["awscli.clidriver"].create_clidriver()  # which registers nearly all handlers


def write_manifest(manifest, program, interpreter, children, folders):
    site = sys.modules.get("site")
    own = "/.local/lib/python%d.%d/site-packages" % sys.version_info[:2]
    lines = ["interpreter " + interpreter, "children %d" % children]
    if site and site.ENABLE_USER_SITE:
        lines.append("user_packages " + own)
    files = {os.path.realpath(sys.executable), program,
             "/usr/lib/os-release", "/usr/bin/lsb_release"}
    files.update(sys.path[1:])  # the first is the script's folder
    files.update(folders)
    files.update(m.__file__ for m in list(sys.modules.values()) if getattr(m, "__file__", None))
    with open("/proc/self/maps") as mappings:  # libraries
        files.update(words[5].strip() for line in mappings
                     if len(words := line.split(maxsplit=5)) == 6 and words[5].startswith("/"))
    files.discard(__file__)
    with open(manifest, "w") as out:
        out.write("\n".join(lines + ["file " + os.path.abspath(f) for f in sorted(files)]) + "\n")


def main():
    program = sys.argv[1]
    code, before_end = take_image(program, sys.argv[2], int(sys.argv[3]))
    names = sys.modules["__main__"].__dict__
    for name in list(names):
        if not name.startswith("__"):
            del names[name]
    names["__file__"] = program
    try:
        exec(code, names)
    finally:
        before_end()


main()
