// The common steps of every request before and after its handler, over HTTP (aws.cpp) and with
// structs (direct.cpp).
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "fakes/service.h"

namespace fakes {

// The service of a request without a service in its signature, from its X-Amz-Target
// ("Logs_20140328.GetLogEvents") or its Host ("logs.us-west-2.amazonaws.com"). Empty if neither
// names a served one.
std::string_view service_addressed(std::string_view target, std::string_view host);
// The service with REST and JSON that a request without a signature addresses, by its host or else
// by its path. Empty if there is none, and if the path may be that of a bucket.
std::string_view rest_json_service_addressed(const api::HttpRequest& request,
                                             const Backend& backend);
// All served services. A service with two protocols is there twice.
std::span<const Service* const> served_services();
// The names of all actions of served services, including Elastigroup's.
std::set<std::string> served_actions();
// Whether spotsim serves the service with this name in AWS's service models.
bool is_served(std::string_view service);
// True if the service has one endpoint for all regions, or a few.
bool is_global(std::string_view service);
// Throws ApiError NotImplemented. `target` chooses between two protocols of a service: the header
// X-Amz-Target, or empty.
const Service& find_service(std::string_view name, std::string_view target = {});

// Throws ApiError for a request that is signed for another region than the cloud's; S3 answers for
// all regions of the account. The code is
// S3's AuthorizationHeaderMalformed, InvalidSignatureException for services with JSON, else
// AuthFailure.
void check_region(std::string_view signed_for, const Backend& backend,
                  const Service& service = ec2_service());

// The latency of the service's answers.
sim::Duration latency_of(const Service& service, const Backend& backend);

// A call with the faults that affect it, if any.
class InterferedCall {
 public:
  InterferedCall(Backend& backend, const Interference::Call& call);
  ~InterferedCall();
  InterferedCall(const InterferedCall&) = delete;
  InterferedCall& operator=(const InterferedCall&) = delete;
  // Both throw the error that becomes the answer: before_effect() instead of the effect,
  // after_effect() after it.
  void before_effect();
  void after_effect();
  // The delay of an answer whose latency without faults is `latency`.
  sim::Duration delay(sim::Duration latency) const;

 private:
  Backend& backend_;
  Interference::Call call_;
  Interference::Trouble trouble_;
};

struct LoggedCall {
  std::string_view service, action, caller;
  std::string_view result;  // "ok", or an error's code
};
// Writes api.call. It builds the request's parameters only if a listener needs them.
void log_call(Backend& backend, const LoggedCall& call,
              const std::function<api::Parameters()>& parameters);

}  // namespace fakes
