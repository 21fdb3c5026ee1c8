#include "fakes/service.h"

#include <algorithm>

#include "api/form.h"

namespace fakes {
namespace {

using sim::cloud::ApiError;

const ActionRow& row_of(const Service& service, const api::Operation& operation) {
  const auto row = std::ranges::find(service.actions, &operation, &ActionRow::operation);
  if (row != service.actions.end()) return *row;
  throw ApiError("InvalidAction", "The action " + std::string(operation.name) +
                                      " is not valid for this web service.");
}

}  // namespace

std::shared_ptr<const void> perform(Backend& backend, const Service& service,
                                    const api::Operation& operation, const void* request,
                                    api::WrittenList* written) {
  const ActionRow& row = row_of(service, operation);
  if (row.is_dry_run(request))
    throw ApiError("DryRunOperation", "Request would have succeeded, but DryRun flag is set.", 412);
  Call call(backend);
  const std::string token = row.client_token(request);
  if (token.empty()) {
    call.written = written;
    return row.perform(call, request);
  }

  auto parameters = api::form_of(*operation.input.shape, request, api::FormStyle::kEc2);
  const std::string key = std::string(operation.name) + "/" + token;
  const auto first = backend.client_tokens.find(key);
  if (first == backend.client_tokens.end()) {
    auto response = row.perform(call, request);
    backend.client_tokens.emplace(key, TokenUse{std::move(parameters), response});
    return response;
  }
  if (first->second.parameters != parameters)
    throw ApiError("IdempotentParameterMismatch",
                   "The client token " + token + " was used with other parameters before.");
  return first->second.response;
}

}  // namespace fakes
