// What every request goes through before and after its handler, as HTTP (aws.cpp) or as a struct
// (direct.cpp).
#pragma once

#include <functional>
#include <string_view>

#include "fakes/service.h"

namespace fakes {

bool is_served(std::string_view service);
// Throws ApiError NotImplemented.
const Service& find_service(std::string_view name);

// Throws ApiError AuthFailure for a request that is signed for another region than the cloud's.
void check_region(std::string_view signed_for, const Backend& backend);

struct LoggedCall {
  std::string_view service, action, caller;
  std::string_view result;  // "ok", or an error's code
};
// Writes api.call; the request's parameters are made only if somebody hears them.
void log_call(Backend& backend, const LoggedCall& call,
              const std::function<api::Parameters()>& parameters);

}  // namespace fakes
