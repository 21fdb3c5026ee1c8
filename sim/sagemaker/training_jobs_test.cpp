#include "sim/sagemaker/training_jobs.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/files/folder_for_test.h"
#include "base/files/whole_file.h"
#include "sim/cloud/world_for_test.h"
#include "sim/sagemaker/workspace.h"

namespace sim::sagemaker {
namespace {

namespace fs = std::filesystem;
using cloud::InstanceId;
using cloud::kStart;

// Machines whose containers do what the test sets.
class ContainerHost : public cloud::FakeHost {
 public:
  using FakeHost::FakeHost;
  cloud::ContainerFolder container_folder(const InstanceId& id) override {
    const fs::path folder = folders.path() / id.value;
    fs::create_directories(folder);
    return {.path = folder};
  }
  bool run_container(const cloud::Instance& instance, const cloud::Container& container,
                     cloud::ContainerHooks hooks) override {
    if (!has_image) return false;
    order.push_back(instance.id);
    started[instance.id] = {container, std::move(hooks)};
    return true;
  }
  void stop_container(const InstanceId& id, Duration grace) override {
    calls.push_back("stop " + id.value + " " + format_duration(grace));
  }
  // The n-th container that was started, from 0 on.
  const cloud::Container& container(std::size_t n) { return started.at(order.at(n)).first; }
  void exit(std::size_t n, int status) { started.at(order.at(n)).second.exited(status); }
  void say(std::size_t n, const std::string& line) { started.at(order.at(n)).second.said(line); }
  fs::path file(std::size_t n, const std::string& path) { return container(n).folder.path / path; }
  void write(std::size_t n, const std::string& path, const std::string& text) {
    fs::create_directories(file(n, path).parent_path());
    std::ofstream(file(n, path)) << text;
  }
  std::string read(std::size_t n, const std::string& path) {
    return base::read_file(file(n, path)).value_or("(none)");
  }

  base::FolderForTest folders;
  bool has_image = true;
  std::vector<InstanceId> order;
  std::map<InstanceId, std::pair<cloud::Container, cloud::ContainerHooks>> started;
};

class TrainingJobsTest : public testing::Test {
 protected:
  TrainingJobsTest() {
    cloud.observe(log_writer);
    store.create_bucket("bucket");
    put("data/train/a", "first");
    put("data/train/b", "second");
  }
  void put(const std::string& key, const std::string& bytes) {
    put_file(store, {"bucket", ""}, key, objects::Body(store.bytes_file().keep(bytes)));
  }
  std::string text(const std::string& key) {
    if (!store.bucket("bucket").objects.contains(key)) return "(none)";
    std::string out;
    objects::each_part(store.object("bucket", key).body,
                       [&](std::span<const char> part) { out.append(part.data(), part.size()); });
    return out;
  }
  static JobSpec spec(int hosts = 1) {
    return {.name = "job",
            .image = "registry.example/train:1",
            .hyperparameters = {{"epochs", "3"}},
            .environment = {{"MORE", "1"}},
            .channels = {{.name = "training", .uri = "s3://bucket/data/train"}},
            .output = {"bucket", "out"},
            .instance_type = "p3.2xlarge",
            .instance_count = hosts,
            .spot = true,
            .max_runtime = 2h,
            .max_wait = 4h,
            .checkpoints = S3Folder{"bucket", "saved"}};
  }
  const Job& create(JobSpec wanted = spec()) { return jobs.create(std::move(wanted)); }
  void run(Duration d) { simulation.run_until(simulation.now() + d); }
  void interrupt(std::size_t n) {
    cloud.interrupt(host.order.at(n), cloud::Cloud::Notice::kGiven, "no-capacity");
  }
  std::string path(const Job& job) const {
    std::string out;
    for (const Transition& step : job.transitions) out += (out.empty() ? "" : " ") + step.status;
    return out;
  }
  static std::string refusal(const std::function<void()>& call) {
    try {
      call();
    } catch (const cloud::ApiError& error) {
      return error.code() + ": " + error.what();
    }
    return "";
  }

  Simulation simulation{kStart};
  EventLog log;
  Streams streams{1};
  market::Market market{simulation, log, cloud::default_prices()};
  ContainerHost host{simulation};
  cloud::Cloud cloud{simulation,
                     streams,
                     market,
                     host,
                     {.availability_zones = {"us-west-2a", "us-west-2b", "us-west-2c"},
                      .durations = cloud::fixed_durations()}};
  cloud::LogWriter log_writer{simulation, log};
  objects::Store store{simulation, log, streams};
  logs::Store logs{simulation};
  TrainingJobs jobs{simulation, log, cloud, store, logs};
};

TEST_F(TrainingJobsTest, TrainsAndKeepsItsModel) {
  const Job& job = create();
  EXPECT_EQ(job.arn, "arn:aws:sagemaker:us-west-2:123456789012:training-job/job");
  run(3min);
  ASSERT_EQ(host.order.size(), 1U);
  EXPECT_EQ(path(job), "Starting Downloading Training");
  EXPECT_EQ(host.container(0).arguments, std::vector<std::string>{"train"});
  EXPECT_EQ(host.container(0).mounts,
            (std::vector<std::string>{"input", "model", "output", "checkpoints"}));
  EXPECT_EQ(host.container(0).environment.at("TRAINING_JOB_NAME"), "job");
  EXPECT_EQ(host.container(0).environment.at("MORE"), "1");
  EXPECT_EQ(host.read(0, "input/data/training/b"), "second");
  EXPECT_EQ(host.read(0, "input/config/hyperparameters.json"), R"({"epochs":"3"})");
  EXPECT_NE(host.read(0, "input/config/resourceconfig.json").find(R"("current_host":"algo-1")"),
            std::string::npos);

  host.say(0, "Epoch 1/3");
  host.write(0, "model/weights", "trained");
  run(1h);
  host.exit(0, 0);
  run(1min);
  EXPECT_EQ(path(job), "Starting Downloading Training Uploading Completed");
  EXPECT_EQ(job.status, JobStatus::kCompleted);
  EXPECT_EQ(job.model_uri, "s3://bucket/out/job/output/model.tar.gz");
  EXPECT_TRUE(text("out/job/output/model.tar.gz").starts_with("\x1f\x8b"));
  const auto& streams_of = logs.groups().at("/aws/sagemaker/TrainingJobs").streams;
  ASSERT_EQ(streams_of.size(), 1U);
  EXPECT_TRUE(streams_of.begin()->first.starts_with("job/algo-1-1572948"))
      << streams_of.begin()->first;
  EXPECT_EQ(streams_of.begin()->second.events.at(0).message, "Epoch 1/3");
  EXPECT_FALSE(jobs.any_active());
  run(10min);
  EXPECT_FALSE(cloud.anything_running());
}

// The job's billable time equals the ledger's, and the savings equal the market's.
TEST_F(TrainingJobsTest, BillableTimeIsTheLedgers) {
  const Job& job = create();
  run(3min);
  run(1h);
  host.exit(0, 0);
  run(10min);
  Duration ran{};
  market::Usd cost;
  for (const auto& item : cloud.ledger().items()) {
    EXPECT_EQ(item.usage, "SpotTraining:ml.p3.2xlarge/us-west-2b");
    ran += item.to - item.from;
    cost += item.cost;
  }
  EXPECT_EQ(*job.training, ran);
  // p3.2xlarge: 3.06 on demand, 0.9 spot; ml. 1.4 times as much of both in 2019.
  EXPECT_NEAR(seconds(*job.billable) / seconds(*job.training), 0.9 / 3.06, 1e-9);
  EXPECT_NEAR(cost.dollars(), seconds(*job.billable) / 3600 * 3.06 * 1.4, 1e-8);
}

TEST_F(TrainingJobsTest, AnInterruptionBeginsAgainWithTheCheckpoints) {
  const Job& job = create();
  run(3min);
  host.write(0, "checkpoints/epoch-1", "one");
  run(1min);
  EXPECT_EQ(text("saved/epoch-1"), "one");
  interrupt(0);
  run(5min);
  ASSERT_EQ(host.order.size(), 2U);
  EXPECT_EQ(host.read(1, "checkpoints/epoch-1"), "one");
  EXPECT_EQ(path(job), "Starting Downloading Training Interrupted Starting Downloading Training");
  EXPECT_EQ(job.interruptions, 1);
  host.exit(1, 0);
  run(10min);
  EXPECT_EQ(job.status, JobStatus::kCompleted);
  // An instance that EC2 interrupts in its first hour is charged: AWS documents no free hour for
  // SageMaker.
  EXPECT_NEAR(seconds(*job.billable) / seconds(*job.training), 0.9 / 3.06, 1e-9);
}

TEST_F(TrainingJobsTest, CheckpointsFollowTheirFolder) {
  create();
  run(3min);
  host.write(0, "checkpoints/a", "half");  // a file that is being written
  run(11s);
  EXPECT_EQ(text("saved/a"), "half");
  host.write(0, "checkpoints/a", "whole");
  host.write(0, "checkpoints/sub/b", "other");
  put("saved/from-elsewhere", "x");
  run(11s);
  EXPECT_EQ(text("saved/a"), "whole");
  EXPECT_EQ(text("saved/sub/b"), "other");
  EXPECT_EQ(host.read(0, "checkpoints/from-elsewhere"), "(none)");
  // The same size at the same tick of the host's clock.
  const auto before = fs::last_write_time(host.file(0, "checkpoints/a"));
  host.write(0, "checkpoints/a", "other");
  fs::last_write_time(host.file(0, "checkpoints/a"), before);
  fs::remove(host.file(0, "checkpoints/sub/b"));
  run(11s);
  EXPECT_EQ(text("saved/a"), "other");
  EXPECT_EQ(text("saved/sub/b"), "(none)");
  EXPECT_EQ(text("saved/from-elsewhere"), "x");
}

// A checkpoint that has not arrived when the instance ends is lost.
TEST_F(TrainingJobsTest, ACheckpointTakesItsTimeToTheBucket) {
  jobs.set_knobs({.transfer = {.bytes_per_second = 10}});
  JobSpec slow = spec();
  slow.channels.clear();
  create(slow);
  run(3min);
  host.write(0, "checkpoints/a", std::string(600, 'x'));  // a minute
  run(30s);
  EXPECT_EQ(text("saved/a"), "(none)");
  cloud.interrupt(host.order.at(0), cloud::Cloud::Notice::kNone, "no-capacity");
  run(10min);
  EXPECT_EQ(text("saved/a"), "(none)");
  EXPECT_EQ(host.read(1, "checkpoints/a"), "(none)");
}

// Each of many small files costs a request: ten at once, 100 ms each.
TEST_F(TrainingJobsTest, ManySmallFilesTakeTheTimeOfTheirRequests) {
  JobSpec job = spec();
  job.channels.clear();
  create(job);
  run(3min);
  for (int n = 0; n < 500; ++n) host.write(0, "checkpoints/" + std::to_string(n), "x");
  const auto arrived = [&] {
    const auto& objects = store.bucket("bucket").objects;
    return std::ranges::count_if(
        objects, [](const auto& object) { return object.first.starts_with("saved/"); });
  };
  while (arrived() == 0) run(100ms);
  EXPECT_EQ(arrived(), 10);
  run(2s);
  EXPECT_EQ(arrived(), 210);
  cloud.interrupt(host.order.at(0), cloud::Cloud::Notice::kNone, "no-capacity");
  const Time begin = simulation.now();
  while (host.order.size() < 2) run(100ms);
  EXPECT_EQ(host.read(1, "checkpoints/0"), "x");
  const auto& steps = jobs.job("job").transitions;
  const auto download = std::ranges::find_if(steps, [&](const Transition& step) {
    return step.status == "Downloading" && step.start > begin;
  });
  EXPECT_NEAR(seconds(*download->end - download->start), 2.1, 0.001);
}

// A trainer writes the next checkpoint and deletes the last one faster than they reach the bucket.
// Each has a small manifest and large data. From the first pass on, the bucket has a complete
// checkpoint.
TEST_F(TrainingJobsTest, HugeCheckpointsThatReplaceOneAnotherLeaveAWholeOneInTheBucket) {
  jobs.set_knobs({.transfer = {.bytes_per_second = 10}});
  JobSpec slow = spec();
  slow.channels.clear();
  create(slow);
  run(3min);
  const auto whole = [&](int n) {
    const std::string name = "saved/" + std::to_string(n);
    return text(name + ".json") == "manifest" && text(name + ".zip") == std::string(600, 'x');
  };
  int newest_before = 0;
  for (int n = 1; n <= 12; ++n) {
    const std::string name = "checkpoints/" + std::to_string(n);
    host.write(0, name + ".zip", std::string(600, 'x'));  // a minute
    host.write(0, name + ".json", "manifest");
    if (n > 1)
      for (const char* part : {".json", ".zip"})
        fs::remove(host.file(0, "checkpoints/" + std::to_string(n - 1) + part));
    run(30s);
    int newest = 0;
    for (int old = 1; old <= n; ++old)
      if (whole(old)) newest = old;
    EXPECT_GE(newest, newest_before);
    EXPECT_TRUE(n < 4 || newest > 0) << "after " << n << " checkpoints";
    newest_before = newest;
  }
  EXPECT_GE(newest_before, 9) << "at most two passes behind";
  EXPECT_EQ(text("saved/1.json"), "(none)") << "what was deleted goes in the end";
}

// The newest of a file that was still on its way when the container ended.
TEST_F(TrainingJobsTest, TheLastCheckpointIsThereAtTheEnd) {
  jobs.set_knobs({.transfer = {.bytes_per_second = 100}});
  JobSpec slow = spec();
  slow.channels.clear();
  create(slow);
  run(3min);
  host.write(0, "checkpoints/a", std::string(2000, '1'));  // 20 s
  host.write(0, "checkpoints/b", "b");
  run(15s);
  host.write(0, "checkpoints/a", std::string(2000, '2'));
  run(16s);
  fs::remove(host.file(0, "checkpoints/b"));
  host.exit(0, 0);
  run(5min);
  EXPECT_EQ(text("saved/a"), std::string(2000, '2'));
  EXPECT_EQ(text("saved/b"), "(none)");
}

// A container's links lead nowhere but into its own folder.
TEST_F(TrainingJobsTest, ReadsNothingOutsideOfAHostsFolder) {
  const base::FolderForTest outside;
  std::ofstream(outside.path() / "secret") << "not the container's";
  const Job& job = create();
  run(3min);
  fs::remove_all(host.file(0, "checkpoints"));
  fs::create_directory_symlink(outside.path(), host.file(0, "checkpoints"));
  fs::remove_all(host.file(0, "model"));
  fs::create_directory_symlink(outside.path(), host.file(0, "model"));
  ASSERT_EQ(mkfifo(host.file(0, "output/failure").c_str(), 0600), 0);
  run(1min);
  host.exit(0, 1);
  run(5min);
  EXPECT_EQ(text("saved/secret"), "(none)");
  EXPECT_EQ(job.failure_reason, "AlgorithmError: , exit code: 1");
  EXPECT_EQ(workspace_in(host.container(0).folder, store.bytes_file())->packed("model", kStart),
            nullptr);
}

TEST_F(TrainingJobsTest, AllHostsBeginAgainWhenOneIsTaken) {
  const Job& job = create(spec(2));
  run(3min);
  ASSERT_EQ(host.order.size(), 2U);
  EXPECT_EQ(host.container(1).hosts.size(), 2U);
  EXPECT_EQ(host.container(1).hosts.at("algo-1"), cloud.instance(host.order[0]).private_ip);
  host.write(0, "checkpoints/epoch-1", "one");
  run(1min);
  interrupt(1);
  run(6min);
  ASSERT_EQ(host.order.size(), 4U);
  EXPECT_EQ(host.read(2, "checkpoints/epoch-1"), "one");
  EXPECT_EQ(host.read(3, "checkpoints/epoch-1"), "one");
  EXPECT_TRUE(cloud.instance(host.order[0]).shutting_down_at);
  host.exit(2, 0);
  EXPECT_EQ(job.status, JobStatus::kInProgress);
  host.exit(3, 0);
  run(10min);
  EXPECT_EQ(job.status, JobStatus::kCompleted);
  EXPECT_EQ(job.interruptions, 1);
}

TEST_F(TrainingJobsTest, ShardsAChannel) {
  JobSpec wanted = spec(2);
  wanted.channels[0].sharded = true;
  create(wanted);
  run(3min);
  EXPECT_EQ(host.read(0, "input/data/training/a") + host.read(0, "input/data/training/b"),
            "first(none)");
  EXPECT_EQ(host.read(1, "input/data/training/a") + host.read(1, "input/data/training/b"),
            "(none)second");
}

// If a channel has fewer objects than there are hosts, some hosts get none. For a folder, only the
// objects below it count, not others with a similar name.
TEST_F(TrainingJobsTest, ChannelsBringWhatTheirPrefixHas) {
  put("data/train-old/c", "third");
  JobSpec wanted = spec(3);
  wanted.channels[0].sharded = true;
  wanted.channels[0].uri = "s3://bucket/data/train/";
  create(wanted);
  run(3min);
  ASSERT_EQ(host.order.size(), 3U);
  EXPECT_EQ(host.read(1, "input/data/training/b"), "second");
  EXPECT_TRUE(fs::is_empty(host.file(2, "input/data/training")));
}

TEST_F(TrainingJobsTest, WaitsForCapacityNoLongerThanItMay) {
  for (const char* zone : {"us-west-2a", "us-west-2b"})
    market.set_capacity({"p3.2xlarge", zone}, 0);
  const Job& job = create();
  run(10min);
  EXPECT_EQ(job.transitions.back().message,
            "Insufficient capacity error from EC2 while launching instances, retrying!");
  run(4h);
  EXPECT_EQ(path(job), "Starting MaxWaitTimeExceeded");
  EXPECT_EQ(job.status, JobStatus::kStopped);
  EXPECT_EQ(seconds(*job.billable), 0);
  EXPECT_EQ(*job.training_end, kStart + 4h);
}

TEST_F(TrainingJobsTest, AStopLeavesTimeForTheModel) {
  const Job& job = create();
  run(3min);
  jobs.stop("job");
  EXPECT_EQ(job.status, JobStatus::kStopping);
  EXPECT_EQ(host.calls.back(), "stop " + host.order[0].value + " 2m");
  EXPECT_EQ(refusal([&] { jobs.stop("job"); }),
            "ValidationException: The request was rejected because the training job is in status "
            "Stopping.");
  host.write(0, "model/weights", "so far");
  host.exit(0, 143);
  run(1min);
  EXPECT_EQ(path(job), "Starting Downloading Training Stopping Uploading Stopped");
  EXPECT_FALSE(job.model_uri.empty());
  EXPECT_TRUE(job.failure_reason.empty());
}

TEST_F(TrainingJobsTest, RunsNoLongerThanItMay) {
  JobSpec wanted = spec();
  wanted.max_runtime = 10min;
  const Job& job = create(wanted);
  run(13min);
  EXPECT_EQ(job.transitions.back().status, "Stopping");
  host.exit(0, 0);
  run(1min);
  EXPECT_EQ(job.transitions.back().status, "MaxRuntimeExceeded");
}

TEST_F(TrainingJobsTest, ReportsWhyItFailed) {
  const Job& job = create();
  run(3min);
  host.write(0, "output/failure", "out of memory");
  host.exit(0, 1);
  run(1min);
  EXPECT_EQ(path(job), "Starting Downloading Training Uploading Failed");
  EXPECT_EQ(job.failure_reason, "AlgorithmError: out of memory, exit code: 1");
  EXPECT_TRUE(job.model_uri.empty());
}

TEST_F(TrainingJobsTest, FailsWithoutDataOrImage) {
  JobSpec nothing = spec();
  nothing.channels[0].uri = "s3://bucket/none";
  const Job& no_data = create(nothing);
  JobSpec elsewhere = spec();
  elsewhere.name = "elsewhere";
  elsewhere.channels[0].uri = "s3://no-bucket/none";
  const Job& no_bucket = create(elsewhere);
  host.has_image = false;
  JobSpec third = spec();
  third.name = "third";
  const Job& no_image = create(third);
  run(10min);
  EXPECT_TRUE(no_data.failure_reason.starts_with(
      "ClientError: Data download failed:No S3 objects found under S3 URL \"s3://bucket/none\""));
  EXPECT_TRUE(
      no_bucket.failure_reason.starts_with("ClientError: Data download failed:NoSuchBucket"));
  EXPECT_TRUE(no_image.failure_reason.starts_with("ClientError: Please ensure that the training"));
  run(10min);
  EXPECT_FALSE(cloud.anything_running());
}

TEST_F(TrainingJobsTest, ALostHostIsAnInternalErrorAndMayBeTriedAgain) {
  JobSpec wanted = spec();
  wanted.retries = 1;
  const Job& job = create(wanted);
  run(3min);
  cloud.fail_host(host.order[0]);
  run(5min);
  ASSERT_EQ(host.order.size(), 2U);
  EXPECT_EQ(path(job), "Starting Downloading Training Restarting Starting Downloading Training");
  cloud.fail_host(host.order[1]);
  run(5min);
  EXPECT_TRUE(job.failure_reason.starts_with("InternalServerError: "));
}

TEST_F(TrainingJobsTest, RefusesWhatCannotBe) {
  create();
  EXPECT_TRUE(refusal([&] { create(); }).starts_with("ResourceInUse: Training job names must be"));
  JobSpec odd = spec();
  odd.name = "odd";
  odd.instance_type = "p9.large";
  EXPECT_TRUE(
      refusal([&] { create(odd); }).starts_with("ValidationException: Value 'ml.p9.large'"));
  EXPECT_EQ(refusal([&] { jobs.stop("none"); }),
            "ValidationException: Requested resource not found.");
  EXPECT_TRUE(refusal([] { S3Folder::parse("bucket/x"); }).starts_with("ValidationException"));
}

// EC2 shows no instance of SageMaker.
TEST_F(TrainingJobsTest, EC2DoesNotShowItsInstances) {
  create();
  run(3min);
  const InstanceId id = host.order[0];
  EXPECT_FALSE(cloud.shows(cloud.instance(id)));
  EXPECT_TRUE(refusal([&] { cloud.terminate_instances({id}); }).starts_with("InvalidInstanceID"));
}

}  // namespace
}  // namespace sim::sagemaker
