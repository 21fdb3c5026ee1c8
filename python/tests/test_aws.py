"""The fixture `aws`. Tests here use it directly; those of failures run pytest on small files."""
import datetime
import subprocess
import sys
import time

import pytest

import spotsim

POOL = "p3.2xlarge/us-west-2b"


@pytest.fixture
def spot(aws):
    """A running spot instance."""
    pytest.importorskip("boto3")
    ec2 = aws.resource("ec2")
    [instance] = ec2.create_instances(
        ImageId="ami-1", InstanceType="p3.2xlarge", MinCount=1, MaxCount=1,
        InstanceMarketOptions={"MarketType": "spot"}, Placement={"AvailabilityZone": "us-west-2b"})
    return instance


def state(instance):
    instance.reload()
    return instance.state["Name"]


def test_an_interrupted_instance_ends_two_minutes_after_its_notice(aws, spot):
    assert aws.interrupt(spot)["interrupted"] == [spot.id]
    aws.clock.advance("1m59s")
    assert state(spot) == "running"
    aws.clock.advance(1)
    assert state(spot) == "terminated"


def test_a_drained_pool_interrupts_its_instances(aws, spot):
    assert aws.drain(POOL)["interrupted"] == [spot.id]


def test_a_price_is_what_describe_spot_price_history_says(aws, spot):
    aws.price(POOL, 3.5)
    [newest] = aws.client("ec2").describe_spot_price_history(
        InstanceTypes=["p3.2xlarge"], AvailabilityZone="us-west-2b", MaxResults=1,
        StartTime=aws.clock.now)["SpotPriceHistory"][:1]
    assert float(newest["SpotPrice"]) == 3.5


def test_a_fault_strikes_the_next_call(aws):
    exceptions = pytest.importorskip("botocore.exceptions")
    config = pytest.importorskip("botocore.config").Config(retries={"total_max_attempts": 1})
    assert "api-throttled" in aws.faults.kinds
    aws.faults.add("api-error", action="DescribeInstances", code="InternalError", for_="2m")
    with pytest.raises(exceptions.ClientError):
        aws.client("ec2", config=config).describe_instances()
    assert aws.events.of("fault.strike", kind="api-error")


def test_faults_are_listed_and_a_removed_one_no_longer_strikes(aws):
    exceptions = pytest.importorskip("botocore.exceptions")
    config = pytest.importorskip("botocore.config").Config(retries={"total_max_attempts": 1})
    ec2 = aws.client("ec2", config=config)
    fault = aws.faults.add("api-error", action="any", code="Unsupported", status=400,
                           message="No g6 here.", for_="1h")
    later = aws.faults.add("power-cut", at="1h")
    assert [listed["state"] for listed in aws.faults.list()] == ["lasts", "waits"]
    with pytest.raises(exceptions.ClientError, match="Unsupported.*No g6 here"):
        ec2.describe_instances()
    assert [removed["id"] for removed in aws.faults.remove(fault)] == [fault["id"]]
    ec2.describe_instances()
    assert [listed["id"] for listed in aws.faults.list()] == [later["id"]]
    assert len(aws.faults.remove()) == 1 and aws.faults.list() == []
    with pytest.raises(spotsim.ControlError, match="id: found"):
        aws.faults.remove(later["id"])


def test_launches_fail_beyond_quotas_and_without_capacity(aws):
    exceptions = pytest.importorskip("botocore.exceptions")
    config = pytest.importorskip("botocore.config").Config(retries={"total_max_attempts": 1})
    ec2 = aws.client("ec2", config=config)
    once = {"ImageId": "ami-0123456789abcdef0", "InstanceType": "p3.2xlarge", "MinCount": 1,
            "MaxCount": 1, "Placement": {"AvailabilityZone": "us-west-2b"}}
    aws.on_demand(POOL, slots=0)
    with pytest.raises(exceptions.ClientError, match="InsufficientInstanceCapacity"):
        ec2.run_instances(**once)
    aws.on_demand(POOL)
    assert aws.quotas(on_demand_vcpus=8, spot_requests=0)["spot_vcpus"] is None
    ec2.run_instances(**once)
    with pytest.raises(exceptions.ClientError, match="VcpuLimitExceeded"):
        ec2.run_instances(**once)
    with pytest.raises(exceptions.ClientError, match="MaxSpotInstanceCountExceeded"):
        ec2.run_instances(**once, InstanceMarketOptions={"MarketType": "spot"})


def test_a_refused_call_has_the_services_message(aws):
    with pytest.raises(spotsim.ControlError, match='found "nowhere"|pool'):
        aws.drain("nowhere")


def test_events_are_typed(aws, spot):
    launched = aws.events.of("instance.state", to="running")
    assert [event["instance_id"] for event in launched] == [spot.id]
    assert launched[0].time.tzinfo is datetime.timezone.utc


def test_the_clock_moves_by_text_seconds_and_timedelta_and_to_an_instant(aws):
    begin = aws.clock.now
    aws.clock.advance("10m")
    aws.clock.advance(30)
    aws.clock.advance(datetime.timedelta(hours=1))
    assert aws.clock.now - begin == datetime.timedelta(hours=1, minutes=10, seconds=30)
    later = begin + datetime.timedelta(days=1)
    assert aws.clock.advance_to(later) == later


@pytest.mark.parametrize("time", [1, 2])
def test_each_test_begins_with_an_empty_cloud(aws, spot, time):
    assert [one["instance"] for one in aws.instances] == [spot.id]


@pytest.mark.aws(profile="scenario", start="2025-03-01T00:00:00Z", region="us-west-2")
def test_the_mark_chooses_how_the_service_starts(aws):
    assert aws.clock.now.isoformat() == "2025-03-01T00:00:00+00:00"


def test_environment_leads_other_programs_to_the_service(aws):
    assert aws.environment["AWS_ENDPOINT_URL"] == aws.url
    code = "import os; print(os.environ['SPOTSIM_URL'])"
    assert subprocess.check_output([sys.executable, "-c", code], env=aws.environment,
                                   text=True).strip() == aws.url


def test_the_server_starts_fast(aws):
    """The aim is 0.05 s on a quiet machine. The best of five starts may take ten times as long."""
    def seconds():
        begin = time.perf_counter()
        server = spotsim.Server(spotsim.find_program(), "--profile", "instant", "--speed", "manual")
        spent = time.perf_counter() - begin
        server.close()
        return spent
    best = min(seconds() for _ in range(5))
    print(f"best start of 5: {best:.3f} s")
    assert best < 0.5


def test_a_failed_test_shows_the_servers_log(pytester):
    pytester.makepyfile(f"""
        def test_it(aws):
            aws.price("{POOL}", 3.5)
            assert aws.cost == 1
        """)
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*- spotsim serve -*", f"* control action=price *{POOL}*"])


def test_a_server_that_ended_is_reported_and_replaced(pytester):
    pytester.makepyfile("""
        def test_kills_it(aws):
            aws.server.process.kill()
            aws.server.process.wait()
            aws.clock.now

        def test_has_another(aws):
            assert aws.clock.now
        """)
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["it ended with status -9"])


def test_a_service_that_does_not_start_is_an_error_with_its_message(pytester):
    pytester.makepyfile("""
        import pytest

        @pytest.mark.aws(profile="bogus")
        def test_it(aws):
            pass
        """)
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*spotsim serve ended with status 2*", "*bogus*"])
