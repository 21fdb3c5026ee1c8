#include "sim/scenario/scenario.h"

#include <gtest/gtest.h>

#include "sim/scenario/mutations_for_test.h"
#include "sim/scenario/scenario_file_for_test.h"

namespace sim::scenario {
namespace {

TEST_F(ScenarioFile, IsReadWithItsDefaults) {
  const Scenario s = read(good());
  EXPECT_EQ(s.name, "t");
  EXPECT_EQ(s.limit, 12h);
  EXPECT_EQ(s.cloud.region, "us-west-2");
  EXPECT_EQ(s.cloud.availability_zones, (std::vector<std::string>{"us-west-2a", "us-west-2b"}));
  EXPECT_EQ(s.cloud.durations.interruption_notice, 120s);
  EXPECT_EQ(s.prices.pools.size(), 2u);
  EXPECT_EQ(s.operator_folder, folder_ / "job");
  EXPECT_FALSE(s.cloud.key_pairs || s.cloud.security_groups) << "any that a launch names";
}

TEST_F(ScenarioFile, NamesKeyPairsAndSecurityGroups) {
  const Scenario s = read(good("key_pairs: [me]\nsecurity_groups: []\n"));
  EXPECT_EQ(s.cloud.key_pairs, std::vector<std::string>{"me"});
  EXPECT_EQ(s.cloud.security_groups, std::vector<std::string>{});
  EXPECT_FALSE(errors(good("key_pairs: me\n")).empty());
}

TEST_F(ScenarioFile, IsReadWithAllKeys) {
  const Scenario s = read(
      good("seed: 9\ndeadline: 6h\ndurations: {boot: 40s, snapshot_base: 30s-60s, stack_step: 2s, "
           "volume_modifying: 1s-3s, volume_optimizing: 5h}\n"
           "latencies: {api: 1ms, s3: 20ms, s3_bandwidth: 5000}\n"
           "prices: {snapshot_gb_month: 0.07}\njob_volume_tag: job\n"
           "sagemaker: {price_factor: 1.4, checkpoint_sync: 30s, bandwidth: 2000, request: 20ms, "
           "requests_at_once: 4}\n"
           "elastigroup: {backup_interval: 2m}\n"
           "cloudwatch: {idle_cpu: 2.5, training_cpu: 90}\n"
           "cloudformation: {skip: [AWS::Lambda::Function]}\n"
           "interruptions:\n"
           "  - {at: 1h18m, pool: p3.2xlarge/us-west-2b, notice: 2m, capacity_after: 0}\n"
           "  - {instance: 2, after: 40m, notice: none, reason: by-price}\n"
           "guest: {kind: process, level: plain, lockstep: false}\n"
           "baseline: {instance_type: p3.2xlarge, step_time: 4.5s}\n"
           "expect: {outcome: completed, savings: {min: 0.5}, makespan: {max: 4h}}\n"));
  EXPECT_EQ(s.seed, 9u);
  EXPECT_EQ(s.deadline, 6h);
  EXPECT_EQ(s.cloud.durations.boot.low, 40s);
  EXPECT_EQ(s.cloud.durations.snapshot_base.high, 60s);
  EXPECT_EQ(s.cloud.durations.stack_step, 2s);
  EXPECT_EQ(s.cloud.durations.volume_modifying.high, 3s);
  EXPECT_EQ(s.cloud.durations.volume_optimizing, 5h);
  EXPECT_EQ(s.latencies.api, 1ms);
  EXPECT_EQ(s.latencies.s3, 20ms);
  EXPECT_EQ(s.latencies.s3_bytes_per_second, 5000);
  EXPECT_EQ(s.sagemaker.price_factor, 1.4);
  EXPECT_EQ(s.skipped_resource_types, std::vector<std::string>{"AWS::Lambda::Function"});
  EXPECT_EQ(s.sagemaker.checkpoint_sync, 30s);
  EXPECT_EQ(s.sagemaker.transfer.bytes_per_second, 2000);
  EXPECT_EQ(s.sagemaker.transfer.request, 20ms);
  EXPECT_EQ(s.sagemaker.transfer.requests_at_once, 4);
  EXPECT_EQ(s.elastigroup.backup_interval, 2min);
  EXPECT_EQ(s.cpu.idle, 2.5);
  EXPECT_EQ(s.cpu.training, 90);
  EXPECT_EQ(s.cloud.prices.snapshot_gb_month.nano, 70'000'000);
  ASSERT_EQ(s.interruptions.size(), 2u);
  EXPECT_EQ(
      faults::to_yaml(s.interruptions[0]),
      "{at: 1h18m, kind: reclaim, capacity_after: 0, notice: 2m, pool: p3.2xlarge/us-west-2b}");
  EXPECT_EQ(
      faults::to_yaml(s.interruptions[1]),
      "{on: {event: instance.state, instance_id: 2, to: running, after: 40m}, kind: interrupt, "
      "notice: 0s, reason: by-price}");
  EXPECT_EQ(s.guest.level, "plain");
  EXPECT_EQ(s.guest.lockstep, false);
  EXPECT_EQ(s.baseline->step_time, 4500ms);
  EXPECT_EQ(s.expect.size(), 3u);
}

TEST_F(ScenarioFile, AFileThatIsBeingWrittenIsReadAndChecked) {
  const auto with = [this](const std::string& more) {
    return good("interruptions: [{instance: 2, during: {path: /data/*.h5, bytes: 4096" + more +
                "]\n");
  };
  const Scenario s = read(with(", flushed: true}}"));
  EXPECT_EQ(faults::to_yaml(s.interruptions.at(0)),
            "{on: {event: instance.state, instance_id: 2, to: running}, kind: torn-write, again: "
            "false, bytes: 4096, flushed: true, path: \"/data/*.h5\"}");
  EXPECT_EQ(s.interruptions[0].interruption->text,
            "{instance: 2, during: {path: /data/*.h5, bytes: 4096, flushed: true}}");
  EXPECT_PRED2(contains, errors(with("}, notice: 2m}")),
               "interruptions[0].notice: found a notice with during, expected none");
  EXPECT_PRED2(contains, errors(with("}, after: 1h}")),
               "expected either pool and at, or instance and after, or instance and during");
  EXPECT_PRED2(contains,
               errors(good("interruptions: [{instance: 1, during: {path: a, bytes: 0}}]\n")),
               "interruptions[0].during.path: found \"a\", expected a path that begins with /");
}

TEST_F(ScenarioFile, WriteBackIsReadAndChecked) {
  EXPECT_EQ(read(good()).guest.write_back_age, 30s);
  const Scenario s = read(good("guest: {write_back: {age: 10s, look: 2s}}\n"));
  EXPECT_EQ(s.guest.write_back_age, 10s);
  EXPECT_EQ(s.guest.write_back_look, 2s);
  EXPECT_PRED2(contains, errors(good("guest: {write_back: {look: 10ms}}\n")),
               "guest.write_back.look: found \"10ms\", expected at least 1s");
  EXPECT_PRED2(contains, errors(good("guest: {write_back: {period: 5s}}\n")),
               "guest.write_back: found unknown key \"period\", expected one of age, look");
}

TEST_F(ScenarioFile, TheNetworkIsReadAndChecked) {
  const Scenario s =
      read(good("network: {between_zones: {round_trip: 1.5ms, bandwidth: 100000000}, "
                "bandwidth: 300000000}\nprices: {transfer_between_zones_gb: 0.02}\n"));
  EXPECT_EQ(s.network.within_zone.round_trip, 200us);
  EXPECT_EQ(s.network.between_zones.round_trip, 1500us);
  EXPECT_EQ(s.network.between_zones.bandwidth, 100'000'000);
  EXPECT_EQ(s.network.instance_bandwidth, 300'000'000);
  EXPECT_EQ(s.cloud.prices.transfer_between_zones_gb.nano, 20'000'000);
  EXPECT_PRED2(contains, errors(good("network: {within_zone: {bandwidth: 0}}\n")),
               "network.within_zone.bandwidth: found \"0\", expected a whole number, 1000 to");
  EXPECT_PRED2(contains, errors(good("network: {between_zones: {latency: 1ms}}\n")),
               "found unknown key \"latency\"");
}

TEST_F(ScenarioFile, LifetimesAreReadAndChecked) {
  const Scenario s =
      read(good("interruptions: [{lifetime: 6h, shape: 0.7, pool: p3.2xlarge/us-west-2a}]\n"));
  EXPECT_EQ(faults::to_yaml(s.interruptions.at(0)),
            "{lifetime: {mean: 6h, shape: 0.7, pool: p3.2xlarge/us-west-2a}, kind: interrupt, "
            "notice: 2m}");
  EXPECT_PRED2(
      contains, errors(good("interruptions: [{lifetime: 6h, at: 1h}]\n")),
      "expected either pool and at, or instance and after, or instance and during, or lifetime");
  EXPECT_PRED2(contains, errors(good("interruptions: [{lifetime: 6h, shape: 0}]\n")),
               "interruptions[0].shape: found \"0\", expected a number from 0.1 to 100");
  EXPECT_PRED2(contains, errors(good("interruptions: [{lifetime: 0s}]\n")),
               "expected a mean lifetime of at least 1s");
}

TEST_F(ScenarioFile, UnknownKeyNamesTheNearestOne) {
  EXPECT_EQ(errors(good("sead: 7\n")),
            "s.yaml:6:1: key: found unknown key \"sead\", expected \"seed\"");
  EXPECT_PRED2(contains, errors(good("durations: {bot: 40s}\n")),
               "s.yaml:6:13: durations: found unknown key \"bot\", expected \"boot\"");
  EXPECT_PRED2(contains, errors(good("expect: {atempts: 2}\n")), "expected \"attempts\"");
}

TEST_F(ScenarioFile, WrongTypesReportWhatIsExpected) {
  EXPECT_EQ(errors(good("seed: seven\n")),
            "s.yaml:6:7: seed: found \"seven\", expected a whole number from 0");
  EXPECT_EQ(errors(good("description: [a]\n")),
            "s.yaml:6:14: description: found a list, expected text");
  EXPECT_PRED2(contains, errors(good("guest: {level: best}\n")), "expected one of auto, root");
  EXPECT_PRED2(contains, errors(good("prices: {snapshot_gb_month: -1}\n")), "US dollars");
  EXPECT_PRED2(contains, errors(replaced("name: t", "name: ../t")), "expected a name of letters");
}

TEST_F(ScenarioFile, MissingUnitIsNamed) {
  EXPECT_EQ(errors(good("deadline: 90\n")),
            "s.yaml:6:11: deadline: found \"90\", expected a duration such as 6h (a unit is "
            "missing: 90s, 90m or 90h?)");
  EXPECT_PRED2(contains, errors(good("durations: {boot: 30-40}\n")), "(a unit is missing)");
}

TEST_F(ScenarioFile, MissingKeysAreNamed) {
  const std::string text = errors("name: t\n");
  EXPECT_PRED2(contains, text, "s.yaml:1:1: start: found nothing, expected an instant");
  EXPECT_PRED2(contains, text, "limit: found nothing");
  EXPECT_PRED2(contains, text, "market: found nothing");
  EXPECT_PRED2(contains, text, "operator: found nothing");
}

TEST_F(ScenarioFile, AllErrorsAreReportedTogether) {
  const std::string text = errors(good("seed: x\ndeadline: y\nzone: z\n"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << text;
}

TEST_F(ScenarioFile, UnknownInstanceTypesAndZones) {
  EXPECT_EQ(errors(good("baseline: {instance_type: p9.huge}\n")),
            "s.yaml:6:27: baseline.instance_type: found \"p9.huge\", expected an instance type "
            "that spotsim knows (`spotsim types` lists them)");
  EXPECT_PRED2(contains, errors(good("availability_zones: [eu-west-1a]\n")),
               "s.yaml:6:22: availability_zones[0]: found \"eu-west-1a\", expected a zone "
               "of us-west-2, such as us-west-2a");
}

TEST_F(ScenarioFile, TraceMustExistAndCoverTheRun) {
  EXPECT_PRED2(contains, errors(replaced("trace.csv", "no.csv")),
               "s.yaml:4:19: market.prices[0]: found \"no.csv\", expected a trace file, "
               "but there is no");
  EXPECT_EQ(errors(replaced("limit: 12h", "limit: 20h")),
            "s.yaml:4:19: market.prices[0]: found a trace that ends at 2019-11-06T00:00:00Z, "
            "expected prices until the run's limit, 2019-11-06T06:00:00Z; `trace_start: "
            "2019-11-05T00:00:00Z` next to `prices` makes the trace begin with the run");
  EXPECT_EQ(errors(replaced("limit: 12h", "limit: 25h")),
            "s.yaml:4:19: market.prices[0]: found a trace that ends at 2019-11-06T00:00:00Z, "
            "expected prices until the run's limit, 2019-11-06T11:00:00Z")
      << "no way to place it would do";
  EXPECT_PRED2(contains, errors(replaced("2019-11-05T10", "2019-11-04T10")),
               "found a trace that begins at 2019-11-05T00:00:00Z, expected prices from");
}

TEST_F(ScenarioFile, APoolMustHavePrices) {
  EXPECT_EQ(errors(replaced("[trace.csv]", "[]")),
            "s.yaml:4:18: market.prices: found an empty list, expected at least one trace file");
  EXPECT_EQ(errors(replaced("name: t", "name: t\nregion: eu-west-1")),
            "s.yaml:5:18: market.prices: found prices of p3.2xlarge/us-west-2a, "
            "p3.2xlarge/us-west-2b, expected prices in the region eu-west-1");
  EXPECT_PRED2(contains, errors(replaced("{prices", "{instance_types: [p2.xlarge], prices")),
               "expected prices in the region us-west-2 of p2.xlarge (instance_types)");
}

TEST_F(ScenarioFile, LockstepNeedsLevelRoot) {
  EXPECT_EQ(errors(good("guest: {level: plain, lockstep: true}\n")),
            "s.yaml:6:33: guest.lockstep: found \"true\", expected auto or false at level plain, "
            "or level root");
  EXPECT_EQ(errors(good("guest: {lockstep: true}\n")), "");
}

TEST_F(ScenarioFile, APolicysProgramWithASlashIsFoundBesideTheScenario) {
  write("policy.sh", "#!/bin/sh\nread -r line; echo '{\"save\": \"no\"}'\n");
  std::filesystem::permissions(folder_ / "policy.sh", std::filesystem::perms::owner_all);
  write("p.yaml",
        good("trainer: {steps: 1, steps_per_epoch: 1, checkpoint_bytes: 1, data_bytes: 1, policy: "
             "{command: ./policy.sh}}\n"));
  const auto policy_of = [](const std::filesystem::path& file) {
    return read_scenario(file).trainer->policy;
  };
  EXPECT_EQ(policy_of(folder_ / "p.yaml"), "command:'" + (folder_ / "policy.sh").string() + "'");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  EXPECT_EQ(policy_of("p.yaml"), "command:'./policy.sh'");
  EXPECT_EQ(policy_of("./p.yaml"), "command:'./policy.sh'");
  std::filesystem::current_path(before);
}

TEST_F(ScenarioFile, APolicysProgramIsAskedOnce) {
  const auto with = [](const std::string& command) {
    return good(
        "trainer: {steps: 1, steps_per_epoch: 1, checkpoint_bytes: 1, data_bytes: 1, policy: "
        "{command: " +
        command + "}}\n");
  };
  EXPECT_PRED2(contains, errors(with("[sh, -c, 'exit 3']")),
               "trainer.policy: policy program sh has ended with exit status 3");
  EXPECT_PRED2(contains, errors(with("cat")), "trainer.policy: policy program cat answered '{");
  EXPECT_EQ(errors(with(R"([sh, -c, 'read -r line; echo ''{"save": "no"}'''])")), "");
}

TEST_F(ScenarioFile, TraceMayBeMovedOntoTheRun) {
  const Scenario s = read(replaced("{prices", "{trace_start: 2019-11-05T00:00:00Z, prices"));
  EXPECT_EQ(s.prices.pools.begin()->second.front().at, s.start);
}

// DescribeSpotPriceHistory returns them.
TEST_F(ScenarioFile, PricesOfNinetyDaysBeforeTheStartAreKept) {
  std::string trace = "az,instance_type,timestamp,price_usd_h\n";
  for (const char* day : {"2019-07-01", "2019-08-01", "2019-09-01", "2019-11-05", "2019-11-06"})
    trace += std::string("us-west-2a,p3.2xlarge,") + day + "T00:00:00Z,0.95\n";
  write("trace.csv", trace);
  write("job/fleet.json", fleet("p3.2xlarge", "us-west-2a"));
  const Scenario s = read(good());
  const auto& points = s.prices.pools.begin()->second;
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[0].at, parse_time("2019-08-01T00:00:00Z")) << "in force 90 days before";
  EXPECT_EQ(points[2].at, parse_time("2019-11-05T00:00:00Z")) << "the limit is before the last";
}

TEST_F(ScenarioFile, AbsurdTimesAreRefusedAndDoNotOverflow) {
  EXPECT_PRED2(contains, errors(replaced("2019-11-05T10:00:00Z", "2261-12-31T10:00:00Z")),
               "start: found \"2261-12-31T10:00:00Z\", expected an instant from 1970 to 2099");
  EXPECT_PRED2(contains, errors(replaced("{prices", "{trace_start: 1678-01-01T00:00:00Z, prices")),
               "s.yaml:4:23: market.trace_start: found \"1678-01-01T00:00:00Z\"");
  EXPECT_PRED2(contains, errors(good("deadline: 1000d\n")), "at most 365d");
  EXPECT_PRED2(contains, errors(good("durations: {boot: 1s-90000h}\n")), "at most 365d");
  EXPECT_PRED2(contains, errors(good("interruptions: [{instance: 1, after: 50000d}]\n")),
               "at most 365d");
  write("trace.csv",
        "az,instance_type,timestamp,price_usd_h\n"
        "us-west-2a,p3.2xlarge,1700-01-01T00:00:00Z,0.95\n"
        "us-west-2a,p3.2xlarge,2261-01-01T00:00:00Z,0.95\n");
  EXPECT_PRED2(contains, errors(good()), "market.prices[0]: trace.csv: found \"1700-01-01");
}

TEST_F(ScenarioFile, InterruptionsNeedATarget) {
  EXPECT_PRED2(contains, errors(good("interruptions: [{at: 1h}]\n")),
               "expected either pool and at, or instance and after");
  EXPECT_PRED2(contains, errors(good("interruptions: [{instance: 1, after: 1h, notice: 3m}]\n")),
               "expected none, or 2m (durations.interruption_notice)");
}

TEST_F(ScenarioFile, BrokenYamlHasItsPlace) {
  EXPECT_PRED2(contains, errors("name: [t\n"), "s.yaml:");
  EXPECT_PRED2(contains, errors(""), "expected a mapping");
  EXPECT_PRED2(contains, errors(good("name: u\n")), "6:1: name: found a second time");
}

TEST_F(ScenarioFile, DeepNestingAndAliasBombsAreHarmless) {
  EXPECT_NE(errors("a: " + std::string(100'000, '[')), "");
  EXPECT_NE(errors(std::string(100'000, '{')), "");
  std::string bomb = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 60; ++i) {
    const std::string n = std::to_string(i), m = std::to_string(i - 1);
    bomb += "a" + n + ": &a" + n + " [*a" + m + ", *a" + m + "]\n";
  }
  EXPECT_NE(errors(bomb + "description: *a59\nseed: *a59\nexpect: {attempts: *a59}\n"), "");
  EXPECT_NE(errors(good("description: " + std::string(2 << 20, 'x'))), "");
}

// Mutations drawn from a fixed stream: the same texts on every machine.
TEST_F(ScenarioFile, NoMutationOfAGoodFileCrashesTheParser) {
  const std::string original = good(
      "seed: 7\ndurations: {boot: 30s-40s}\ninterruptions:\n  - {at: 1h, pool: "
      "p3.2xlarge/us-west-2b, notice: none}\nexpect: {savings: {min: 0.5, max: 0.8}}\n");
  Stream stream = Streams(1).stream("scenario-fuzz");
  // The result is a valid scenario or messages. Any other exception fails the test.
  for (int round = 0; round < 3000; ++round) errors(mutated(original, stream));
}

TEST_F(ScenarioFile, AFolderInPlaceOfATraceIsNamedAsAFolder) {
  EXPECT_EQ(errors(replaced("[trace.csv]", "[job]")),
            "s.yaml:4:19: market.prices[0]: found \"job\", expected a trace file, but this is a "
            "folder: name the files in it");
}

TEST_F(ScenarioFile, MistakesInABaseScenarioAreReportedWithItsFileAndLine) {
  write("base.yaml", good());
  const auto wrong = [&](const std::string& own, const Overrides& set = {}) {
    write("mine.yaml", "based_on: base.yaml\nname: mine\n" + own);
    return messages_of([&] { read_scenario(folder_ / "mine.yaml", set); }, folder_);
  };
  EXPECT_EQ(wrong("interruptions:\n  - {at: 78, pool: p3.2xlarge/us-west-2b}\n"),
            "mine.yaml:4:10: interruptions[0].at: found \"78\", expected a duration such as 90s (a "
            "unit is missing: 78s, 78m or 78h?)");
  EXPECT_PRED2(contains, wrong("sed: 1\n"), "mine.yaml:3:1: key: found unknown key \"sed\"");
  EXPECT_PRED2(contains, wrong("limit: 1\n"), "mine.yaml:3:8: limit: ");
  EXPECT_PRED2(contains, wrong("expect: &e {attempts: no}\n"), "mine.yaml:3:23: expect.attempts");
  EXPECT_PRED2(contains, wrong("code: {https://a/b.git: [1]}\n"),
               "mine.yaml:3:25: code.https://a/b.git: found a list, expected a folder");
  EXPECT_PRED2(contains, wrong("urls: {https://a/b: {fil: c}}\n"),
               "mine.yaml:3:22: urls.https://a/b: found unknown key \"fil\"");
  EXPECT_PRED2(contains, wrong("trainer: {job: a, job: b}\n"), "mine.yaml:3:19: trainer.job: ");
  EXPECT_PRED2(contains, wrong("limit: 2h\n", {{"limit", "1", "--set limit=1"}}),
               "--set limit=1: limit: ");
  write("base.yaml", replaced("12h", "12"));
  EXPECT_PRED2(contains, wrong(""), "base.yaml:3:8: limit: ");
  write("between.yaml", "based_on: base.yaml\nlimit: 13\n");
  write("mine.yaml", "based_on: between.yaml\nname: mine\n");
  EXPECT_PRED2(contains, messages_of([&] { read_scenario(folder_ / "mine.yaml"); }, folder_),
               "between.yaml:2:8: limit: ");
}

TEST_F(ScenarioFile, KeepsFilesOfInstancesByAbsolutePath) {
  EXPECT_EQ(read(good("keep: [/var/log/train.log, /logs/*.txt]\n")).keep.size(), 2U);
  for (const char* wrong : {"[train.log]", "[/logs/]", "[/l*/x.log]", "/var/log/x"})
    EXPECT_PRED2(contains, errors(good(std::string("keep: ") + wrong + "\n")), ": keep") << wrong;
}

TEST_F(ScenarioFile, ABaselineHasANumberOfInstancesAndMayBeOfSageMaker) {
  const Baseline gang =
      *read(good("baseline: {instance_type: ml.p3.2xlarge, instances: 2}\n")).baseline;
  EXPECT_EQ(gang.instance_type, "ml.p3.2xlarge");
  EXPECT_EQ(gang.instances, 2);
  EXPECT_PRED2(contains, errors(good("baseline: {instance_type: ml.p3, instances: 0}\n")),
               "baseline.instances: found \"0\"");
}

TEST_F(ScenarioFile, WarnsOfADeadlineAfterTheLimit) {
  EXPECT_EQ(read(good("deadline: 13h\n")).warnings,
            (std::vector<std::string>{
                (folder_ / "s.yaml").string() +
                ":6:11: deadline: warning: found 13h, expected at most the limit of 12h, at which "
                "the run ends: unfinished training then counts as late"}));
  EXPECT_TRUE(read(good("deadline: 12h\n")).warnings.empty());
  EXPECT_TRUE(read(good()).warnings.empty());
}

}  // namespace
}  // namespace sim::scenario
