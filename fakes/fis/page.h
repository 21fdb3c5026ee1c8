// The pages of FIS's lists.
#pragma once

#include <cstdint>
#include <string>

#include "base/text/base64.h"
#include "sim/cloud/error.h"

namespace fakes::fis {

// Fills a page of a list: calls `add` with at most maxResults of the things after nextToken.
// `things` are in the order of `key`, the text that the token has. Throws ApiError
// ValidationException.
template <class Response, class Request, class Things, class Key, class Add>
void page(Response& response, const Request& request, Things&& things, Key key, Add add) {
  constexpr std::int64_t kMostOnAPage = 100;
  const auto after = base::base64_decode(request.next_token.value_or(""));
  if (!after) throw sim::cloud::ApiError("ValidationException", "nextToken is not valid.");
  std::int64_t count = 0;
  std::string last;
  for (const auto& thing : things) {
    const std::string own(key(thing));
    if (own <= *after) continue;
    if (count++ == request.max_results.value_or(kMostOnAPage)) {
      response.next_token = base::base64_encode(last);
      return;
    }
    add(thing);
    last = own;
  }
}

}  // namespace fakes::fis
