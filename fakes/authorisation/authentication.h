// Finds the sender of a request. If IAM decides, it verifies the request's signature.
#pragma once

#include <string_view>

#include "api/http.h"
#include "fakes/authorisation/signature.h"
#include "fakes/service.h"
#include "sim/iam/caller.h"
#include "sim/objects/body.h"

namespace fakes::authorisation {

// A request as it arrived, before a service changes it.
struct Received {
  const api::HttpRequest& http;
  const sim::objects::Body* long_body = nullptr;  // the body, if it is not in `http`
};

// The caller of a signed request. Throws ApiError in the service's words for an unknown key, a
// wrong or old signature, and expired credentials. For S3, the signature may also be in a presigned
// URL or a form, in both also of version 2, and the chunks of an upload may be signed. A request to
// S3 without a signature is anonymous().
sim::iam::Caller authenticate(Backend& backend, const Service& service, const Received& received,
                              Signer& signer);
// The caller of a request from this process: an instance has its profile's role, and the operator
// is the operator's user. Throws ApiError for an instance without a role.
sim::iam::Caller caller_in_process(Backend& backend, const Service& service, std::string_view name);
// An anonymous caller, who needs a bucket's policy for every action.
sim::iam::Caller anonymous();
bool is_anonymous(const sim::iam::Caller& caller);

}  // namespace fakes::authorisation
