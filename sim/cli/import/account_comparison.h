// How well a replay agrees with the records: times, ends and cost, for each instance and job.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/import/account_replay.h"

namespace sim::cli {

struct ComparedValue {
  std::string subject;  // an instance's recorded ID, or a job's name
  std::string what;     // "launched", "end reason", "cost" …
  std::string recorded, replayed, difference;
};

struct AccountComparison {
  std::vector<ComparedValue> values;
  Duration largest{};            // difference of two times
  int ends = 0, equal_ends = 0;  // reasons of instances, states of jobs
  market::Usd recorded_cost, replayed_cost;
};

// `log` is the replay's events.jsonl. Throws RecordError if it cannot be read.
AccountComparison compare(const AccountReplay& replay, const std::filesystem::path& log);

std::string comparison_text(const AccountComparison& comparison);

// The cost of an instance by its recorded times and the prices, as EC2 bills (EC2 User Guide,
// "Billing for interrupted Spot Instances"): by the second at the price in force, on demand at
// least a minute, and nothing for a spot instance that EC2 interrupts in its first hour.
market::Usd recorded_cost(const RecordedInstance& instance, const AccountReplay& replay);

}  // namespace sim::cli
