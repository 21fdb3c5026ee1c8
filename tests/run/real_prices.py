"""real_prices.py SPOTSIM SCENARIO: the job on real price histories of 2021, where the machine has
them (under SPOTSIM_SHARED/traces, else under ../shared/traces beside the sources)."""
import os
import pathlib
import shutil
import sys
import tempfile

from support import Run, fail, skip

spotsim, scenario = sys.argv[1:]
scenario = pathlib.Path(scenario).resolve()
shared = pathlib.Path(os.environ.get("SPOTSIM_SHARED", scenario.parents[2] / "shared"))
trace = shared / "traces/aws-spot-price-2021-us-east-1/linux_gpu_and_3_cpu_types.csv.gz"
if not trace.exists():
    skip("no real price histories: set SPOTSIM_SHARED to the folder that has traces/")

REPLACED = [
    ("name: no-interruption", "name: real-prices"),
    ("start: 2019-11-05T10:00:00Z", "start: 2021-04-05T10:00:00Z"),
    ("traces/us-west-2-gpu.json]", f"{trace}]\n  instance_types: [p3.2xlarge, p2.xlarge]"),
    ("{pool: p2.xlarge/us-west-2d, slots: 0}", "{pool: p2.xlarge/us-west-2e, slots: 0}"),
    ("[us-west-2b]", "[us-west-2a]"),  # all zones cost the same: the first one
    ("us-west-2", "us-east-1"),
]

with tempfile.TemporaryDirectory(prefix="real-prices-") as folder:
    folder = pathlib.Path(folder)
    for name in ("cifar10-job", "code"):
        shutil.copytree(scenario.parent / name, folder / name)
    text = scenario.read_text()
    for before, after in REPLACED:
        if before not in text:
            fail(f"{scenario} no longer has: {before}")
        text = text.replace(before, after)
    (folder / "real-prices.yaml").write_text(text)
    for file in (folder / "cifar10-job").iterdir():
        zones = "us-west-2a, us-west-2b, us-west-2c, us-west-2d"
        file.write_text(file.read_text().replace(zones, "us-east-1a, us-east-1b")
                        .replace('"us-west-2b"', '"us-east-1a"').replace("us-west-2", "us-east-1"))
    run = Run(spotsim, str(folder / "real-prices.yaml"), out=folder / "out")
    if run.status != 0:
        fail(f"exit {run.status}\n{run.process.stderr[-3000:]}")
    print(f"cost ${run.result['cost_usd']:.4f}, savings {run.result['savings']:.3f}")
