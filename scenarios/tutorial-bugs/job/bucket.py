# A copy of the checkpoints in a bucket, for who has lost the volume. They are written in place, as
# most libraries do it: read() tells which are whole.
COPIES = "s3://tutorial-job-123456789012/checkpoints"
EVERY = 20  # steps, since a copy takes its time


def s3(*command):
    """A copy that failed does no harm."""
    run("aws", "s3", *command, "--region", REGION, "--only-show-errors")


def send(path):
    """After each save: this checkpoint, if it is whole."""
    try:
        read(path)
    except (OSError, ValueError):
        return
    s3("cp", path, f"{COPIES}/{os.path.basename(path)}")


def fetch():
    """Before training: what others have saved, if nothing is here."""
    if not saved():
        s3("cp", "--recursive", COPIES, CHECKPOINTS)


def write(path, text):
    """Durable when it returns."""
    with open(path, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


save_here, resumed_here = save, resumed


def save(state, reason):
    save_here(state, reason)
    send(path_of(state["step"]))


def resumed():
    fetch()
    return resumed_here()
