#include "sim/cli/import/account_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "sim/cli/terminal/text_columns.h"
#include "sim/market/instance_types.h"

namespace sim::cli {
namespace {

using market::Usd;

struct ReplayedInstance {
  std::optional<Time> launched, running, noticed, ended, terminated;
  bool interrupted = false;
  Usd cost;
};

struct ReplayedJob {
  std::vector<RecordedTransition> transitions;
  std::string status;
  std::optional<double> training_seconds, billable_seconds;
};

struct Replayed {
  std::map<std::string, ReplayedInstance> instances;  // by the replay's ID
  std::map<std::string, std::string> ids;             // recorded → replayed
  std::map<std::string, ReplayedJob> jobs;
};

std::string text(const Event& event, const char* name) {
  const auto found = event.fields.find(name);
  return found != event.fields.end() && found->is_string() ? found->get<std::string>() : "";
}

void follow_instance(const Event& event, Replayed& replayed) {
  ReplayedInstance& instance = replayed.instances[text(event, "instance_id")];
  const std::string state = text(event, "to");
  if (state == "pending") instance.launched = event.time;
  if (state == "running" && !instance.running) instance.running = event.time;
  if (state == "terminated") instance.terminated = event.time;
  if (state != "shutting-down") return;
  instance.ended = event.time;
  instance.interrupted = text(event, "reason").starts_with("Server.Spot");
}

void follow_job(const Event& event, Replayed& replayed) {
  ReplayedJob& job = replayed.jobs[text(event, "job")];
  const std::string status = text(event, "secondary_status");
  if (job.transitions.empty() || job.transitions.back().status != status)
    job.transitions.push_back({status, event.time});
}

void follow_job_end(const Event& event, Replayed& replayed) {
  ReplayedJob& job = replayed.jobs[text(event, "job")];
  job.status = text(event, "status");
  const auto number = [&](const char* name) {
    const auto found = event.fields.find(name);
    return found != event.fields.end() && found->is_number() ? std::optional(found->get<double>())
                                                             : std::nullopt;
  };
  job.training_seconds = number("training_seconds");
  job.billable_seconds = number("billable_seconds");
}

void follow(const Event& event, Replayed& replayed) {
  if (event.kind == "instance.state") return follow_instance(event, replayed);
  if (event.kind == "sagemaker.status") return follow_job(event, replayed);
  if (event.kind == "sagemaker.end") return follow_job_end(event, replayed);
  if (event.kind == "instance.notice") {
    ReplayedInstance& instance = replayed.instances[text(event, "instance_id")];
    if (!instance.noticed) instance.noticed = event.time;
  } else if (event.kind == "charge" && text(event, "kind") == "instances") {
    replayed.instances[text(event, "resource")].cost +=
        market::parse_usd(text(event, "cost")).value_or(Usd{});
  } else if (event.kind == "tags.created") {
    const auto tags = event.fields.find("tags");
    if (tags != event.fields.end() && tags->contains(kRecordedAs))
      replayed.ids[tags->at(kRecordedAs).get<std::string>()] = text(event, "resource_id");
  }
}

Replayed read_log(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw RecordError(file.string() + ": cannot be read, expected the replay's log");
  Replayed replayed;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    try {
      follow(parse_event(line), replayed);
    } catch (const std::runtime_error& error) {
      throw RecordError(fmt::format("{}:{}: {}", file.string(), number, error.what()));
    }
  }
  return replayed;
}

std::string shown(const std::optional<Time>& time) { return time ? iso_seconds(*time) : "-"; }

std::string shown(const std::optional<double>& number) {
  return number ? fmt::format("{:.0f}", *number) : "-";
}

// "+1.2 s".
std::string later_by(double seconds) { return fmt::format("{:+.1f} s", seconds); }

class Comparer {
 public:
  Comparer(AccountComparison& comparison, std::string subject)
      : comparison_(comparison), subject_(std::move(subject)) {}

  // A time that no record states is not compared.
  void time(const char* what, const std::optional<Time>& recorded,
            const std::optional<Time>& replayed) {
    if (!recorded) return;
    const Duration later = replayed ? *replayed - *recorded : Duration{};
    if (replayed) comparison_.largest = std::max(comparison_.largest, std::chrono::abs(later));
    add(what, shown(recorded), shown(replayed), replayed ? later_by(seconds(later)) : "missing");
  }
  void length(const char* what, const std::optional<double>& recorded,
              const std::optional<double>& replayed) {
    if (!recorded) return;
    add(what, shown(recorded), shown(replayed),
        replayed ? later_by(*replayed - *recorded) : "missing");
  }
  void end(const std::string& recorded, const std::string& replayed) {
    ++comparison_.ends;
    comparison_.equal_ends += recorded == replayed;
    add("end", recorded, replayed, recorded == replayed ? "" : "differs");
  }
  void cost(Usd recorded, Usd replayed) {
    comparison_.recorded_cost += recorded;
    comparison_.replayed_cost += replayed;
    add("cost", fmt::format("${:.4f}", recorded.dollars()),
        fmt::format("${:.4f}", replayed.dollars()),
        fmt::format("{:+.4f}", replayed.dollars() - recorded.dollars()));
  }

 private:
  void add(const std::string& what, const std::string& recorded, const std::string& replayed,
           const std::string& difference) {
    comparison_.values.push_back({subject_, what, recorded, replayed, difference});
  }
  AccountComparison& comparison_;
  std::string subject_;
};

const char* end_of(bool interrupted) { return interrupted ? "interrupted" : "terminated"; }

void compare_instance(const RecordedInstance& recorded, const ReplayedInstance& replayed,
                      const AccountReplay& replay, AccountComparison& comparison) {
  Comparer comparer(comparison, recorded.id);
  comparer.time("launched", recorded.launched, replayed.launched);
  comparer.time("running", recorded.running, replayed.running);
  comparer.time("notice", recorded.noticed, replayed.noticed);
  comparer.time("ended", recorded.ended, replayed.ended);
  comparer.time("terminated", recorded.terminated, replayed.terminated);
  comparer.end(end_of(recorded.interrupted),
               replayed.ended ? end_of(replayed.interrupted) : "missing");
  comparer.cost(recorded_cost(recorded, replay), replayed.cost);
}

// The n-th transition is compared with the n-th transition to the same status.
void compare_job(const RecordedJob& recorded, const ReplayedJob& replayed,
                 AccountComparison& comparison) {
  Comparer comparer(comparison, recorded.name);
  std::map<std::string, int> seen;
  for (const RecordedTransition& transition : recorded.transitions) {
    int skip = seen[transition.status]++;
    std::optional<Time> at;
    for (const RecordedTransition& other : replayed.transitions)
      if (!at && other.status == transition.status && skip-- == 0) at = other.from;
    comparer.time(transition.status.c_str(), transition.from, at);
  }
  comparer.length("training seconds", recorded.training_seconds, replayed.training_seconds);
  comparer.length("billable seconds", recorded.billable_seconds, replayed.billable_seconds);
  comparer.end(recorded.status, replayed.status.empty() ? "missing" : replayed.status);
}

Usd on_demand_cost(const RecordedInstance& instance, const AccountReplay& replay, Time begin) {
  const auto types = market::instance_types();
  const auto* const type = find_instance_type(*types, instance.pool.instance_type);
  if (!type) return {};
  const Duration billed = std::max<Duration>(*instance.ended - begin, 60s);
  return market::charge(market::on_demand_price(*type, replay.region, begin).per_hour, billed);
}

}  // namespace

Usd recorded_cost(const RecordedInstance& instance, const AccountReplay& replay) {
  const Time begin = instance.running.value_or(*instance.launched), end = *instance.ended;
  if (!instance.spot) return on_demand_cost(instance, replay, begin);
  if (instance.interrupted && end - begin < 1h) return {};
  const auto found = replay.prices.pools.find(instance.pool);
  if (found == replay.prices.pools.end() || end <= begin) return {};
  Usd sum;
  Time from = begin;
  const market::PricePoint* price = in_force(found->second, begin);
  for (const market::PricePoint& next : found->second) {
    if (next.at <= begin || next.at >= end) continue;
    if (price) sum += market::charge(price->price, next.at - from);
    from = next.at, price = &next;
  }
  return price ? sum + market::charge(price->price, end - from) : sum;
}

AccountComparison compare(const AccountReplay& replay, const std::filesystem::path& log) {
  const Replayed replayed = read_log(log);
  AccountComparison comparison;
  for (const RecordedInstance& instance : replay.instances) {
    const auto id = replayed.ids.find(instance.id);
    compare_instance(
        instance, id == replayed.ids.end() ? ReplayedInstance{} : replayed.instances.at(id->second),
        replay, comparison);
  }
  for (const RecordedJob& job : replay.jobs) {
    const auto found = replayed.jobs.find(job.name);
    compare_job(job, found == replayed.jobs.end() ? ReplayedJob{} : found->second, comparison);
  }
  return comparison;
}

std::string comparison_text(const AccountComparison& comparison) {
  std::vector<std::vector<std::string>> rows{{"", "", "recorded", "replayed", "difference"}};
  std::string subject;
  for (const ComparedValue& value : comparison.values) {
    rows.push_back({value.subject == subject ? "" : value.subject, value.what, value.recorded,
                    value.replayed, value.difference});
    subject = value.subject;
  }
  const Column right{.least = 0, .side = Column::Side::kRight};
  std::string text = fmt::format("{}\n\n", fmt::join(aligned(rows, {{}, {}, {}, {}, right}), "\n"));
  text += fmt::format("Largest difference of times: {:.1f} s. Equal ends: {} of {}.\n",
                      seconds(comparison.largest), comparison.equal_ends, comparison.ends);
  if (comparison.recorded_cost > Usd{}) {
    const double recorded = comparison.recorded_cost.dollars();
    const double replayed = comparison.replayed_cost.dollars();
    text += fmt::format(
        "Cost: ${:.4f} by the recorded times and prices, ${:.4f} replayed ({:+.1f} %).\n", recorded,
        replayed, 100 * (replayed - recorded) / recorded);
  }
  return text;
}

}  // namespace sim::cli
