// Pages of lists that are in the order of a key. A page's token is the key of its last element.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/text/base64.h"
#include "sim/cloud/error.h"

namespace fakes {

// The page that a request asks for.
struct KeyPage {
  std::string token;             // empty: the first page
  std::int64_t most;             // elements of a page
  sim::cloud::ApiError refusal;  // the service's error for a token that is not valid
};

// Calls `add` with the elements of the page. `elements` are in the order of `key`, a text. Returns
// the token of the next page; empty: this page is the last one. Throws the page's refusal.
template <class Elements, class Key, class Add>
std::optional<std::string> add_page(const KeyPage& page, Elements&& elements, Key key, Add add) {
  const auto after = base::base64_decode(page.token);
  if (!after) throw page.refusal;
  std::int64_t count = 0;
  std::string last;
  for (const auto& element : elements) {
    const std::string own(key(element));
    if (!page.token.empty() && own <= *after) continue;
    if (count++ == page.most) return base::base64_encode(last);
    add(element);
    last = own;
  }
  return {};
}

}  // namespace fakes
