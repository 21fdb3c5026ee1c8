// The URLs in SNS's messages, which clients open without a signature: SubscribeURL, UnsubscribeURL
// and SigningCertURL (SNS Developer Guide, "Parsing Amazon SNS message formats").
#pragma once

#include <optional>
#include <string>

#include "api/http.h"

namespace fakes::sns {

// Whether the request opens a SubscribeURL or an UnsubscribeURL.
bool is_link(const api::HttpRequest& request);
// The region of the topic or subscription in a link. Empty if its ARN has none.
std::string region_of_link(const api::HttpRequest& request);
// Adds the API's version to a link, as any request has it.
void complete_link(api::HttpRequest& request);

// The certificate, if the request is for SigningCertURL.
std::optional<std::string> certificate_for(const api::HttpRequest& request);

}  // namespace fakes::sns
