#include "sim/serve/served_cloud.h"

#include <algorithm>
#include <utility>

#include "fakes/fis/fault_injector.h"
#include "sim/events/event.h"
#include "sim/kernel/check.h"
#include "sim/run/account.h"
#include "sim/run/run_start.h"
#include "sim/run/schedule.h"

namespace sim::serve {
namespace {

run::GuestDescription nobody() {
  return {.kind = "none",
          .level = "none",
          .assumptions = {"nothing runs on an instance: its clients are outside",
                          "a training job's container is a model: the scenario's trainer, or ten "
                          "minutes of training",
                          "a request takes no virtual time"}};
}

}  // namespace

ServedCloud::ServedCloud(const scenario::Scenario& scenario, const ServedCloudOptions& options)
    : scenario_(scenario),
      options_(options),
      simulation_(scenario.start),
      streams_(options.seed),
      record_(log_, options.out),
      metrics_(log_.listeners(), record_.history()),
      live_(options.live ? std::make_unique<report::LiveReport>(log_.listeners(), record_.history())
                         : nullptr),
      host_(opened(), log_, streams_, scenario, served_trainer(scenario)),
      market_(simulation_, log_, {std::shared_ptr<const scenario::Scenario>(), &scenario.prices},
              {scenario.cloud.region, scenario.instance_types, scenario.start}),
      cloud_(simulation_, streams_, market_, host_, scenario.cloud),
      log_writer_(simulation_, log_),
      fakes_{cloud_, simulation_, log_, streams_, cloud::kNoLatencies},
      further_regions_(scenario, log_, host_, fakes_),
      aws_(fakes::aws(
          fakes_, "operator",
          options.profile == Profile::kInstant ? fakes::Access::kAnyone : fakes::Access::kSigned)) {
  host_.connect(cloud_);
  fakes_.http_endpoints = options.http_endpoints;
  for (fakes::Backend* const region : fakes_.regions)
    region->http_endpoints = options.http_endpoints;
  fakes_.training.set_knobs(scenario.sagemaker);
  fakes_.elastigroups.set_knobs(scenario.elastigroup);
  fakes_.skipped_resource_types = scenario.skipped_resource_types;
  fakes_.cpu = scenario.cpu;
  further_regions_.share_work(fakes_);
  cloud_.observe(log_writer_);
  cloud_.observe(changes_);
  further_regions_.observe(changes_);
  fakes::bill_services(fakes_);
  run::open_account(scenario, *fakes_.iam, run::ClientsClock::kOwn);
  run::schedule_capacity(scenario, simulation_, log_, cloud_);
  fakes::fis::set_fault_injector(fakes_,
                                 [this]() -> fakes::fis::FaultInjector& { return engine(); });
  if (!scenario.interruptions.empty()) engine().follow(scenario.interruptions);
  further_regions_.follow_plans(scenario, host_, {}, further_faults_);
  if (options_.listen)
    options_.listen(log_.listeners(), record_.history(), [this] { return cost_so_far(); });
  run_until(now());
}

// Writes the log's first line before parts are built that may write lines.
Simulation& ServedCloud::opened() {
  run::write_run_start(log_, scenario_, options_.seed, nobody());
  return simulation_;
}

faults::Engine& ServedCloud::engine() {
  if (!faults_) {
    faults_.emplace(simulation_, log_, streams_, cloud_, host_);
    fakes_.interference = &*faults_;
  }
  return *faults_;
}

faults::Tally ServedCloud::inject(faults::Fault fault) {
  const auto id = std::ssize(engine().tallies()) + 1;
  engine().follow(injected_[id] = {std::move(fault)});
  run_until(now());
  return engine().tallies()[static_cast<std::size_t>(id - 1)];
}

std::vector<InjectedFault> ServedCloud::injected() const {
  std::vector<InjectedFault> list;
  if (!faults_) return list;
  const std::vector<faults::Tally> tallies = faults_->tallies();
  for (const auto& [id, plan] : injected_) {
    if (removed_.contains(id)) continue;
    list.push_back({.id = id,
                    .fault = &plan.front(),
                    .tally = tallies[static_cast<std::size_t>(id - 1)],
                    .lasts = faults_->lasts(id)});
  }
  return list;
}

bool ServedCloud::remove_fault(std::int64_t id) {
  const auto list = injected();
  if (std::ranges::find(list, id, &InjectedFault::id) == list.end()) return false;
  removed_.insert(id);
  faults_->remove(id);
  run_until(now());
  return true;
}

void ServedCloud::Changes::instance_state(const cloud::Instance& instance,
                                          std::optional<cloud::InstanceState> from) {
  const bool ends = instance.state == cloud::InstanceState::kTerminated;
  if (from && !ends) return;
  addresses[instance.private_ip] += ends ? -1 : 1;
  changed_addresses.insert(instance.private_ip);
}

void ServedCloud::set_elsewhere(
    const std::function<fakes::Backend*(std::string_view region)>& find) {
  fakes_.elsewhere = find;
  for (fakes::Backend* const region : fakes_.regions) region->elsewhere = find;
}

std::vector<cloud::Cloud*> ServedCloud::clouds() {
  std::vector<cloud::Cloud*> all;
  for (const std::string& name : fakes::region_names(fakes_))
    all.push_back(&fakes::find_region(fakes_, name)->cloud);
  return all;
}

cloud::Cloud& ServedCloud::cloud_with(const market::Pool& pool) {
  fakes::Backend* const region =
      fakes::find_region(fakes_, market::region_of(pool.availability_zone));
  return region == nullptr ? cloud_ : region->cloud;
}

std::map<std::string, bool> ServedCloud::take_address_changes() {
  std::map<std::string, bool> changes;
  for (const std::string& address : std::exchange(changes_.changed_addresses, {}))
    changes[address] = changes_.addresses[address] > 0;
  return changes;
}

bool ServedCloud::run_some(Time t, std::uint64_t work) {
  const auto done = [this] { return simulation_.executed() + log_.lines(); };
  const std::uint64_t end = done() + work;
  for (auto at = next(); at && *at <= t; at = next()) {
    if (done() >= end && *at > now()) return false;
    run_until(*at);  // not step(): a waiting fiber must not move the clock past t
  }
  run_until(t);
  return true;
}

void ServedCloud::run_to_change(Time t) {
  const std::uint64_t before = changes();
  for (auto at = next(); at && *at <= t && changes() == before; at = next()) run_until(*at);
  run_until(changes() == before ? t : now());
}

fakes::Reply ServedCloud::aws(const fakes::Request& request) {
  fakes::Reply reply;
  try {
    reply = aws_(request);
  } catch (const std::exception& error) {
    reply = {internal_failure(error), {}, {}};
  }
  run_until(now());
  return reply;
}

// The answer after a bug of the fakes, so that the bug affects only its own request.
fakes::Response ServedCloud::internal_failure(const std::exception& error) {
  const Json none = Json::object();
  log_.append(events::ApiCall{.time = now(),
                              .caller = "operator",
                              .result = std::string("InternalFailure: ") + error.what(),
                              .request = none});
  fakes::Response response;
  response.result(500);
  response.body() = std::string(error.what()) + "\n";
  return response;
}

fakes::Response ServedCloud::imds(const cloud::InstanceId& instance,
                                  const fakes::Request& request) {
  SIM_CHECK(cloud_with(instance).instances().contains(instance));
  auto found = imds_.find(instance);
  if (found == imds_.end()) found = imds_.emplace(instance, fakes::imds(fakes_, instance)).first;
  fakes::Response response = found->second(request).response;
  run_until(now());
  return response;
}

std::vector<std::string> not_served(const scenario::Scenario& scenario) {
  std::vector<std::string> list{"its operator's script is not run", "its instances run no programs",
                                "a training job's container is a model, and the scenario's "
                                "`trainer` sets its training time"};
  if (!scenario.expect.empty()) list.push_back("its `expect` is not checked");
  list.push_back("its limit is ignored: afterwards the last prices stay in force");
  return list;
}

}  // namespace sim::serve
