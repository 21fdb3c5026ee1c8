#include "sim/run/run_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "sim/events/event.h"
#include "sim/market/instance_types.h"
#include "sim/market/ml_prices.h"
#include "sim/result/history.h"

namespace sim::run {
namespace {

std::string show(cloud::Range range) {
  if (range.low == range.high) return format_duration(range.low);
  return format_duration(range.low) + " to " + format_duration(range.high);
}

// The EC2 type of an instance type, without SageMaker's prefix "ml.".
std::string ec2_type(const std::string& name) {
  return name.starts_with("ml.") ? name.substr(3) : name;
}

// The known types with spot prices, and the baseline's type.
std::set<std::string> named_types(const scenario::Scenario& s) {
  std::set<std::string> names;
  for (const auto& [pool, points] : s.prices.pools) names.insert(pool.instance_type);
  if (s.baseline) names.insert(ec2_type(s.baseline->instance_type));
  std::erase_if(names, [&](const std::string& name) { return !s.instance_types->contains(name); });
  return names;
}

// Which on-demand prices the run uses: the price list that most of the named types have, and the
// other types one by one.
std::string on_demand_prices(const scenario::Scenario& s) {
  std::vector<std::string> lists;
  std::map<std::string, std::string> list_of;
  for (const std::string& name : named_types(s)) {
    const auto& price =
        market::on_demand_price(s.instance_types->at(name), s.cloud.region, s.start);
    const std::string none = fmt::format(" (no price is known in {})", s.cloud.region);
    lists.push_back(list_of[name] = fmt::format("{}, as of {}{}", price.region, price.as_of,
                                                price.region == s.cloud.region ? "" : none));
  }
  std::string most = "us-west-2, as of 2019-2021";
  for (const std::string& list : lists)
    if (std::ranges::count(lists, list) > std::ranges::count(lists, most)) most = list;
  std::string text = "on-demand prices are AWS's public list, Linux, " + most;
  for (const auto& [name, list] : list_of)
    if (list != most) text += fmt::format("; of {}: {}", name, list);
  return text;
}

// Describes the prices of ml. instances relative to EC2's.
std::string ml_prices(const scenario::Scenario& s) {
  if (s.sagemaker.price_factor)
    return fmt::format("an ml. instance costs {} times EC2's price, as the scenario says",
                       *s.sagemaker.price_factor);
  std::string types;
  for (const std::string& name : named_types(s)) {
    const auto price = market::ml_price(s.instance_types->at(name), s.start);
    types += fmt::format("{}{} {:.4g} times ({})", types.empty() ? "" : ", ", name, price.factor,
                         price.source);
  }
  return "an ml. instance costs more than EC2 asks for its type" +
         (types.empty() ? types : ": " + types);
}

// Describes for readers of the result what is modelled, and from which sources.
Json assumptions(const scenario::Scenario& s, const GuestDescription& guest) {
  const cloud::Durations& d = s.cloud.durations;
  Json out = Json::array({
      "AWS is a model: EC2, EBS, the metadata service and their bill",
      "spot prices are replayed from the scenario's traces; capacity and interruptions are the "
      "scenario's",
      on_demand_prices(s),
      "spot is billed by the second at the price in force, 60 s at least, and not at all when EC2 "
      "interrupts within the first hour; API requests, instances' root volumes and data transfer "
      "other than between zones are free of charge",
      fmt::format("an instance is pending for {} and boots for {}; a snapshot is pending for {} "
                  "and its data at {} MiB/s",
                  show(d.instance_pending), show(d.boot), show(d.snapshot_base),
                  d.snapshot_mib_per_second),
      "computing takes no virtual time by itself: a training step takes what its instance type's "
      "profile states",
  });
  const auto is_container = [](const auto& image) { return !image.first.starts_with("ami-"); };
  if (std::ranges::any_of(s.guest.images, is_container))
    out.push_back(fmt::format(
        "{}, at the spot price too; it meets EC2's interruptions, and is charged when they come in "
        "its first hour (AWS documents no free hour of SageMaker's); its image comes in {}; its "
        "checkpoints are looked at every {}; a request to a bucket takes {} before its first byte, "
        "{} at once; what it writes to /opt/ml takes no time",
        ml_prices(s), format_duration(s.sagemaker.image_download),
        format_duration(s.sagemaker.checkpoint_sync), format_duration(s.sagemaker.transfer.request),
        s.sagemaker.transfer.requests_at_once));
  for (const std::string& assumption : guest.assumptions) out.push_back(assumption);
  return out;
}

// The fields about the baseline. Empty if the scenario states none.
struct BaselineFields {
  explicit BaselineFields(const scenario::Scenario& s) {
    if (!s.baseline) return;
    type = ec2_type(s.baseline->instance_type);
    const bool managed = type != s.baseline->instance_type;
    if (const auto* known = market::find_instance_type(*s.instance_types, type)) {
      const double factor =
          managed ? s.sagemaker.price_factor.value_or(market::ml_price(*known, s.start).factor) : 1;
      const auto& listed = market::on_demand_price(*known, s.cloud.region, s.start);
      price = market::format_usd(market::scaled(listed.per_hour, factor));
    }
    if (s.baseline->step_time) steps[type] = seconds(*s.baseline->step_time);
  }
  std::string type, price;
  Json steps = Json::object();
};

}  // namespace

void write_run_start(EventLog& log, const scenario::Scenario& s, std::uint64_t seed,
                     const GuestDescription& guest) {
  const BaselineFields baseline(s);
  const Json assumed = assumptions(s, guest);
  events::RunStart line{.time = s.start,
                        .scenario = s.name,
                        .seed = seed,
                        .guest = guest.kind,
                        .level = guest.level,
                        .lockstep = guest.lockstep,
                        .region = s.cloud.region,
                        .limit_seconds = seconds(s.limit),
                        .job_volume_tag = s.job_volume_tag,
                        .copies = s.checkpoint_copies,
                        .baseline_instance_type = baseline.type,
                        .baseline_price = baseline.price,
                        .step_seconds = baseline.steps,
                        .assumptions = assumed};
  if (s.deadline) line.deadline_seconds = seconds(*s.deadline);
  if (s.progress && guest.kind == "process") line.progress = s.progress->log;
  if (!s.needs_evidence) line.evidence = s.scripts_suffice ? "scripts" : "none";
  const Duration written = s.guest.write_back_age + 2 * s.guest.write_back_look;
  if (guest.level == "root" && written > result::Header::kWrittenBack)
    line.written_back_seconds = seconds(written);
  if (s.baseline && s.baseline->instances != 1) line.baseline_instances = s.baseline->instances;
  log.append(line);
}

}  // namespace sim::run
