#include "sim/messaging/queue_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/cloud/error.h"
#include "sim/kernel/json_object.h"
#include "sim/kernel/shallow_json.h"

namespace sim::messaging {
namespace {

using cloud::ApiError;
ApiError bad_value(std::string_view name, const std::string& why = "") {
  return {"InvalidAttributeValue",
          fmt::format("Invalid value for the parameter {}.{}", name, why.empty() ? "" : " " + why)};
}

int whole_in(const std::string& name, const std::string& text, int low, int high) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low || value > high)
    throw bad_value(name);
  return value;
}

bool truth_in(const std::string& name, const std::string& text) {
  if (text == "true") return true;
  if (text == "false") return false;
  throw bad_value(name);
}

struct Seconds {
  const char* name;
  int low, high;
  Duration QueueSettings::*member;
};
constexpr Seconds kSeconds[] = {{"DelaySeconds", 0, 900, &QueueSettings::delay},
                                {"MessageRetentionPeriod", 60, 1209600, &QueueSettings::retention},
                                {"ReceiveMessageWaitTimeSeconds", 0, 20, &QueueSettings::wait},
                                {"VisibilityTimeout", 0, 43200, &QueueSettings::visibility}};
// These attributes are stored and shown; nothing in the simulation depends on them.
constexpr std::string_view kShown[] = {"Policy",
                                       "RedriveAllowPolicy",
                                       "KmsMasterKeyId",
                                       "KmsDataKeyReusePeriodSeconds",
                                       "SqsManagedSseEnabled",
                                       "DeduplicationScope",
                                       "FifoThroughputLimit"};
constexpr int kSmallestLimit = 1024, kLargestLimit = 1048576;

// A policy may have 8 KiB and 20 statements (SQS Developer Guide, "Amazon SQS policy quotas").
void check_policy(const std::string& text) {
  constexpr std::size_t kMostStatements = 20;
  if (text.size() > kMostPolicyBytes) throw bad_value("Policy");
  const Json policy = parse_shallow_json(text);
  if (!policy.is_object()) throw bad_value("Policy");
  const auto statements = policy.find("Statement");
  if (statements != policy.end() && statements->is_array() && statements->size() > kMostStatements)
    throw bad_value("Policy");
}

// {"deadLetterTargetArn": "arn:…", "maxReceiveCount": 3}; AWS also takes a number as text.
RedrivePolicy redrive_in(const std::string& text) {
  if (text.empty()) return {};
  const Json policy = parse_shallow_json(text);
  const auto bad = [&](const char* why) {
    return ApiError(
        "InvalidParameterValue",
        fmt::format("Value {} for parameter RedrivePolicy is invalid. Reason: {}", text, why));
  };
  if (!policy.is_object()) throw bad("Redrive policy is not a valid JSON map.");
  const auto arn = policy.find("deadLetterTargetArn"), count = policy.find("maxReceiveCount");
  if (arn == policy.end() || !arn->is_string())
    throw bad("Redrive policy does not contain mandatory attribute: deadLetterTargetArn.");
  if (count == policy.end())
    throw bad("Redrive policy does not contain mandatory attribute: maxReceiveCount.");
  if (arn->get<std::string>().empty()) throw bad("Invalid value for deadLetterTargetArn.");
  const std::string number = count->is_string() ? count->get<std::string>() : count->dump();
  return {arn->get<std::string>(), whole_in("RedrivePolicy", number, 1, 1000)};
}

// SQS shows the number as a number, also if the request had a text.
std::string shown(const RedrivePolicy& redrive) {
  return json_object(
             {{"deadLetterTargetArn", redrive.arn}, {"maxReceiveCount", redrive.most_receives}})
      .dump();
}

bool apply_one(const std::string& name, const std::string& value, QueueSettings& settings) {
  for (const Seconds& row : kSeconds)
    if (name == row.name) {
      settings.*row.member = std::chrono::seconds(whole_in(name, value, row.low, row.high));
      return true;
    }
  if (name == "MaximumMessageSize") {
    settings.largest_message = whole_in(name, value, kSmallestLimit, kLargestLimit);
  } else if (name == "FifoQueue") {
    if (!truth_in(name, value)) throw bad_value(name);
  } else if (name == "ContentBasedDeduplication") {
    settings.content_based_deduplication = truth_in(name, value);
  } else if (name == "RedrivePolicy") {
    settings.redrive = redrive_in(value);
  } else if (name == "Policy" && !value.empty()) {
    check_policy(value);
  } else if (std::ranges::find(kShown, name) == std::end(kShown)) {
    return false;
  }
  return true;
}

bool only_of_fifo(const std::string& name) {
  return name == "FifoQueue" || name == "ContentBasedDeduplication" ||
         name == "DeduplicationScope" || name == "FifoThroughputLimit";
}

}  // namespace

void apply(const std::map<std::string, std::string>& attributes, bool fifo_name,
           QueueSettings& settings) {
  QueueSettings next = settings;
  for (const auto& [name, value] : attributes) {
    if (!apply_one(name, value, next) || (only_of_fifo(name) && !fifo_name))
      throw ApiError("InvalidAttributeName", fmt::format("Unknown Attribute {}.", name));
    if (value.empty())
      next.shown.erase(name);
    else
      next.shown[name] = name == "RedrivePolicy" ? shown(next.redrive) : value;
  }
  settings = std::move(next);
}

std::map<std::string, std::string> shown(const QueueSettings& settings) {
  auto all = settings.shown;
  for (const Seconds& row : kSeconds)
    all[row.name] = std::to_string(
        std::chrono::duration_cast<std::chrono::seconds>(settings.*row.member).count());
  all["MaximumMessageSize"] = std::to_string(settings.largest_message);
  all.try_emplace("SqsManagedSseEnabled", all.contains("KmsMasterKeyId") ? "false" : "true");
  if (settings.fifo) {
    all["FifoQueue"] = "true";
    all["ContentBasedDeduplication"] = settings.content_based_deduplication ? "true" : "false";
    all.try_emplace("DeduplicationScope", "queue");
    all.try_emplace("FifoThroughputLimit", "perQueue");
  }
  return all;
}

}  // namespace sim::messaging
