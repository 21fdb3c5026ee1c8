#include "sim/serve/testbed.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <boost/beast/http/field.hpp>

#include "base/files/whole_file.h"
#include "fakes/front.h"
#include "fakes/http/printable.h"
#include "fakes/interference.h"
#include "fakes/signed_scope.h"
#include "sim/events/event.h"
#include "sim/kernel/random.h"
#include "sim/market/pool.h"
#include "sim/serve/control.h"
#include "sim/serve/fallback.h"
#include "sim/serve/instant.h"
#include "sim/serve/live_feed.h"
#include "sim/serve/web_guard.h"

namespace sim::serve {
namespace {

namespace http = boost::beast::http;

// The largest step of one call at speed max: the pause between two polls of an SDK's waiter.
constexpr Duration kLongestStep = 15s;
// Events and lines of the log, worth some 0.1 s. A fleet of 10,000 starting instances needs thirty
// times as much.
constexpr std::uint64_t kWorkAtOnce = 5000;

// The name of the world whose calls a journal has: everything that determines the world beside the
// calls.
std::string world_name(const scenario::Scenario& scenario, const TestbedOptions& options) {
  std::string all = base::read_file(scenario.file).value_or("") + '\0' + options.set;
  for (const std::string& input : scenario.inputs) {
    const auto path = scenario.file.parent_path() / input;
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored))
      all += '\0' + input + '\0' + base::read_file(path, base::kNoLimit).value_or("");
  }
  return fmt::format("{}, seed {}, {:016x}{}", scenario.name, options.served.seed,
                     XXH3_64bits(all.data(), all.size()),
                     options.served.profile == Profile::kInstant ? ", instant" : "");
}

// True if a request changes nothing, so the journal does not store it.
bool is_look(Addressee to, const fakes::Request& request) {
  return to == Addressee::kPage || to == Addressee::kMetrics ||
         (to == Addressee::kControl && only_looks(request));
}

// The answer for an instance that does not exist. The log has the request like any request for
// metadata.
fakes::Response no_metadata(ServedCloud& served, const std::string& instance,
                            const std::string& target, const fakes::Request& request,
                            const std::string& why) {
  constexpr unsigned kNotFound = 404;
  served.log().append(events::ImdsRequest{
      .time = served.now(),
      .instance_id = fakes::percent_encode_unprintable(instance),
      .method = fakes::percent_encode_unprintable(std::string(request.method_string())),
      .path = fakes::percent_encode_unprintable(target),
      .status = kNotFound});
  fakes::Response response;
  response.result(kNotFound);
  response.set(http::field::content_type, "text/plain");
  response.body() = why + "\n";
  return response;
}

}  // namespace

Testbed::Testbed(const scenario::Scenario& scenario, const TestbedOptions& options, RealTime real)
    : scenario_(scenario),
      options_(options),
      others_options_{.seed = options.served.seed,
                      .profile = Profile::kInstant,
                      .http_endpoints = options.served.http_endpoints},
      pace_(options.speed, scenario.start, real),
      began_(real),
      process_(fmt::format("{:x}", real.count())) {
  begin(scenario.cloud.region);
  if (options.state.empty()) return;
  journal_ = std::make_unique<Journal>(options.state, world_name(scenario, options));
  replay();
  pace_.jump(served_->now(), real);
}

void Testbed::begin(const std::string& region) {
  ++worlds_;
  others_.clear();
  served_.reset();  // its log file is written anew
  if (options_.served.profile == Profile::kInstant) instant_ = instant(scenario_, region);
  served_ = std::make_unique<ServedCloud>(instant_ ? *instant_ : scenario_, options_.served);
  let_reach_others(*served_);
  asked_ = false;
}

void Testbed::begin_again(RealTime real) {
  if (options_.by_date) {
    const auto passed = std::chrono::floor<std::chrono::seconds>(real - began_);
    began_ += passed;
    others_.clear();  // they share the account of the first one
    served_.reset();  // it refers to the scenario
    move_to(scenario_, scenario_.start + passed);
  }
  begin(scenario_.cloud.region);
  pace_.jump(served_->now(), real);
}

void Testbed::go_where_asked(const fakes::Request& request) {
  if (!instant_ || asked_) return;
  const auto [region, service] = fakes::signed_scope_of(request);
  if (fakes::is_global(service)) return;
  if (!market::is_region(region) || served_->has_region(region)) return;
  const Time now = served_->now();
  begin(region);
  served_->run_until(now);
}

ServedCloud& Testbed::cloud_for(const fakes::Request& request) {
  if (!instant_) return *served_;
  const auto [region, service] = fakes::signed_scope_of(request);
  const bool global = service == "s3" || fakes::is_global(service);
  if (global || !market::is_region(region) || served_->has_region(region)) return *served_;
  return other_region(region);
}

ServedCloud& Testbed::other_region(const std::string& region) {
  auto found = others_.find(region);
  if (found == others_.end()) {
    scenario::Scenario empty = default_scenario(scenario_.start);
    ServedCloudOptions options = others_options_;  // AWS's IDs are unique among all regions
    options.seed = Streams(options.seed).stream("region", region).next();
    found = others_.emplace(region, OtherRegion{instant(std::move(empty), region)}).first;
    found->second.served = std::make_unique<ServedCloud>(found->second.scenario, options);
    found->second.served->share_account(*served_);
    let_reach_others(*found->second.served);
  }
  found->second.served->run_until(served_->now());
  return *found->second.served;
}

void Testbed::let_reach_others(ServedCloud& served) {
  if (!instant_) return;
  served.set_elsewhere([this](std::string_view name) -> fakes::Backend* {
    const std::string region(name);
    if (!market::is_region(region)) return nullptr;
    if (auto* const here = served_->find_region(region)) return here;
    return other_region(region).find_region(region);
  });
}

void Testbed::replay() {
  std::string expected;
  journal_->each([&](const JournalEntry& entry) {
    ++replayed_;
    if (entry.at < served_->now())
      throw JournalError(
          fmt::format("{}: entry {}: found a time before the last entry's, expected "
                      "times in order",
                      journal_->file().string(), replayed_));
    served_->run_until(entry.at);
    if (!entry.request.target().empty()) {
      const fakes::Reply reply = happen(entry.request, address_of(entry.request));
      if (reply.pending) reply.pending({[] { return true; }, [](const fakes::Reply&) {}});
    }
    expected = entry.fingerprint;
  });
  if (!expected.empty() && expected != served_->fingerprint())
    throw JournalError(
        fmt::format("{}: found calls whose effect has changed (log {}, expected {}): another "
                    "version of spotsim stored them. Remove it or choose another --state",
                    journal_->file().string(), served_->fingerprint(), expected));
}

void Testbed::go_to_moment(Addressee to, RealTime real) {
  if (options_.speed.kind != Speed::Kind::kMax) return keep_up(real);
  if (to == Addressee::kAws || to == Addressee::kMetadata)
    served_->run_to_change(served_->now() + kLongestStep);
}

fakes::Reply Testbed::answer(const fakes::Request& request, RealTime real) {
  const Address address = address_of(request);
  const Addressee to = address.to;
  if (auto refused = refuse_web_page(request, to, options_.allowed_hosts))
    return {std::move(*refused), {}, {}};
  const bool looks = is_look(to, request);
  go_to_moment(to, real);
  const Time at = served_->now();
  fakes::Reply response = happen(request, address);
  if (response.pending && options_.speed.kind == Speed::Kind::kMax)
    response = wait_for(std::move(response));
  ++answered_;
  if (std::exchange(reset_, false)) {
    if (journal_) journal_->clear();
    begin_again(real);
    complete_reset(request, served_->now(), response.response);
  } else if (journal_ && !looks) {
    journal_->add({at, request, served_->fingerprint()});
  }
  if (served_->now() > pace_.at(real)) pace_.jump(served_->now(), real);
  return response;
}

// Waits for a pending answer. At speed max, a waiting client moves the clock to its answer.
fakes::Reply Testbed::wait_for(fakes::Reply pending) {
  std::optional<fakes::Reply> answer;
  pending.pending({[] { return true; }, [&](fakes::Reply late) { answer = std::move(late); }});
  for (auto at = served_->next(); !answer && at; at = served_->next()) served_->run_until(*at);
  return answer ? std::move(*answer) : fakes::Reply{};
}

fakes::Reply Testbed::happen(const fakes::Request& request, const Address& address) {
  if (address.to == Addressee::kAws && !options_.fallback.empty())
    if (const auto foreign = fakes::foreign_call(request)) return {pass_on(*foreign, request)};
  if (address.to == Addressee::kAws) go_where_asked(request);
  asked_ = asked_ || !(only_looks(request) || address.to == Addressee::kMetrics);
  switch (address.to) {
    case Addressee::kPage:
      return {live_page(options_.served.live), {}, {}};
    case Addressee::kMetrics:
      return {metrics_page(*served_), {}, {}};
    case Addressee::kControl: {
      if (is_stream(request)) return stream(request);
      ControlAnswer answer = control(*served_, request);
      reset_ = answer.reset;
      return {std::move(answer.response), {}, {}};
    }
    case Addressee::kMetadata:
      return {metadata(address, request), {}, {}};
    case Addressee::kAws:
      return cloud_for(request).aws(request);
  }
  return {};
}

fakes::Response Testbed::pass_on(const fakes::ForeignCall& call, const fakes::Request& request) {
  auto answer = serve::pass_on(options_.fallback, request);
  const auto* const none = std::get_if<NoEndpoint>(&answer);
  events::ApiPassedOn event{.time = served_->now(),
                            .service = call.service,
                            .action = call.action,
                            .endpoint = options_.fallback};
  if (none)
    event.error = none->why;
  else
    event.status = std::get<fakes::Response>(answer).result_int();
  served_->log().append(event);
  if (!none) return std::get<fakes::Response>(std::move(answer));
  return fakes::bad_gateway(request, call,
                            fmt::format("spotsim does not have the service '{}', and found no "
                                        "answer from {} (--fallback): {}",
                                        call.service, options_.fallback, none->why));
}

fakes::Reply Testbed::stream(const fakes::Request& request) {
  if (!options_.served.live) return {live_page(false), {}, {}};
  LiveFeed feed(process_, request);
  return {.response = stream_head(), .feed = [this, feed]() mutable {
            return feed.next(*served_, worlds_, to_string(options_.speed), answered_);
          }};
}

Time Testbed::due(Duration delay) {
  const Time at = served_->now() + delay;
  if (options_.speed.kind == Speed::Kind::kMax && delay < fakes::kNoAnswer) served_->run_until(at);
  return at;
}

fakes::Response Testbed::metadata(const Address& address, const fakes::Request& request) {
  const auto& [to, instance, private_ip, target] = address;
  const cloud::Instance* found = nullptr;
  std::int64_t live = 0;
  const auto each_live = [&](const auto& wanted) {
    for (const cloud::Cloud* cloud : served_->clouds())
      for (const auto& [id, each] : cloud->instances())
        if (!each.terminated_at && wanted(each) && ++live == 1) found = &each;
  };
  std::string obstacle;
  if (!private_ip.empty()) {
    each_live([&, &ip = private_ip](const auto& each) { return each.private_ip == ip; });
    if (!found)
      obstacle = "host: found the address of no instance, expected one that is not terminated";
  } else if (instance.empty()) {
    each_live([](const auto&) { return true; });
    if (live != 1)
      obstacle = fmt::format(
          "found {} instances, expected one, or a path such as "
          "{}imds/INSTANCE/latest/meta-data/",
          live, kControlPrefix);
  } else {
    const auto& all = served_->cloud_with(cloud::InstanceId{instance}).instances();
    const auto at = all.find({instance});
    if (at != all.end() && !at->second.terminated_at) found = &at->second;
    if (!found)
      obstacle = "instance: found no " + fakes::percent_encode_unprintable(instance) +
                 ", expected one that is not terminated";
  }
  if (!obstacle.empty())
    return no_metadata(*served_, private_ip.empty() ? instance : private_ip, target, request,
                       obstacle);
  fakes::Request own = request;
  own.target({target.data(), target.size()});
  return served_->imds(found->id, own);
}

void Testbed::keep() {
  if (journal_) journal_->sync();
  served_->record().flush();
}

void Testbed::keep_up(RealTime real) {
  const Time at = pace_.at(real);
  if (at > served_->now()) served_->run_some(at, kWorkAtOnce);
}

std::optional<RealTime> Testbed::idle_for(RealTime real) {
  const auto next = served_->next();
  return next ? pace_.until(*next, real) : std::nullopt;
}

void Testbed::close(RealTime real) {
  keep_up(real);
  if (journal_) journal_->add({served_->now(), {}, served_->fingerprint()});
  keep();
}

}  // namespace sim::serve
