#include "fakes/foreign_call.h"

#include <boost/beast/http/field.hpp>
#include <string_view>

#include "fakes/front.h"
#include "fakes/http/printable.h"
#include "fakes/http_messages.h"
#include "fakes/signed_scope.h"
#include "fakes/spotinst/spotinst.h"
#include "fakes/unknown_service.h"

namespace fakes {
namespace {

// Empty if the request names no service, or one of spotsim.
std::string service_without_signature(const Request& request) {
  const std::string host(request[boost::beast::http::field::host]);
  const std::string target(request["x-amz-target"]);
  if (!service_addressed(target, host).empty()) return {};
  if (const auto dot = target.find('.'); dot != target.npos) return target.substr(0, dot);
  const bool of_aws = host.find(".amazonaws.com") != host.npos;
  // Buckets, metadata of instances and spotsim's own names come before AWS's domain.
  return of_aws && host.find(".s3") == host.npos ? host.substr(0, host.find('.')) : "";
}

bool is_signed(const Request& request) {
  return request.count(boost::beast::http::field::authorization) > 0 ||
         request.target().find("X-Amz-Credential=") != boost::beast::string_view::npos ||
         request.target().find("AWSAccessKeyId=") != boost::beast::string_view::npos;
}

}  // namespace

std::optional<ForeignCall> foreign_call(const Request& request) {
  const auto host = request[boost::beast::http::field::host];
  if (spotinst::is_host({host.data(), host.size()})) return {};
  const std::string service =
      is_signed(request) ? signed_scope_of(request).service : service_without_signature(request);
  if (service.empty() || is_served(service)) return {};
  std::string action;
  try {
    action = action_of_unknown_service(read_http(request, request.body()));
  } catch (const api::Refusal&) {  // its form is for the other endpoint to judge
    action = percent_encode_unprintable(std::string(request.method_string()));
  }
  return ForeignCall{percent_encode_unprintable(service), std::move(action)};
}

Response bad_gateway(const Request& request, const ForeignCall& call, const std::string& why) {
  constexpr int kBadGateway = 502;
  return as_response(error_of_unknown_service(read_http(request, request.body()), call.service,
                                              {"BadGateway", why, kBadGateway}, "fallback"));
}

}  // namespace fakes
