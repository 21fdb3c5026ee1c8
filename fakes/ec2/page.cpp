#include "fakes/ec2/page.h"

#include <fmt/format.h>

#include "fakes/ec2/requests.h"
#include "fakes/index_token.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;

std::string token_prefix(std::string_view of) { return fmt::format("spotsim-page:{}:", of); }

// EC2's message, which says "greater than" although the bound itself is permitted.
void check_page_size(std::int64_t size, const PageRule& rule) {
  if (size >= rule.low && (rule.cut_down || size <= rule.high)) return;
  throw ApiError("InvalidParameterValue",
                 fmt::format("Value ( {} ) for parameter maxResults is invalid. Expecting a value "
                             "{} than {}.",
                             size, size < rule.low ? "greater" : "smaller",
                             size < rule.low ? rule.low : rule.high));
}

std::size_t offset_of(const std::string& token, std::string_view of) {
  if (const auto offset = index_in_token(token_prefix(of), token)) return *offset;
  throw ApiError("InvalidNextToken", "The specified token is not valid: " + token);
}

}  // namespace

Page::Page(const api::Opt<std::int64_t>& max_results, const api::Opt<std::string>& next_token,
           const PageRule& rule)
    : of_(rule.of), size_(rule.most) {
  if (max_results) {
    check_page_size(*max_results, rule);
    size_ = static_cast<std::size_t>(std::min<std::int64_t>(*max_results, rule.high));
    sized_ = true;
  }
  if (!text(next_token).empty()) offset_ = offset_of(*next_token, of_);
}

void Page::refuse_with(const std::vector<std::string>& ids, std::string_view name) const {
  if (!sized_ || ids.empty()) return;
  throw ApiError(
      "InvalidParameterCombination",
      fmt::format("The parameter {} cannot be used with the parameter maxResults", name));
}

std::string Page::token(std::size_t offset) const { return index_token(token_prefix(of_), offset); }

}  // namespace fakes::ec2
