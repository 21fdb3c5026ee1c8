// What exported records of an AWS account say about its instances and training jobs. Each kind of
// record is a row of a table in account_records.cpp; the content of a file decides its kind.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/import/record.h"
#include "sim/market/price_history.h"

namespace sim::cli {

// Several records may state the same moment. The earliest statement counts.
struct RecordedInstance {
  std::string id;
  market::Pool pool;  // empty parts if no record states them
  bool spot = false;
  bool interrupted = false;  // EC2 ended it
  std::optional<Time> launched, running, noticed, ended, terminated;
};

struct RecordedVolume {
  std::optional<Time> created, available, attach_called, attached;
};

struct RecordedTransition {
  std::string status;  // SageMaker's secondary status: "Starting", "Training", "Interrupted" …
  Time from;
};

// A SageMaker training job (DescribeTrainingJob).
struct RecordedJob {
  std::string name, instance_type, status;
  int instances = 1;
  bool spot = false;
  Time created;
  std::optional<Time> ended;
  std::vector<RecordedTransition> transitions;
  std::optional<double> training_seconds, billable_seconds;
};

struct AccountRecords {
  std::map<std::string, RecordedInstance> instances;
  std::map<std::string, RecordedVolume> volumes;
  std::map<std::string, Time> fleets;          // ID → submitted
  std::map<std::string, Time> first_launches;  // of fleets
  std::vector<RecordedJob> jobs;
  market::PriceHistory prices;
  std::map<std::string, int> used, unused;  // number of records by kind
  std::optional<Time> last;                 // the last instant that a record states

  RecordedInstance& instance(const std::string& id);
  // Sets `moment` unless it is earlier already.
  void note(std::optional<Time>& moment, std::optional<Time> at);
};

// Reads all files. Throws RecordError or traces::TraceError for a file that has no known records or
// is damaged.
AccountRecords read_account(const std::vector<std::filesystem::path>& files);

// ---- the readers, one file for each service that exports records
void read_cloud_trail_event(const Record& event, AccountRecords& account);
void read_event_bridge_event(const Record& event, AccountRecords& account);
void read_reservations(const Record& document, AccountRecords& account);
void read_spot_requests(const Record& document, AccountRecords& account);
void read_fleet_history(const Record& document, AccountRecords& account);
void read_volumes(const Record& document, AccountRecords& account);
void read_training_job(const Record& document, AccountRecords& account);

}  // namespace sim::cli
