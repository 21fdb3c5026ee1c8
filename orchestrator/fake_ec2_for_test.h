// For tests: a small EC2 with states that take time, behind the Http seam, and a log.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "orchestrator/aws/ec2.h"
#include "orchestrator/aws/http_transport.h"
#include "orchestrator/context.h"
#include "orchestrator/job/job.h"
#include "orchestrator/seams/fakes_for_test.h"

namespace spotrun::testing {

struct FakeLog : Log {
  std::vector<std::string> lines, phases;
  void say(const std::string& line) override { lines.push_back(line); }
  void event(const std::string& name, const nlohmann::ordered_json& fields) override {
    if (name == "phase") phases.push_back(fields["name"]);
  }
};

// Simulates the death of the process: no code catches this exception.
struct Crash {};

struct FakeVolume {
  std::string id, zone, state;  // available when `ready` has come
  Time created{}, ready{};
  int content = 0;  // version of its content
  aws::Tags tags;
  std::string holder, attachment;  // instance and attachment's state
  bool fails = false;              // it will be in state error when it is detached
};

struct FakeSnapshot {
  std::string id, volume, state, description;
  Time started{}, ready{};
  int content = 0;
  aws::Tags tags;
  bool fails = false;  // when it is ready
};

struct FakeInstance {
  std::string id, zone, state = "running", spot_request, spot_status = "fulfilled";
  std::string type = "p3.2xlarge";
  Time launched{};
  Time gone{};  // when an instance that is shutting down ends
  aws::Tags tags;
};

class FakeEc2 : public client::Http {
 public:
  struct Error {  // what a request is answered with
    std::string code;
  };

  explicit FakeEc2(FakeClock& clock) : clock_(clock) {}

  client::HttpResponse send(const client::HttpRequest& request) override;

  FakeVolume& add_volume(const std::string& zone, const aws::Tags& tags, int content);
  FakeInstance& add_instance(const std::string& zone);
  // The instance shuts down for half a minute, then releases its volumes.
  void terminate(const std::string& instance_id);
  std::vector<FakeVolume*> live_volumes();  // neither deleting nor deleted

  std::map<std::string, FakeVolume> volumes;
  std::map<std::string, FakeSnapshot> snapshots;
  std::map<std::string, FakeInstance> instances;
  std::vector<std::string> fleet;          // instances of every fleet
  std::vector<std::string> calls;          // actions that change something, in order
  std::set<std::string> cancelled_fleets;  // a second cancellation is refused
  // Called before (false) and after (true) the effect of the n-th action that changes something.
  std::function<void(int n, bool after)> around = [](int, bool) {};
  // Prices of p3.2xlarge in USD an hour by zone. A zone without a price has no spot instances.
  std::map<std::string, double> spot_prices;
  std::set<std::string> sold_out;      // zones without spot capacity
  std::set<std::string> no_on_demand;  // zones without on-demand capacity
  // By action, the error code that the fake answers instead of carrying out the action.
  std::map<std::string, std::string> refuse;

 private:
  using Form = std::map<std::string, std::string>;
  using Handler = std::string (FakeEc2::*)(const Form&);
  void advance();
  FakeVolume& volume(const Form& form);
  aws::Tags* tags_of(const std::string& id);
  std::string next_id(const std::string& prefix);

  std::string describe_volumes(const Form& form);
  std::string create_volume(const Form& form);
  std::string attach_volume(const Form& form);
  std::string detach_volume(const Form& form);
  std::string delete_volume(const Form& form);
  std::string describe_snapshots(const Form& form);
  std::string create_snapshot(const Form& form);
  std::string delete_snapshot(const Form& form);
  std::string create_tags(const Form& form);
  std::string delete_tags(const Form& form);
  std::string describe_instances(const Form& form);
  std::string describe_spot_requests(const Form& form);
  std::string run_instances(const Form& form);
  std::string terminate_instances(const Form& form);
  std::string describe_spot_prices(const Form& form);
  std::string describe_fleet(const Form& form);
  std::string cancel_fleet(const Form& form);

  FakeClock& clock_;
  int ids_ = 0;
  std::map<std::string, std::string> made_;  // by client token
};

// One process of the orchestrator on one instance, on top of a FakeEc2.
struct FakeProcess {
  FakeProcess(FakeClock& clock, FakeEc2& fake);

  FakeLog log;
  client::MetadataClient imds;
  client::Credentials credentials;
  aws::HttpTransport transport;
  aws::Client client;
  aws::Ec2 ec2;
  Context context;
};

// A job with a volume tagged Name=data in us-west-2b.
Job test_job();
client::Identity identity_of(const FakeInstance& instance);

}  // namespace spotrun::testing
