#include "sim/cli/import/account_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/market/instance_types.h"

namespace sim::cli {
namespace {

constexpr Duration kNotice = 2min;  // EC2 User Guide, "Spot Instance interruption notices"

bool is_instance_id(const std::string& id) {
  return id.starts_with("i-") &&
         std::ranges::all_of(id.substr(2), [](unsigned char c) { return std::isalnum(c) != 0; });
}

// Empty if the instance can be replayed.
std::string obstacle(const RecordedInstance& instance, const std::string& region) {
  const market::Pool& pool = instance.pool;
  if (!is_instance_id(instance.id)) return "found an ID that is not an instance's";
  if (!instance.launched) return "no record states when it was launched (describe-instances)";
  if (!market::is_instance_type(pool.instance_type) || !market::is_zone(pool.availability_zone))
    return "no record states its type and zone (describe-instances)";
  const auto types = market::instance_types();
  if (!find_instance_type(*types, pool.instance_type))
    return fmt::format("found the type {}, expected {}", pool.instance_type,
                       market::expected_instance_type(*types, pool.instance_type));
  if (market::region_of(pool.availability_zone) != region)
    return fmt::format("found the zone {}, expected one of {}", pool.availability_zone, region);
  if (instance.interrupted && !instance.ended)
    return "no record states when EC2 ended it (CloudTrail's BidEvictedEvent)";
  return "";
}

// An instance without an end still ran at the last record; the replay ends it then.
RecordedInstance completed(RecordedInstance instance, std::optional<Time> last) {
  if (!instance.ended && instance.noticed) instance.ended = *instance.noticed + kNotice;
  if (!instance.ended && !instance.interrupted && instance.launched)
    instance.ended = std::max(last.value_or(*instance.launched), *instance.launched + 1min);
  return instance;
}

std::string region_of_records(const AccountRecords& account) {
  for (const auto& [id, instance] : account.instances)
    if (market::is_zone(instance.pool.availability_zone))
      return std::string(market::region_of(instance.pool.availability_zone));
  for (const auto& [pool, points] : account.prices.pools)
    if (market::is_zone(pool.availability_zone))
      return std::string(market::region_of(pool.availability_zone));
  throw RecordError("found neither an instance with a zone nor a price, expected either");
}

// "20s-30s": from the shortest to the longest of these.
void add_range(AccountReplay& replay, const std::string& name, std::vector<Duration> all) {
  std::erase_if(all, [](Duration d) { return d < Duration::zero(); });
  if (all.empty()) return;
  const auto [least, most] = std::ranges::minmax(all);
  replay.durations[name] =
      least == most ? format_duration(least) : format_duration(least) + "-" + format_duration(most);
}

template <class Records>
std::vector<Duration> times_between(const Records& records, auto from, auto to) {
  std::vector<Duration> all;
  for (const auto& [id, record] : records)
    if (record.*from && record.*to) all.push_back(*(record.*to) - *(record.*from));
  return all;
}

void measure_durations(const AccountRecords& account, AccountReplay& replay) {
  const auto& instances = account.instances;
  add_range(replay, "instance_pending",
            times_between(instances, &RecordedInstance::launched, &RecordedInstance::running));
  add_range(replay, "instance_shutdown",
            times_between(instances, &RecordedInstance::ended, &RecordedInstance::terminated));
  add_range(replay, "volume_creating",
            times_between(account.volumes, &RecordedVolume::created, &RecordedVolume::available));
  add_range(
      replay, "volume_attaching",
      times_between(account.volumes, &RecordedVolume::attach_called, &RecordedVolume::attached));
  std::vector<Duration> evaluations;
  for (const auto& [id, submitted] : account.fleets)
    if (const auto first = account.first_launches.find(id); first != account.first_launches.end())
      evaluations.push_back(first->second - submitted);
  add_range(replay, "spot_evaluation", evaluations);
}

// SageMaker's state Starting covers the evaluation, the launch and the boot of a job's instances.
// The first two get fixed times, and the boot has the rest.
void measure_job_starts(AccountReplay& replay) {
  constexpr Duration kEvaluation = 2s, kPending = 20s;
  std::vector<Duration> boots;
  for (const RecordedJob& job : replay.jobs)
    for (std::size_t i = 0; i + 1 < job.transitions.size(); ++i)
      if (job.transitions[i].status == "Starting")
        boots.push_back(job.transitions[i + 1].from - job.transitions[i].from - kEvaluation -
                        kPending);
  add_range(replay, "boot", boots);
  if (!replay.durations.contains("boot")) return;
  replay.durations["spot_evaluation"] = format_duration(kEvaluation);
  replay.durations["instance_pending"] = format_duration(kPending);
}

std::string price_command(const std::string& type, Time from, Time to) {
  return fmt::format(
      "the output of `aws ec2 describe-spot-price-history --product-descriptions Linux/UNIX "
      "--instance-types {} --start-time {} --end-time {}` among the files",
      type, iso_seconds(from), iso_seconds(to));
}

// A run needs prices from its start to its limit. The last price stays in force.
void choose_prices(const AccountRecords& account, AccountReplay& replay) {
  std::set<std::string> types;
  for (const RecordedInstance& instance : replay.instances) {
    types.insert(instance.pool.instance_type);
    if (!instance.spot) continue;
    const auto found = account.prices.pools.find(instance.pool);
    if (found == account.prices.pools.end() || !in_force(found->second, replay.start))
      throw RecordError(
          fmt::format("{}: found no price of {} at {}, expected {}", instance.id,
                      to_string(instance.pool), iso_seconds(replay.start),
                      price_command(instance.pool.instance_type, replay.start, replay.limit)));
  }
  for (const RecordedJob& job : replay.jobs)
    types.insert(job.instance_type.substr(job.instance_type.starts_with("ml.") ? 3 : 0));
  replay.prices = between(account.prices, replay.start, replay.limit);
  std::erase_if(replay.prices.pools, [&](const auto& entry) {
    return !types.contains(entry.first.instance_type) ||
           market::region_of(entry.first.availability_zone) != replay.region ||
           entry.second.front().at > replay.start;
  });
  if (replay.prices.pools.empty())
    throw RecordError(fmt::format("prices: found none at {}, expected {}",
                                  iso_seconds(replay.start),
                                  price_command(*types.begin(), replay.start, replay.limit)));
  for (auto& [pool, points] : replay.prices.pools)
    if (points.back().at < replay.limit) points.push_back({replay.limit, points.back().price});
}

void choose_instances(const AccountRecords& account, AccountReplay& replay) {
  for (const auto& [id, recorded] : account.instances) {
    RecordedInstance instance = completed(recorded, account.last);
    if (const std::string why = obstacle(instance, replay.region); !why.empty()) {
      replay.left_out.push_back(id + ": " + why);
      continue;
    }
    if (*instance.ended < *instance.launched) {
      replay.left_out.push_back(id + ": found an end before its launch");
      continue;
    }
    replay.instances.push_back(std::move(instance));
  }
  std::ranges::stable_sort(replay.instances, {}, &RecordedInstance::launched);
}

void choose_jobs(const AccountRecords& account, AccountReplay& replay) {
  for (const RecordedJob& job : account.jobs) {
    const auto is_in_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; };
    if (!std::ranges::all_of(job.name, is_in_name))
      replay.left_out.push_back(job.name + ": found a name that is not a training job's");
    else if (!job.ended)
      replay.left_out.push_back(job.name + ": the job has not ended");
    else if (*job.ended < job.created)
      replay.left_out.push_back(job.name + ": found an end before its creation");
    else
      replay.jobs.push_back(job);
  }
  std::ranges::stable_sort(replay.jobs, {}, &RecordedJob::created);
  if (!replay.jobs.empty() && !replay.instances.empty())
    throw RecordError(
        "found instances of EC2 and training jobs of SageMaker, expected either in one import");
}

}  // namespace

AccountReplay plan_replay(const AccountRecords& account) {
  AccountReplay replay;
  replay.region = region_of_records(account);
  choose_instances(account, replay);
  choose_jobs(account, replay);
  if (replay.instances.empty() && replay.jobs.empty())
    throw RecordError("found no instance and no training job that can be replayed" +
                      (replay.left_out.empty() ? "" : ": " + replay.left_out.front()));
  Time first = Time::max(), last = Time::min();
  for (const RecordedInstance& instance : replay.instances)
    first = std::min(first, *instance.launched), last = std::max(last, *instance.ended);
  for (const RecordedJob& job : replay.jobs)
    first = std::min(first, job.created), last = std::max(last, *job.ended);
  constexpr Duration kMargin = 30min;  // instances shut down, and the replay may be later
  replay.start = std::chrono::floor<std::chrono::minutes>(first) - 1min;
  replay.limit = std::chrono::ceil<std::chrono::minutes>(last) + kMargin;
  measure_durations(account, replay);
  measure_job_starts(replay);
  choose_prices(account, replay);
  return replay;
}

}  // namespace sim::cli
