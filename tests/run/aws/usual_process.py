"""A call of aws-cli or curl that continues from a memory image is to scripts what a usual call is.

usual_process.py SPOTSIM SCENARIO [curl]

The operator's script calls aws-cli (or curl) in many settings, looks at the processes, and prints
all that it sees: numbers, times and random numbers included. With `guest.aws: cold` it prints the
same.
SCENARIO: gives the market; its operator is replaced.
"""
import pathlib
import re
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from support import Run, fail, need_lockstep

PROBE = r"""#!/bin/bash
# aws-cli starts this script for credentials, so the script's parent is aws-cli.
{
  tr '\0' ' ' </proc/$PPID/cmdline; echo
  cat /proc/$PPID/comm /proc/$PPID/limits
  readlink /proc/$PPID/cwd /proc/$PPID/root
  grep -E '^(Umask|Uid|Gid|Groups|P?Pid|NSpgid|NSsid|Sig|Threads|Seccomp|Cap)' /proc/$PPID/status
  cut -d' ' -f 5-8 /proc/$PPID/stat
  ls /proc/$PPID/fd
  tr '\0' '\n' </proc/self/environ | sort
} >>/tmp/seen
echo '{"Version": 1, "AccessKeyId": "a", "SecretAccessKey": "b"}'
"""

SCRIPT = r"""
unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
mkdir -p ~/.aws
cat >~/.aws/config <<'END'
[default]
credential_process = /tmp/probe
[profile other]
region = eu-west-1
END
chmod +x /tmp/probe
now() { echo "== $* $(date +%s.%N) $RANDOM $(head -c 4 /dev/urandom | od -An -tx1)"; }
who() { aws sts get-caller-identity --query Arn --output text; }
waits() { aws ec2 wait instance-running --filters Name=tag:a,Values=b; }
now cold; who
now warm; who; who
now folder; (cd /usr/lib; umask 027; ulimit -n 512; ulimit -c 0; exec 5</dev/null; who)
now variables; (export SOME='a  b' EMPTY= ; unset HOME; who)
now no-variables
env -i AWS_CONFIG_FILE=/root/.aws/config AWS_DEFAULT_REGION=us-west-2 "$(command -v aws)" \
  sts --endpoint-url "$AWS_ENDPOINT_URL" get-caller-identity --query Arn
now python
(export PYTHONUNBUFFERED=1; who; who; GLIBC_TUNABLES=glibc.malloc.check=0 aws --version)
now profile; aws configure get region --profile other; AWS_PROFILE=other aws configure list
now status; aws --version; echo $?; aws ec2 nonsense 2>&1 | tail -2; echo "${PIPESTATUS[@]}"
aws ec2 describe-volumes --volume-ids vol-00000000000000000; echo $?
now pipe; aws ec2 describe-instance-types | tail -2; echo "${PIPESTATUS[@]}"
now no-input; aws --version <&-; aws --version >&-; echo $?
now open-three; aws --version 3</dev/null 4</dev/null
now files; aws s3 mb s3://bucket; echo hello | aws s3 cp - s3://bucket/key
aws s3 cp s3://bucket/key -; aws s3 cp s3://bucket/key /tmp/key; cat /tmp/key
now time-out; timeout 3 aws ec2 wait volume-available --volume-ids vol-00000000000000000; echo $?
timeout -s INT 3 aws ec2 wait instance-running --filters Name=tag:a,Values=b; echo $?
now background; aws ec2 wait instance-running --filters Name=tag:a,Values=b &
sleep 4; kill -9 $!; wait $!; echo $?; pgrep -l aws
now caller; (waits; echo not reached) &
sleep 4; kill -9 $!; wait $!; echo $?; pkill -c aws; sleep 1; pgrep -l aws
now nohup; nohup aws --version; setsid -w aws --version; (trap '' INT HUP; who)
now many; for i in 1 2 3; do aws --version & done; wait
now models; data=/usr/lib/python3/dist-packages/awscli/botocore/data
mkdir -p ~/.aws/models
cp -r $data/sts ~/.aws/models/mine; aws mine get-caller-identity --query Arn; echo $?
now own-models; cp -r $data/sts $data/other; aws other get-caller-identity --query Arn; echo $?
now changed; echo 'import sys; print("patched", file=sys.stderr)' \
  >>/usr/lib/python3/dist-packages/awscli/__init__.py && aws --version
now end
cat /tmp/seen
"""

CURL = r"""
now() { echo "== $* $(date +%s.%N) $RANDOM $(head -c 4 /dev/urandom | od -An -tx1)"; }
curl_says() { curl "$@" 2>&1 | tail -n 12; echo "${PIPESTATUS[@]}"; }
now curl; curl_says --version; curl_says -s "$AWS_ENDPOINT_URL/"; curl_says -sv "$AWS_ENDPOINT_URL/"
curl_says -s https://ec2.us-west-2.amazonaws.com/; curl_says http://127.0.0.1:1/
now curl-process
for file in cmdline environ comm limits; do
  curl -s file:///proc/self/$file | tr '\0' '\n' | grep -v ^_= | sort
done
curl -s file:///proc/self/status | grep -E '^(Umask|Uid|Gid|P?Pid|NSpgid|Sig|Threads|Seccomp|Cap)'
now curl-name; (exec -a other/name curl --nonsense); echo $?
now curl-variables; env -i "$(command -v curl)" --version | head -1
MALLOC_CHECK_=3 curl --version | head -1; LD_BIND_NOW=1 curl --version | head -1
now curl-input; curl --version <&- | head -1; curl --version >&-; echo $?
now curl-configured; echo 'user-agent = "mine"' >~/.curlrc; curl_says -sv "$AWS_ENDPOINT_URL/"
now curl-time-out; timeout 3 curl -s http://169.254.169.253:81/; echo $?
now curl-own; printf '#!/bin/sh\necho own "$@"\n' >/usr/local/bin/curl
chmod +x /usr/local/bin/curl; hash -r
curl --version; rm /usr/local/bin/curl; hash -r; curl --version | head -1
now curl-changed; touch /usr/bin/curl; curl --version | head -1
now end-of-curl
"""


def console_of(spotsim, scenario, how, folder, level):
    out = f"{folder}/{how}"
    run = Run(spotsim, scenario, "--guest", "process", "--level", level,
              "--set", f"guest.aws={how}", out=out)
    if run.status not in (0, 1):
        fail(f"{how}: exit {run.status}\n{run.process.stderr[-3000:]}")
    return run, pathlib.Path(out, "console/operator.log").read_text(errors="replace")


def main():
    spotsim, scenario, *program = sys.argv[1:]
    need_lockstep()
    source = pathlib.Path(scenario)
    text = source.read_text().replace("traces/", f"{source.resolve().parent}/traces/")
    script = CURL if program else "cat >/tmp/probe <<'END'\n" + PROBE + "END\n" + SCRIPT
    notice = "it is neither a Python script" if program else "GLIBC_TUNABLES is set"
    operator = "operator:\n  script: |\n" + "".join(f"    {line}\n" for line in script.splitlines())
    text = re.sub(r"^operator:\n(?: +.*\n)*", lambda _: operator, text, flags=re.M)
    text = re.sub(r"^expect:.*\n", "", text, flags=re.M)
    with tempfile.TemporaryDirectory(prefix="warm-aws-") as folder:
        file = pathlib.Path(folder, "scenario.yaml")
        file.write_text(text)
        warm_run, warm = console_of(spotsim, str(file), "warm", folder, "root")
        cold_run, cold = console_of(spotsim, str(file), "cold", folder, "root")
        for number, (a, b) in enumerate(zip(warm.splitlines(), cold.splitlines()), 1):
            if a != b:
                fail(f"line {number}:\nwarm: {a}\ncold: {b}\n{warm_run.process.stderr[-2000:]}")
        if len(warm.splitlines()) != len(cold.splitlines()):
            fail(f"{len(warm.splitlines())} lines warm, {len(cold.splitlines())} cold")
        if notice not in warm_run.process.stderr:
            fail(f"no notice of the start as usual:\n{warm_run.process.stderr}")
        if warm_run.events != cold_run.events:
            fail("the logs differ")


main()
