# The training: a line that is fitted by gradient descent with momentum, step by step. Each step is
# the same whenever it is done, so that whoever goes on from a checkpoint comes to the same end.
STEPS, EVERY, STEP_SECONDS = 60, 10, 5
CHECKPOINTS = DATA + "/checkpoints"
FINISHED, INTERRUPTED = 0, 3
TOKEN = {"X-aws-ec2-metadata-token": "none yet"}


def report(event, **what):
    with open(os.environ.get("JOB_EVENTS", "/dev/null"), "a") as events:
        events.write(json.dumps({"source": "trainer", "event": event, **what}) + "\n")


def fingerprint(state):
    return hashlib.sha256(json.dumps(state).encode()).hexdigest()[:12]


def new_state():
    return {"step": 0, "weight": 0, "momentum": 0}


def gradient(state):
    return state["weight"] - 1000000 + 7919 * state["step"] % 1000


def next_state(state):
    momentum = state["momentum"] * 9 // 10 - gradient(state) // 10
    return {"step": state["step"] + 1, "weight": state["weight"] + momentum, "momentum": momentum}


def path_of(step):
    return f"{CHECKPOINTS}/step-{step}.json"


def step_of(path):
    return int(re.findall(r"\d+", os.path.basename(path))[0])


def saved():
    """Checkpoints, the newest first."""
    names = [name for name in os.listdir(CHECKPOINTS) if name.endswith(".json")]
    return sorted((f"{CHECKPOINTS}/{name}" for name in names), key=step_of, reverse=True)


def write(path, text):
    """There whole or not at all, and durable when it returns."""
    with open(path + ".new", "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.rename(path + ".new", path)
    folder = os.open(os.path.dirname(path), os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def save(state, reason):
    path = path_of(state["step"])
    report("checkpoint-begin", step=state["step"], reason=reason)
    text = json.dumps({"state": state, "fingerprint": fingerprint(state)})
    try:
        write(path, text)
    except OSError as why:
        return report("checkpoint-failed", step=state["step"], why=str(why))
    report("checkpoint-durable", step=state["step"], path=path, bytes=len(text))
    for old in saved()[2:]:
        os.remove(old)


def read(path):
    """Its state. ValueError: it is not what was written."""
    with open(path) as file:
        found = json.load(file)
    if fingerprint(found["state"]) != found["fingerprint"]:
        raise ValueError(path + " is damaged")
    return found["state"]


def resumed():
    """The newest state that is whole, and its file."""
    for path in saved():
        try:
            return read(path), path
        except ValueError as why:
            report("checkpoint-rejected", checkpoint=path, why=str(why))
    return new_state(), None


def noticed():
    """Whether EC2 has said that it takes this instance back. No answer says nothing."""
    service = "http://169.254.169.254/latest/"
    try:
        status, text = ask("GET", service + "meta-data/spot/instance-action", TOKEN, timeout=1)
        if status == 401:
            lifetime = {"X-aws-ec2-metadata-token-ttl-seconds": "21600"}
            status, text = ask("PUT", service + "api/token", lifetime, timeout=1)
            if status == 200:
                TOKEN["X-aws-ec2-metadata-token"] = text
            return status == 200 and noticed()
        return status == 200 and "action" in json.loads(text)
    except (OSError, http.client.HTTPException, ValueError):
        return False


def train():
    """An exit status."""
    state, path = resumed()
    report("start", step=state["step"], total_steps=STEPS, checkpoint=path, folder=CHECKPOINTS,
           state=fingerprint(state))
    while state["step"] < STEPS:
        time.sleep(STEP_SECONDS)
        state = next_state(state)
        report("step", step=state["step"], state=fingerprint(state))
        if noticed():
            save(state, "on-notice")
            report("stop", step=state["step"], reason="notice")
            return INTERRUPTED
        if state["step"] % EVERY == 0:
            save(state, "periodic")
    report("finished", step=STEPS)
    return FINISHED
