# What every instance of the fleet does at boot: bring the job's volume here, train, end the job.
JOB, DATA = "tutorial-job", "/data"
LIVE = ("creating", "available", "in-use")


def instance_id():
    return metadata("instance-id")


def run(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL).returncode == 0


def tagged(kind):
    return [{"ResourceType": kind, "Tag": [{"Key": "Name", "Value": JOB}]}]


class Volume:
    def __init__(self, item):
        self.id = item.findtext("volumeId")
        self.state = item.findtext("status")
        self.zone = item.findtext("availabilityZone")
        self.instance = item.findtext("attachmentSet/item/instanceId")
        self.attachment = item.findtext("attachmentSet/item/status")


def volumes():
    """The job's."""
    items = described("DescribeVolumes", JOB).findall("volumeSet/item")
    return [volume for volume in map(Volume, items) if volume.state in LIVE]


def volume_now(volume):
    return Volume(ec2("DescribeVolumes", VolumeId=[volume.id]).find("volumeSet/item"))


def snapshots():
    return described("DescribeSnapshots", JOB).findall("snapshotSet/item")


def available(volume):
    """Waits as long as it takes; Refused: it never will be."""
    while (volume := volume_now(volume)).state != "available":
        if volume.state not in LIVE:
            raise Refused(f"{volume.id} is {volume.state}")
        time.sleep(15)
    return volume


def snapshot_of(volume):
    """A complete one."""
    answer = ec2("CreateSnapshot", VolumeId=volume.id, TagSpecification=tagged("snapshot"))
    snapshot, state = answer.findtext("snapshotId"), "pending"
    while state == "pending":
        time.sleep(15)
        answer = ec2("DescribeSnapshots", SnapshotId=[snapshot])
        state = answer.findtext("snapshotSet/item/status")
    if state != "completed":
        raise Refused(f"{snapshot} is in state {state}")
    return snapshot


def made_from(snapshot, zone):
    return Volume(ec2("CreateVolume", SnapshotId=snapshot, AvailabilityZone=zone, VolumeType="gp2",
                      TagSpecification=tagged("volume")))


def hop(volume, zone):
    """A volume in this zone with what that one has, which nobody has attached any more."""
    snapshot = snapshot_of(available(volume))
    return available(made_from(snapshot, zone))


def bring_volume(zone):
    """The job's volume in this zone. An interrupted hop can leave several, all with the same data:
    no trainer starts until the others are deleted, and none is deleted until this one's tag can
    be seen by clients."""
    found = volumes()
    if not found:
        raise Refused("no volume is there yet")
    here = [volume for volume in found if volume.zone == zone]
    mine = here[0] if here else hop(found[0], zone)
    while mine.id not in [volume.id for volume in volumes()]:
        time.sleep(5)
        available(mine)
    for other in volumes():
        if other.id != mine.id:
            ec2("DeleteVolume", VolumeId=available(other).id)
    return mine


def attach(volume):
    """Attached to this instance, and seen by it."""
    me = instance_id()
    while (volume := volume_now(volume)).attachment != "attached" or volume.instance != me:
        if volume.state == "available":
            ec2("AttachVolume", VolumeId=volume.id, InstanceId=me, Device="/dev/sdf")
        time.sleep(5)
    while not os.path.exists("/dev/xvdf"):
        time.sleep(1)


def is_blank(device):
    """A new volume has nothing but zeros."""
    with open(device, "rb") as disk:
        return not any(disk.read(1 << 20))


def mount():
    os.makedirs(DATA, exist_ok=True)
    if is_blank("/dev/xvdf"):
        run("mkfs.ext4", "-q", "/dev/xvdf")
    if not run("mount", "/dev/xvdf", DATA):
        run("e2fsck", "-fy", "/dev/xvdf")
        if not run("mount", "/dev/xvdf", DATA):
            sys.exit("the volume cannot be mounted")
    os.makedirs(CHECKPOINTS, exist_ok=True)
    run("chown", "-R", "ubuntu:", CHECKPOINTS)


def fetch_code():
    """It came with the user data."""


def run_trainer():
    """Its exit status."""
    child = os.fork()
    if child == 0:
        with open("/proc/self/comm", "w") as name:
            name.write("trainer")
        ubuntu = pwd.getpwnam("ubuntu")
        os.setgid(ubuntu.pw_gid)
        os.setuid(ubuntu.pw_uid)
        os._exit(train())
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def trained():
    """Trains to the end, however often the trainer crashes. False: the instance is taken back."""
    while (status := run_trainer()) not in (FINISHED, INTERRUPTED):
        print("the trainer ended with status", status, flush=True)
        time.sleep(30)
    return status == FINISHED


def fleet():
    tag = ec2("DescribeTags", Filter=[
        {"Name": "resource-id", "Value": [instance_id()]},
        {"Name": "key", "Value": ["aws:ec2spot:fleet-request-id"]}]).findtext("tagSet/item/value")
    if not tag:
        raise Refused("no fleet is known")
    return tag


def end_job():
    for snapshot in snapshots():
        ec2("DeleteSnapshot", SnapshotId=snapshot.findtext("snapshotId"))
    ec2("CancelSpotFleetRequests", SpotFleetRequestId=[fleet()], TerminateInstances="true")


def surely(step, *arguments):
    """Each step may be begun again, and is, until it is done."""
    while True:
        try:
            return step(*arguments)
        except Refused as why:
            print(step.__name__, "again:", why, flush=True)
            time.sleep(15)


def main():
    volume = surely(bring_volume, metadata("placement/availability-zone"))
    surely(attach, volume)
    mount()
    fetch_code()
    finished = trained()
    run("umount", DATA)
    if finished:
        surely(end_job)
