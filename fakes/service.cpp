#include "fakes/service.h"

#include <algorithm>

#include "api/form.h"
#include "api/value.h"
#include "api/xml.h"

namespace fakes {
namespace {

using sim::cloud::ApiError;

const ActionRow& row_of(const Service& service, const api::Operation& operation) {
  // By name, because a service may have tables for two protocols.
  const auto row = std::ranges::find(service.actions, operation.name,
                                     [](const ActionRow& each) { return each.operation->name; });
  if (row != service.actions.end()) return *row;
  throw ApiError("InvalidAction", "The action " + std::string(operation.name) +
                                      " is not part of this simulated AWS.");
}

}  // namespace

void append_element(std::string& text, const api::Operation& operation, std::string_view list,
                    const void* element) {
  const api::Shape& shape = *api::member_named(*operation.output.shape, list).shape;
  api::append_xml_item(text, shape, element, api::Way::kResponse);
}

std::vector<ActionRow> joined(std::initializer_list<std::vector<ActionRow> (*)()> parts) {
  std::vector<ActionRow> all;
  for (const auto part : parts) {
    const auto rows = part();
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

std::shared_ptr<const void> perform(Call& call, const Service& service,
                                    const api::Operation& operation, const void* request) {
  const ActionRow& row = row_of(service, operation);
  call.operation = &operation;
  if (row.is_dry_run(request))
    throw ApiError("DryRunOperation", "Request would have succeeded, but DryRun flag is set.", 412);
  const std::string token = row.client_token(request);
  if (token.empty()) return row.perform(call, request);

  // A repeated request gets the complete struct of the response.
  call.written = nullptr;
  auto parameters = api::form_of(*operation.input.shape, request, api::FormStyle::kEc2);
  const std::string key = std::string(operation.name) + "/" + token;
  auto& tokens = call.backend.client_tokens;
  const auto first = tokens.find(key);
  if (first == tokens.end()) {
    auto response = row.perform(call, request);
    tokens.emplace(key, TokenUse{std::move(parameters), response});
    return response;
  }
  if (first->second.parameters != parameters)
    throw ApiError("IdempotentParameterMismatch",
                   "The client token " + token + " was used with other parameters before.");
  return first->second.response;
}

}  // namespace fakes
