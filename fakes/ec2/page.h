// The pages of the describe actions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/types.h"

namespace fakes::ec2 {

// MaxResults and NextToken. A token is the place in the answer to go on from.
class Page {
 public:
  // MaxResults must be in [low, high]; `most` is the page's size when it is not given. Throws
  // InvalidParameterValue, InvalidNextToken.
  template <class Request>
  Page(const Request& request, int low, int high, std::size_t most = SIZE_MAX)
      : Page(request.max_results, request.next_token, low, high, most) {}

  // EC2 refuses MaxResults together with a list of IDs: throws InvalidParameterCombination.
  void refuse_with(const std::vector<std::string>& ids, std::string_view name) const;

  // Keeps this page of `items`, and gives the token of the next when there is more.
  template <class T>
  api::Opt<std::string> cut(std::vector<T>& items) const {
    const auto begin = std::min(offset_, items.size());
    const auto end = items.size() - begin > size_ ? begin + size_ : items.size();
    const bool more = end < items.size();
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(end), items.end());
    items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(begin));
    return more ? api::Opt<std::string>(token(end)) : std::nullopt;
  }

 private:
  Page(const api::Opt<std::int64_t>& max_results, const api::Opt<std::string>& next_token, int low,
       int high, std::size_t most);
  static std::string token(std::size_t offset);

  std::size_t offset_ = 0;
  std::size_t size_;
  bool sized_ = false;
};

}  // namespace fakes::ec2
