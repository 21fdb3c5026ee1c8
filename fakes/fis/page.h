// The pages of FIS's lists.
#pragma once

#include <cstdint>
#include <utility>

#include "fakes/key_page.h"

namespace fakes::fis {

// Fills a page of a list: calls `add` with at most maxResults (default 100) of the elements after
// nextToken. `elements` are in the order of `key`. Throws ApiError ValidationException.
template <class Response, class Request, class Elements, class Key, class Add>
void page(Response& response, const Request& request, Elements&& elements, Key key, Add add) {
  constexpr std::int64_t kMostOnAPage = 100;
  response.next_token = add_page({.token = request.next_token.value_or(""),
                                  .most = request.max_results.value_or(kMostOnAPage),
                                  .refusal = {"ValidationException", "nextToken is not valid."}},
                                 std::forward<Elements>(elements), key, add);
}

}  // namespace fakes::fis
