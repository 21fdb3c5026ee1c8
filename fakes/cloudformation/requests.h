// Functions that several of CloudFormation's actions use for requests and answers.
#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "fakes/cloudformation/account.h"
#include "fakes/cloudformation/actions.h"

namespace fakes::cloudformation {

// The template's text: the body, or the object in the simulator's S3 that the URL names. Empty if
// the request has neither. Throws ApiError ValidationError.
std::optional<std::string> template_text(const Call& call, const api::Opt<std::string>& body,
                                         const api::Opt<std::string>& url);

// An optional member, which is absent if the text is empty.
inline api::Opt<std::string> given(const std::string& text) {
  return text.empty() ? std::nullopt : api::Opt<std::string>(text);
}

// The caller whose permissions a stack's resources need. Empty where IAM does not decide.
inline std::optional<sim::iam::Caller> caller_in(const Call& call) {
  return call.identity != nullptr ? std::optional(*call.identity) : std::nullopt;
}

// What CreateStack, UpdateStack and CreateChangeSet have in common.
template <class Request>
sim::stacks::StackRequest stack_request(const Call& call, const Request& request) {
  sim::stacks::StackRequest made{
      .name = request.stack_name.value(),
      .template_text = template_text(call, request.template_body, request.template_url),
      .capabilities = request.capabilities,
      .notification_arns = request.notification_arns,
      .role_arn = request.role_arn.value_or(""),
      .caller = caller_in(call)};
  for (const auto& parameter : request.parameters)
    made.parameters[parameter.parameter_key.value_or("")] = {
        parameter.parameter_value, parameter.use_previous_value.value_or(false)};
  if (request.tags.given()) {
    made.tags.emplace();
    for (const auto& tag : request.tags)
      made.tags->emplace_back(tag.key.value(), tag.value.value());
  }
  if constexpr (requires { request.use_previous_template; })
    if (request.use_previous_template.value_or(false) == made.template_text.has_value())
      throw sim::stacks::invalid(
          made.template_text ? "You cannot specify both usePreviousTemplate and Template Body."
                             : "Either Template URL or Template Body must be specified.");
  if constexpr (requires { request.client_request_token; })
    made.token = request.client_request_token.value_or("");
  return made;
}

// The parameters of a stack, for answers.
api::List<aws::Parameter> shown_parameters(const sim::stacks::Description& of);
api::List<aws::Tag> shown_tags(const sim::stacks::Tags& tags);

// The drift status in answers. Drift is not simulated.
inline constexpr const char* kNotChecked = "NOT_CHECKED";

// A page of a list. Its token is the index of its first item.
constexpr std::size_t kPage = 100;
template <class Item, class Show, class Shown>
void page_of(const std::vector<Item>& items, const api::Opt<std::string>& token, Show show,
             api::List<Shown>& into, api::Opt<std::string>& next) {
  std::size_t begin = 0;
  if (token) {
    const char* const end = token->data() + token->size();
    const auto read = std::from_chars(token->data(), end, begin);
    if (read.ec != std::errc() || read.ptr != end || begin > items.size())
      throw sim::stacks::invalid("The specified token is invalid: " + *token);
  }
  const std::size_t end = std::min(items.size(), begin + kPage);
  into.give();
  for (std::size_t i = begin; i < end; ++i) into.push_back(show(items[i]));
  if (end < items.size()) next = std::to_string(end);
}

}  // namespace fakes::cloudformation
