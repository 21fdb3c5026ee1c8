// The common parts of SQS's actions: URLs of queues, seconds, and batches.
#pragma once

#include <optional>
#include <string>

#include "fakes/action.h"
#include "fakes/messaging.h"
#include "sim/cloud/error.h"
#include "sim/messaging/queues.h"

namespace fakes::sqs {

using sim::cloud::ApiError;

// The account's queues.
sim::messaging::Queues& queues(Call& call);

// "https://sqs.us-west-2.amazonaws.com/123456789012/NAME", with the host that the client asked.
std::string url_of(const Call& call, const std::string& name);
// The queue's name, which is the end of its URL. Throws InvalidAddress.
std::string name_in(const std::string& url);

// Reads a number of seconds. Throws InvalidParameterValue.
std::optional<sim::Duration> seconds_in(const std::optional<std::int64_t>& value,
                                        const char* parameter, std::int64_t most);

// `action` is for example "SendMessageBatch". Throws EmptyBatchRequest,
// TooManyEntriesInBatchRequest, InvalidBatchEntryId and BatchEntryIdsNotDistinct.
void check_batch_ids(std::string_view action, const std::vector<std::string>& ids);

// Calls `each` with every entry. A refused entry is listed among the failed ones.
template <class Response, class Entries, class Each>
Response batch(const Call& call, const Entries& entries, Each each) {
  std::vector<std::string> ids;
  for (const auto& entry : entries) ids.push_back(entry.id.value());
  check_batch_ids(call.operation->name, ids);
  Response response;
  for (const auto& entry : entries) {
    try {
      response.successful.push_back(each(entry));
    } catch (const ApiError& refused) {
      response.failed.push_back({.code = refused.code(),
                                 .id = entry.id,
                                 .message = refused.what(),
                                 .sender_fault = refused.http_status() < 500});
    }
  }
  return response;
}

}  // namespace fakes::sqs
