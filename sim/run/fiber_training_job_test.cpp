// SageMaker's training jobs with fiber guests: which checkpoints survive an interruption, how jobs
// end, and which requests are refused.
#include <gtest/gtest.h>

#include "sim/run/fiber_run_for_test.h"

namespace sim::run {
namespace {

// The scenario sagemaker-spot. Its container saves step 384 at 10:14:48, SageMaker sees it at
// 10:14:50, and the instance ends at 10:16:00.
scenario::Scenario job_with(const std::string& bytes) {
  return changed("sagemaker-spot", "checkpoint_bytes: 35792", "checkpoint_bytes: " + bytes);
}
scenario::Scenario job_created_with(const std::string& options) {
  return changed("sagemaker-spot", "--cli-input-json file://job.json",
                 "--cli-input-json file://job.json " + options);
}

std::int64_t second_start(const Played& played) {
  const auto starts = told(played, "trainer.start");
  if (starts.size() != 2) return -1;
  return starts[1].fields["step"];
}

// The time of the n-th change to this status, counted from 0.
Time status_at(const Played& played, const std::string& status, std::size_t n) {
  for (const Event& event : told(played, "sagemaker.status"))
    if (event.fields["secondary_status"] == status && n-- == 0) return event.time;
  ADD_FAILURE() << status;
  return {};
}

std::string failure_of(const Played& played) {
  return played.report.result->training_jobs.at(0).failure_reason;
}

TEST(FiberTrainingJob, AnUploadedCheckpointReachesTheNextInstance) {
  const Played played = play(job_with("20000000000"));  // 40 s to the bucket
  EXPECT_EQ(second_start(played), 384);
  EXPECT_EQ(played.report.result->outcome, "completed");
  EXPECT_EQ(played.report.result->lost_steps, 36);
}

TEST(FiberTrainingJob, AnUploadThatTheInterruptionCutsOffIsLost) {
  const Played played = play(job_with("40000000000"));  // 80 s: too late
  EXPECT_EQ(second_start(played), 320);
  EXPECT_EQ(played.report.result->outcome, "completed");
  EXPECT_EQ(played.report.result->lost_steps, 100);
  // The service deletes last, so the bucket has three, one of which the job had removed.
  const Duration download = status_at(played, "Training", 2) - status_at(played, "Downloading", 1);
  EXPECT_NEAR(seconds(download), 0.1 + (3 * 40e9 + 7866950) / 5e8, 1e-3);
}

TEST(FiberTrainingJob, StopsAtItsLimit) {
  const Played played = play(
      job_created_with("--stopping-condition MaxRuntimeInSeconds=300,MaxWaitTimeInSeconds=3600"));
  const auto& job = played.report.result->training_jobs.at(0);
  EXPECT_EQ(job.secondary_status, "MaxRuntimeExceeded");
  const auto stops = told(played, "trainer.stop");
  ASSERT_EQ(stops.size(), 1u);
  EXPECT_EQ(stops[0].fields["step"], 150);
  EXPECT_EQ(job.model, "") << "spottrain leaves one when it has finished";
}

TEST(FiberTrainingJob, FailsWithItsTrainer) {
  const Played played = play(changed("sagemaker-spot", "checkpoint_bytes: 35792",
                                     "crash_every: 1m, checkpoint_bytes: 35792"));
  EXPECT_EQ(played.report.result->outcome, "failed");
  EXPECT_EQ(failure_of(played), "AlgorithmError: , exit code: 1");
}

TEST(FiberTrainingJob, FailsWithoutItsImage) {
  const Played played = play(changed("sagemaker-spot", "/spottrain:latest:", "/other:latest:"));
  EXPECT_TRUE(contains(failure_of(played), "guest.images has none of this name"))
      << failure_of(played);
}

// A trainer that hangs does not react to SIGTERM and ends with its instance.
TEST(FiberTrainingJob, ContinuesAfterATrainerHung) {
  const Played played =
      play(changed("sagemaker-spot", "operator:\n",
                   "faults: [{on: {event: trainer.step, step: 100}, kind: trainer-hang}]\n"
                   "operator:\n"));
  EXPECT_EQ(second_start(played), 64);
  EXPECT_EQ(played.report.result->outcome, "completed");
  EXPECT_EQ(told(played, "guest.exit").size(), 2u) << "the second container's and the operator's";
}

// The operator retries temporary errors, as aws-cli does.
TEST(FiberTrainingJob, ItsOperatorRetriesTemporaryErrors) {
  for (const std::string fault : {"kind: api-error", "kind: api-throttled, times: 3",
                                  "kind: api-lost-answer", "kind: api-lost-request"}) {
    const Played played = play(
        changed("sagemaker-spot", "operator:\n",
                "faults:\n  - {before_call: {action: DescribeTrainingJob, caller: operator}, " +
                    fault + "}\n  - {before_call: {action: PutObject, caller: operator}, " + fault +
                    "}\noperator:\n"));
    EXPECT_EQ(played.report.result->outcome, "completed") << fault;
  }
}

scenario::Scenario two_hosts() {
  return job_created_with(
      "--resource-config InstanceType=ml.p3.2xlarge,InstanceCount=2,VolumeSizeInGB=30");
}

// The same as with process guests (scenarios/sagemaker-mpi.yaml): the first host trains and saves.
// If the second host is interrupted, both start again.
TEST(FiberTrainingJob, OfTwoHostsRestartsIfOneIsInterrupted) {
  scenario::Scenario scenario = two_hosts();
  interrupt(scenario, "[{instance: 2, after: 13m}]");
  const Played played = play(scenario);
  const auto& job = played.report.result->training_jobs.at(0);
  EXPECT_EQ(job.secondary_status, "Completed");
  EXPECT_EQ(job.hosts, 2);
  EXPECT_EQ(job.interruptions, 1);
  EXPECT_EQ(second_start(played), 384);
  EXPECT_EQ(played.report.result->attempts.size(), 4u);
  EXPECT_NE(job.model, "");
  std::vector<int> statuses;
  for (const Event& exit : told(played, "guest.exit")) statuses.push_back(exit.fields["status"]);
  EXPECT_EQ(statuses, (std::vector{143, 75, 0, 0, 0}))
      << "the host that is taken, the other one, both of the second attempt, the operator";
}

TEST(FiberTrainingJob, OfTwoHostsFailsWithTheTrainerOfEither) {
  for (const std::string host : {"1", "2"}) {
    scenario::Scenario scenario = two_hosts();
    const std::string crash =
        "[{on: {event: trainer.step, step: 6}, kind: trainer-crash, instance: " + host + "}]";
    scenario.faults = scenario::read_scenario(scenario.file, {{"faults", crash, "test"}}).faults;
    const Played played = play(scenario);
    EXPECT_EQ(failure_of(played), "AlgorithmError: , exit code: 137");
    EXPECT_EQ(told(played, "sagemaker.exit").size(), 2u);
  }
}

TEST(FiberTrainingJob, WhatCannotBeModelledEndsTheRunWithAMessage) {
  const auto told_of = [](const std::string& options) {
    return refused(job_created_with(options));
  };
  EXPECT_TRUE(contains(told_of("--hyper-parameters epochs=10"), "emulate-step-time: found none"));
  EXPECT_TRUE(contains(refused(changed("sagemaker-spot", "policy: epoch,", "policy: oracle,")),
                       "found oracle"));
  EXPECT_TRUE(contains(refused(changed("sagemaker-spot", "policy: epoch,",
                                       "policy: epoch, checkpoint: {to: snapshot},")),
                       "has no EBS volume"));
}

}  // namespace
}  // namespace sim::run
