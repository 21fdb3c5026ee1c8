// What every request goes through before and after its handler, as HTTP (aws.cpp) or as a struct
// (direct.cpp).
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "fakes/service.h"

namespace fakes {

// The service that a request is for which names none in a signature: by its X-Amz-Target
// ("Logs_20140328.GetLogEvents") or its Host ("logs.us-west-2.amazonaws.com"). Empty where neither
// names one that is served.
std::string_view service_addressed(std::string_view target, std::string_view host);
// The names of all actions of the services that are served, those of Elastigroup among them.
std::set<std::string> served_actions();
// Whether spotsim serves SERVICE, a name of AWS's service models.
bool is_served(std::string_view service);
// Whether it has one endpoint for all regions.
bool is_global(std::string_view service);
// Throws ApiError NotImplemented.
const Service& find_service(std::string_view name);

// Throws ApiError for a request that is signed for another region than the cloud's: in S3's words
// AuthorizationHeaderMalformed, in that of services that speak JSON InvalidSignatureException, else
// AuthFailure.
void check_region(std::string_view signed_for, const Backend& backend,
                  const Service& service = ec2_service());

// How long an answer of that service takes.
sim::Duration latency_of(const Service& service, const Backend& backend);

// A call on its way through what interferes with it, if anything does.
class InterferedCall {
 public:
  InterferedCall(Backend& backend, std::string_view action, std::string_view caller);
  ~InterferedCall();
  InterferedCall(const InterferedCall&) = delete;
  InterferedCall& operator=(const InterferedCall&) = delete;
  // Both throw the ApiError that is the answer: instead of the effect, or after it.
  void before_effect();
  void after_effect();
  // Of the answer, where that takes so long without interference.
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
// Writes api.call; the request's parameters are made only if somebody hears them.
void log_call(Backend& backend, const LoggedCall& call,
              const std::function<api::Parameters()>& parameters);

}  // namespace fakes
