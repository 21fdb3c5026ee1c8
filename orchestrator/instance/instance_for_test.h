// An instance of a job for tests: a volume, a trainer with a given end, and AWS.
#pragma once

#include <gtest/gtest.h>

#include <csignal>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "orchestrator/fake_ec2_for_test.h"
#include "orchestrator/instance/instance.h"
#include "orchestrator/job/tags.h"

namespace spotrun::testing {

// A machine whose trainer ends as the test requests: by itself after two minutes, or on SIGTERM.
struct FakeMachine : Machine {
  explicit FakeMachine(FakeClock& fake_clock) : clock(fake_clock) {}

  std::optional<std::string> find_device(const std::string&, const std::string&) override {
    return "/dev/xvdf";
  }
  DeviceContent probe(const std::string&) override { return content; }
  void format(const std::string&, const std::string&) override { ++formatted; }
  void mount(const std::string&, const std::string&, const std::string&) override {
    if (mount_error) throw MachineError("cannot mount /dev/xvdf");
    mounted = true;
    ++mounts;
  }
  void unmount(const std::string&) override { mounted = false; }
  void make_folder(const std::string&) override {}
  void remove_folder(const std::string&) override {}
  bool exists(const std::string&) override { return false; }
  void write_file(const std::string&, const std::string&) override {}
  std::string local_path(const std::string& path) const override { return path; }

  ExitStatus run(const Command&) override {
    if (stop_during_command) throw Stopped();
    return command_status;
  }
  void start_trainer(const Command& command) override {
    running = true;
    environment = command.environment;
    ++started;
    begun = clock.time;
    told = false;
  }
  // Only SIGKILL ends a trainer that hangs.
  void signal_trainer(int signal) override {
    const bool heard = hangs > 0 ? signal == SIGKILL : signal == SIGTERM;
    if (running && heard && hangs > 0) --hangs, end_when_told = {.signal = SIGKILL};
    told = told || (running && heard);
  }
  std::string state_of(const std::string&) override { return state ? state() : ""; }
  std::optional<ExitStatus> wait_trainer(Duration timeout, Time) override {
    if (!running) throw MachineError("no trainer runs");
    if (told) {
      running = false;
      return end_when_told;
    }
    clock.sleep(timeout);
    if (hangs > 0 || clock.time - begun < runs_for) return std::nullopt;
    running = false;
    const ExitStatus status = ends.front();
    if (ends.size() > 1) ends.pop_front();
    return status;
  }

  FakeClock& clock;
  DeviceContent content{DeviceContent::Kind::kFilesystem, "xfs"};
  std::deque<ExitStatus> ends{{0}};
  ExitStatus end_when_told{75};
  ExitStatus command_status{0};
  std::map<std::string, std::string> environment;
  int formatted = 0, started = 0;
  int hangs = 0;                       // number of following trainers that hang
  std::function<std::string()> state;  // of the checkpoints' folder
  int mounts = 0;
  bool mount_error = false;
  Duration runs_for = std::chrono::minutes{2};  // before it ends by itself
  bool mounted = false, running = false, told = false, stop_during_command = false;
  Time begun{};
};

// Metadata of a spot instance, with a notice two minutes before `ends`.
struct FakeMetadata : client::Http {
  explicit FakeMetadata(FakeClock& fake_clock) : clock(fake_clock) {}
  client::HttpResponse send(const client::HttpRequest& request) override {
    if (request.method == "PUT") return {200, "token"};
    if (request.url.ends_with("instance-life-cycle")) return {200, "spot"};
    if (request.url.ends_with("rebalance")) return {rebalance_status, ""};
    if (request.url.ends_with("instance-action") && !action.empty()) return {200, action};
    if (request.url.ends_with("instance-action") && ends &&
        clock.time >= *ends - std::chrono::minutes{2}) {
      return {200, R"({"action": "terminate", "time": ")" + iso_time(*ends) + "\"}"};
    }
    return {404, ""};
  }
  FakeClock& clock;
  std::optional<Time> ends;
  std::string action;  // the document to serve instead of a notice
  int rebalance_status = 404;
};

struct InstanceTest : ::testing::Test {
  void TestBody() override {}  // for worlds within a test
  InstanceTest() {
    volume = ec2.add_volume("us-west-2b", {{"Name", "data"}}, 1).id;
    instance = ec2.add_instance("us-west-2b").id;
    ec2.instances[instance].tags[tags::kFleet] = "sfr-1";
  }
  ExitCode run() { return run_instance(context, job, identity_of(ec2.instances[instance])); }
  std::string tag(const char* key) { return ec2.volumes[volume].tags[key]; }
  // Throttles an action from now on, for the given time.
  void throttle(const std::string& action, Duration length) {
    ec2.refuse[action] = "RequestLimitExceeded";
    clock.on_sleep = [this, action, until = clock.time + length] {
      if (clock.time >= until) ec2.refuse.erase(action);
    };
  }
  void expect_released() {
    EXPECT_FALSE(machine.mounted);
    clock.time += std::chrono::minutes{1};
    EXPECT_EQ(ec2.live_volumes().at(0)->state, "available");
  }

  FakeClock clock;
  FakeEc2 ec2{clock};
  FakeProcess process{clock, ec2};
  FakeMachine machine{clock};
  FakeMetadata metadata{clock};
  client::MetadataClient imds{metadata, clock, "http://imds"};
  InstanceContext context{process.context, machine, imds};
  Job job = test_job();
  std::string volume, instance;
};

}  // namespace spotrun::testing
