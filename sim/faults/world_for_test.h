// For tests: a plan in the fakes' small region, with guests that do nothing.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fakes/backend_for_test.h"
#include "sim/faults/engine.h"
#include "sim/guest/guest_host.h"

namespace sim::faults {

using namespace std::chrono_literals;

class NullGuests : public guest::GuestHost {
 public:
  void connect(fakes::Backend&) override {}
  void run_operator(const std::string&, const std::filesystem::path&,
                    std::function<void(int)>) override {}
  bool run(const std::function<bool()>&) override { return false; }
  bool can(guest::GuestFault::What what) const override { return what != unable; }
  void inflict(const cloud::InstanceId& id, const guest::GuestFault& fault) override {
    inflicted.emplace_back(id.value, fault);
  }
  bool cut_power_at(const cloud::InstanceId& id, guest::FileCut cut) override {
    cuts.emplace_back(id.value, std::move(cut));
    return true;
  }
  void watch_writes() override { watching = true; }
  void zero_first_block(const cloud::VolumeId& id) override { zeroed.push_back(id.value); }
  void metadata_changed(const cloud::InstanceId& id) override { told.push_back(id.value); }

  void boot(const cloud::Instance&) override {}
  void shut_down(const cloud::Instance&, cloud::Shutdown, std::function<void()>) override {}
  std::string console(const cloud::InstanceId&, std::size_t) const override { return ""; }
  void create_disk(const cloud::Volume&) override {}
  void delete_disk(const cloud::VolumeId&) override {}
  std::int64_t snapshot_disk(const cloud::SnapshotId&, const cloud::VolumeId&) override {
    return 0;
  }
  void delete_snapshot_disk(const cloud::SnapshotId&) override {}
  void plug(const cloud::VolumeId&, const cloud::InstanceId&, const std::string&) override {}
  void unplug(const cloud::VolumeId&, const cloud::InstanceId&, bool,
              std::function<void()>) override {}

  std::optional<guest::GuestFault::What> unable;
  std::vector<std::pair<std::string, guest::GuestFault>> inflicted;
  std::vector<std::string> told;  // instances whose metadata changed
  bool watching = false;
  std::vector<std::pair<std::string, guest::FileCut>> cuts;
  std::vector<std::string> zeroed;
};

using Texts = std::vector<std::pair<std::string, std::string>>;

inline Argument argument_of(const Parameter& parameter, const std::string& text) {
  switch (parameter.type) {
    case ArgumentType::kFlag:
      return text == "true";
    case ArgumentType::kWhole:
    case ArgumentType::kMachine:
      return std::int64_t{std::stoll(text)};
    case ArgumentType::kNumber:
      return std::stod(text);
    case ArgumentType::kDuration:
      return parse_duration(text).value();
    case ArgumentType::kPool:
      return market::Pool{text.substr(0, text.find('/')), text.substr(text.find('/') + 1)};
    case ArgumentType::kWord:
    case ArgumentType::kText:
    case ArgumentType::kZone:
    case ArgumentType::kType:
    case ArgumentType::kAction:
      break;
  }
  return text;
}

// A fault with the kind's defaults.
inline Fault fault(When when, std::string kind, const Texts& given = {}) {
  Fault made{.kind = std::move(kind), .when = std::move(when)};
  for (const Parameter& parameter : find_kind(made.kind)->parameters) {
    std::string text(parameter.fallback);
    for (const auto& [name, value] : given)
      if (name == parameter.name) text = value;
    if (!text.empty())
      made.arguments.set(std::string(parameter.name), argument_of(parameter, text));
  }
  return made;
}

struct FaultWorld : fakes::TestBackend {
  // The plan's faults strike from here on.
  JobFacts job;  // from the scenario
  void play(Plan wanted) {
    plan = std::move(wanted);
    engine = std::make_unique<Engine>(simulation, log, streams, cloud, guests, job);
    engine->follow(plan);
    backend.interference = engine.get();
  }
  // The same for one machine's API calls and metadata.
  fakes::Answer ec2_of(const std::string& caller, const std::string& action,
                       const fakes::Fields& fields = {}) {
    const fakes::Handler before = std::exchange(api, fakes::aws(backend, caller));
    fakes::Answer answer = ec2(action, fields);
    api = before;
    return answer;
  }
  fakes::Reply metadata(const std::string& instance, const std::string& path,
                        boost::beast::http::verb verb = boost::beast::http::verb::get) {
    fakes::Request request{verb, path, 11};
    if (verb == boost::beast::http::verb::put)
      request.set("X-aws-ec2-metadata-token-ttl-seconds", "60");
    return fakes::imds(backend, {instance})(request);
  }
  Duration delay_of(const std::string& action) {
    return api(post("Action=" + action + "&Version=2016-11-15")).delay;
  }
  // A spot instance in us-west-2b that runs.
  cloud::InstanceId spot(const std::string& zone = "us-west-2b",
                         std::optional<market::Usd> max = {}) {
    const auto request = cloud.request_spot_instances(
        {.instance_type = "p3.2xlarge", .availability_zone = zone, .max_price = max}, 1,
        "one-time");
    TestBackend::run(3min);
    return cloud.spot_requests().at(request.at(0)).instance;
  }
  std::vector<Event> of_kind(std::string_view kind) const {
    std::vector<Event> found;
    for (const Event& event : events)
      if (event.kind == kind) found.push_back(event);
    return found;
  }
  std::size_t strikes() const { return of_kind("fault.strike").size(); }
  // The time from the start to the n-th strike.
  Duration struck_after(std::size_t n = 0) const {
    return of_kind("fault.strike").at(n).time - fakes::kStart;
  }
  cloud::InstanceState state(const cloud::InstanceId& id) const { return cloud.instance(id).state; }
  // Advances time with the guests.
  void pass(Duration time) { TestBackend::run(time); }

  NullGuests guests;
  Plan plan;
  std::unique_ptr<Engine> engine;
};

}  // namespace sim::faults
