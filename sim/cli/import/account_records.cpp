#include "sim/cli/import/account_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/json/json_text.h"
#include "sim/traces/price_formats.h"

namespace sim::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepestNesting = 64;

// `aws cloudtrail lookup-events` has each event as a text (CloudTrail API Reference, "Event").
void read_looked_up(const Record& document, AccountRecords& account) {
  for (const Record& entry : document.list("Events")) {
    const Record text = entry.at("CloudTrailEvent", "CloudTrail's event as a JSON text");
    if (!text.json().is_string()) text.fail("CloudTrail's event as a JSON text");
    const Json event = base::parse_json(text.json().get_ref<const std::string&>(), kDeepestNesting);
    if (!event.is_object()) text.fail("CloudTrail's event as a JSON text");
    static const fs::path kInner = "CloudTrailEvent";
    read_cloud_trail_event(Record(event, kInner), account);
  }
}

// CloudTrail User Guide, "CloudTrail log file examples".
void read_trail(const Record& document, AccountRecords& account) {
  for (const Record& event : document.list("Records")) read_cloud_trail_event(event, account);
}

struct Kind {
  const char* member;  // a document with this member is of this kind
  void (*read)(const Record& document, AccountRecords& account);
};

constexpr Kind kKinds[] = {{"Records", read_trail},
                           {"Events", read_looked_up},
                           {"eventName", read_cloud_trail_event},
                           {"detail-type", read_event_bridge_event},
                           {"Reservations", read_reservations},
                           {"SpotInstanceRequests", read_spot_requests},
                           {"HistoryRecords", read_fleet_history},
                           {"Volumes", read_volumes},
                           {"TrainingJobName", read_training_job}};

constexpr std::string_view kExpected =
    "records of CloudTrail or EventBridge, the output of `aws ec2 describe-instances`, "
    "describe-spot-instance-requests, describe-spot-fleet-request-history, describe-volumes or "
    "describe-spot-price-history, or of `aws sagemaker describe-training-job`";

void read_document(const Record& document, AccountRecords& account) {
  if (document.json().is_array()) {
    for (const Record& item : document.items()) {
      if (!item.json().is_object()) item.fail(std::string(kExpected));
      read_document(item, account);
    }
    return;
  }
  for (const Kind& kind : kKinds)
    if (document.has(kind.member)) return kind.read(document, account);
  document.fail(std::string(kExpected));
}

// Empty if a line is no JSON object.
std::optional<Json> parse_lines(const std::string& text) {
  Json list = Json::array();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    Json one = base::parse_json(line, kDeepestNesting);
    if (!one.is_object()) return {};
    list.push_back(std::move(one));
  }
  return list.empty() ? std::nullopt : std::optional(list);
}

void read_prices(const traces::TraceFile& file, AccountRecords& account) {
  const market::PriceHistory prices = traces::parse_price_history(file);
  for (const auto& [pool, points] : prices.pools)
    account.used["price"] += static_cast<int>(points.size());
  merge(account.prices, prices);
}

void read_file(const fs::path& path, AccountRecords& account) {
  const traces::TraceFile file = traces::load_trace_file(path);
  if (traces::price_format_of(file.text)) return read_prices(file, account);
  Json json = base::parse_json(file.text, kDeepestNesting);
  if (json.is_discarded())
    if (auto lines = parse_lines(file.text)) json = std::move(*lines);
  if (json.is_discarded())
    throw RecordError(fmt::format("{}: found {}, expected {}", path.string(),
                                  file.text.empty() ? "an empty file" : "no JSON", kExpected));
  read_document(Record(json, path), account);
}

}  // namespace

RecordedInstance& AccountRecords::instance(const std::string& id) {
  RecordedInstance& instance = instances[id];
  instance.id = id;
  return instance;
}

void AccountRecords::note(std::optional<Time>& moment, std::optional<Time> at) {
  if (!at) return;
  if (!moment || *at < *moment) moment = at;
  if (!last || *at > *last) last = at;
}

AccountRecords read_account(const std::vector<fs::path>& files) {
  AccountRecords account;
  for (const fs::path& file : files) read_file(file, account);
  return account;
}

}  // namespace sim::cli
