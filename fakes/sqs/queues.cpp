// Queues: their attributes, tags and lists.
#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "fakes/key_page.h"
#include "fakes/sqs/actions.h"
#include "fakes/sqs/requests.h"

namespace fakes::sqs {
namespace {

using sim::messaging::Queue;

constexpr std::int64_t kMostOnAPage = 1000;
constexpr std::size_t kMostTags = 50;

void check_tag_count(std::size_t count, const std::string& queue) {
  if (count > kMostTags)
    throw ApiError("InvalidParameterValue",
                   fmt::format("Too many tags added for queue {}.", queue));
}

// A page of ListQueues. Only a request with MaxResults gets a token for the rest (API reference).
struct Page {
  api::List<std::string> urls;
  std::optional<std::string> next;
};
template <class Request, class Fits>
Page page_of(Call& call, const Request& request, Fits fits) {
  const std::int64_t most = request.max_results.value_or(kMostOnAPage);
  if (most < 1 || most > kMostOnAPage)
    throw ApiError("InvalidParameterValue",
                   fmt::format("Value {} for parameter MaxResults is invalid. Reason: MaxResults "
                               "must be an integer between 1 and 1000.",
                               most));
  Page page;
  page.next = add_page(
      {.token = request.next_token.value_or(""),
       .most = most,
       .refusal = {"InvalidParameterValue", "Invalid or expired next token."}},
      queues(call).all() |
          std::views::filter([&](const auto& entry) { return fits(entry.second); }),
      [](const auto& entry) { return entry.first; },
      [&](const auto& entry) { page.urls.push_back(url_of(call, entry.first)); });
  if (!request.max_results) page.next.reset();
  return page;
}

void check_policy(const Call& call, const api::Map<std::string>& attributes) {
  const auto policy = attributes.find("Policy");
  if (policy != attributes.end() && !call.backend.iam->invalid_principal(policy->second).empty())
    throw ApiError("InvalidAttributeValue", "Invalid value for the parameter Policy.");
}

}  // namespace

op::CreateQueue::Response create_queue(Call& call, const op::CreateQueue::Request& request) {
  check_tag_count(request.tags.size(), request.queue_name.value());
  check_policy(call, request.attributes);
  const Queue& queue =
      queues(call).create(request.queue_name.value(), request.attributes, request.tags);
  return {.queue_url = url_of(call, queue.name)};
}

op::DeleteQueue::Response delete_queue(Call& call, const op::DeleteQueue::Request& request) {
  queues(call).remove(name_in(request.queue_url.value()));
  return {};
}

op::GetQueueUrl::Response get_queue_url(Call& call, const op::GetQueueUrl::Request& request) {
  return {.queue_url = url_of(call, queues(call).queue(request.queue_name.value()).name)};
}

op::GetQueueAttributes::Response get_attributes(Call& call,
                                                const op::GetQueueAttributes::Request& request) {
  const auto all = queues(call).attributes(name_in(request.queue_url.value()));
  // Valid names of attributes without a value in this queue.
  constexpr std::string_view kOptional[] = {"Policy",
                                            "RedrivePolicy",
                                            "RedriveAllowPolicy",
                                            "KmsMasterKeyId",
                                            "FifoQueue",
                                            "KmsDataKeyReusePeriodSeconds",
                                            "ContentBasedDeduplication",
                                            "DeduplicationScope",
                                            "FifoThroughputLimit"};
  op::GetQueueAttributes::Response response;
  for (const std::string& name : request.attribute_names) {
    if (name == "All") {
      response.attributes = all;
    } else if (const auto found = all.find(name); found != all.end()) {
      response.attributes.insert(*found);
    } else if (std::ranges::find(kOptional, name) == std::end(kOptional)) {
      throw ApiError("InvalidAttributeName", fmt::format("Unknown Attribute {}.", name));
    }
  }
  return response;
}

op::SetQueueAttributes::Response set_attributes(Call& call,
                                                const op::SetQueueAttributes::Request& request) {
  const std::string name = name_in(request.queue_url.value());
  check_policy(call, request.attributes);
  queues(call).set_attributes(name, request.attributes);
  return {};
}

op::ListQueues::Response list_queues(Call& call, const op::ListQueues::Request& request) {
  const std::string prefix = request.queue_name_prefix.value_or("");
  Page page = page_of(call, request, [&](const Queue& q) { return q.name.starts_with(prefix); });
  return {.next_token = std::move(page.next), .queue_urls = std::move(page.urls)};
}

op::ListDeadLetterSourceQueues::Response list_sources(
    Call& call, const op::ListDeadLetterSourceQueues::Request& request) {
  const std::string arn = queues(call).queue(name_in(request.queue_url.value())).arn;
  Page page = page_of(call, request, [&](const Queue& q) { return q.settings.redrive.arn == arn; });
  return {.next_token = std::move(page.next), .queue_urls = std::move(page.urls)};
}

op::PurgeQueue::Response purge_queue(Call& call, const op::PurgeQueue::Request& request) {
  queues(call).purge(name_in(request.queue_url.value()));
  return {};
}

op::TagQueue::Response tag_queue(Call& call, const op::TagQueue::Request& request) {
  const std::string name = name_in(request.queue_url.value());
  auto tags = queues(call).queue(name).tags;
  if (request.tags.empty())
    throw ApiError("MissingParameter", "The request must contain the parameter Tags.");
  for (const auto& [key, value] : request.tags) tags[key] = value;
  check_tag_count(tags.size(), name);
  queues(call).set_tags(name, std::move(tags));
  return {};
}

op::UntagQueue::Response untag_queue(Call& call, const op::UntagQueue::Request& request) {
  const std::string name = name_in(request.queue_url.value());
  auto tags = queues(call).queue(name).tags;
  if (request.tag_keys.empty())
    throw ApiError("InvalidParameterValue",
                   "Tag keys must be between 1 and 128 characters in length.");
  for (const std::string& key : request.tag_keys) tags.erase(key);
  queues(call).set_tags(name, std::move(tags));
  return {};
}

op::ListQueueTags::Response list_tags(Call& call, const op::ListQueueTags::Request& request) {
  op::ListQueueTags::Response response;
  response.tags = queues(call).queue(name_in(request.queue_url.value())).tags;
  return response;
}

}  // namespace fakes::sqs
