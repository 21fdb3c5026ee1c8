// Pages of Describe actions: MaxResults and NextToken.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/types.h"

namespace fakes::ec2 {

// The range of MaxResults, and its default (EC2 API reference, each action's MaxResults).
struct PageRule {
  std::string_view of;  // the kind of list; a token is valid for one kind only
  int low, high;
  std::size_t most = SIZE_MAX;  // the size of a page without MaxResults
  bool cut_down = false;        // a MaxResults above `high` counts as `high` and is not refused
};

// One page of a list. A token is the index at which the next page begins.
class Page {
 public:
  // Throws InvalidParameterValue, InvalidNextToken.
  template <class Request>
  Page(const Request& request, const PageRule& rule)
      : Page(request.max_results, request.next_token, rule) {}

  // EC2 refuses MaxResults together with a list of IDs: throws InvalidParameterCombination.
  void refuse_with(const std::vector<std::string>& ids, std::string_view name) const;

  // Reduces `items` to this page, and sets the token of the next page if there are more items.
  template <class List>
  api::Opt<std::string> cut(List& items) const {
    const auto begin = std::min(offset_, items.size());
    const auto end = items.size() - begin > size_ ? begin + size_ : items.size();
    const bool more = end < items.size();
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(end), items.end());
    items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(begin));
    return more ? api::Opt<std::string>(token(end)) : std::nullopt;
  }

 private:
  Page(const api::Opt<std::int64_t>& max_results, const api::Opt<std::string>& next_token,
       const PageRule& rule);
  std::string token(std::size_t offset) const;

  std::string_view of_;
  std::size_t offset_ = 0;
  std::size_t size_;
  bool sized_ = false;
};

}  // namespace fakes::ec2
