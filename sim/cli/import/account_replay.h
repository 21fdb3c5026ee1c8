// The scenario that replays recorded instances and training jobs: the operator's script launches
// and ends them at the recorded times, and EC2 interrupts those that it interrupted.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sim/cli/import/account_records.h"

namespace sim::cli {

// A file of the replay's folder.
struct ReplayFile {
  std::filesystem::path name;
  std::string text;
  bool is_program = false;
};

struct AccountReplay {
  Time start, limit;
  std::string region;
  // In the order of launch; all have a pool, and the times of launch and end.
  std::vector<RecordedInstance> instances;
  std::vector<RecordedJob> jobs;                 // in the order of creation
  market::PriceHistory prices;                   // from the start to the limit
  std::map<std::string, std::string> durations;  // of the scenario, those that records state
  std::vector<std::string> left_out;             // "i-…: reason"
};

// Throws RecordError if nothing can be replayed, or if prices are missing; the message has the
// command that exports them.
AccountReplay plan_replay(const AccountRecords& account);

// scenario.yaml, prices.json, and the files that they name.
std::vector<ReplayFile> replay_files(const AccountReplay& replay);

// The tag of a replayed instance that has its recorded ID.
inline constexpr const char* kRecordedAs = "recorded-as";

}  // namespace sim::cli
