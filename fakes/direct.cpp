#include "fakes/direct.h"

#include "api/protocol.h"
#include "api/refusal.h"
#include "fakes/authorisation/authorisation.h"
#include "fakes/front.h"
#include "fakes/regions.h"

namespace fakes {
namespace {

using sim::cloud::ApiError;

// The caller: a client in this process, or a service that calls another service.
enum class From { kClient, kService };

// IAM's decision about a client in this process, or about the caller for whom a service acts.
std::optional<sim::iam::Caller> authorised(Backend& backend, const Service& service,
                                           const DirectRequest& asked, From from,
                                           std::string_view name) {
  const bool for_account = from == From::kService && asked.on_behalf_of == nullptr;
  if (for_account || !backend.iam->decides()) return {};
  auto caller = from == From::kService ? *asked.on_behalf_of
                                       : authorisation::caller_in_process(backend, service, name);
  api::Parameters made;
  const auto& parameters = authorisation::parameters_of(
      backend, service, {asked.operation, asked.request, nullptr}, made);
  authorisation::authorise({backend, service, asked.operation, parameters}, caller, name, nullptr);
  return caller;
}

// CloudWatch's signatures have another name than its model.
const Service& service_of(const api::Service& model) {
  const Service& cloudwatch = cloudwatch_service();
  return &model == &cloudwatch.model ? cloudwatch : find_service(model.name);
}

std::shared_ptr<const void> do_directly(Backend& backend, const DirectRequest& asked, From from,
                                        std::string_view caller, InterferedCall& interfered) {
  const Service& service = service_of(asked.service);
  check_served_here(backend, service);
  if (service.prepare != nullptr && from == From::kClient)
    throw ApiError("NotImplemented", "This service is reached over HTTP only.", 501);
  check_region(asked.region, backend, service);
  api::validate_request(asked.service, asked.operation, asked.request);
  interfered.before_effect();
  const auto identity = authorised(backend, service, asked, from, caller);
  Call call(backend);
  if (&service == &s3_service() && has_further_regions(backend)) call.region = asked.region;
  if (identity) {
    call.identity = &*identity;
    call.caller = caller;
  }
  auto response = perform(call, service, asked.operation, asked.request);
  interfered.after_effect();
  return response;
}

DirectReply reply_to(Backend& backend, const DirectRequest& asked, From from,
                     std::string_view caller) {
  InterferedCall interfered(backend, {.action = asked.operation.name,
                                      .caller = caller,
                                      .operation = &asked.operation,
                                      .request = asked.request});
  const sim::Duration delay = interfered.delay(backend.latencies.api);
  try {
    return {.response = do_directly(backend, asked, from, caller, interfered), .delay = delay};
  } catch (const ApiError& refused) {
    return {.error = {refused.code(), refused.what(), refused.http_status()}, .delay = delay};
  } catch (const api::Refusal& refused) {
    return {.error = api::error_of(asked.service, refused), .delay = delay};
  }
}

DirectReply answer_directly(Backend& callers, const DirectRequest& asked, From from,
                            std::string_view caller) {
  Backend& backend = region_for(callers, asked.service.name, asked.region);
  DirectReply reply = reply_to(backend, asked, from, caller);
  log_call(backend,
           {asked.service.name, asked.operation.name, caller,
            reply.response ? std::string_view("ok") : reply.error.code},
           [&] {
             return api::form_of(*asked.operation.input.shape, asked.request, api::FormStyle::kEc2);
           });
  return reply;
}

}  // namespace

DirectHandler direct_aws(Backend& backend, std::string caller) {
  return [&backend, caller = std::move(caller)](const DirectRequest& asked) {
    return answer_directly(backend, asked, From::kClient, caller);
  };
}

DirectReply call_for_service(Backend& backend, const DirectRequest& asked,
                             std::string_view caller) {
  return answer_directly(backend, asked, From::kService, caller);
}

}  // namespace fakes
