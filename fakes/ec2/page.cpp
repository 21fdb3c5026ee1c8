#include "fakes/ec2/page.h"

#include <fmt/format.h>

#include <charconv>

#include "base/base64.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

constexpr std::string_view kTokenPrefix = "spotsim-page:";

}  // namespace

Page::Page(const api::Opt<std::int64_t>& max_results, const api::Opt<std::string>& next_token,
           int low, int high, std::size_t most)
    : size_(most) {
  check_range(max_results, "MaxResults", low, high);
  if (max_results) {
    size_ = static_cast<std::size_t>(*max_results);
    sized_ = true;
  }
  if (text(next_token).empty()) return;
  const std::string decoded = base::base64_decode(*next_token).value_or("");
  const bool ours = decoded.starts_with(kTokenPrefix);
  const char* const end = decoded.data() + decoded.size();
  if (!ours || std::from_chars(decoded.data() + kTokenPrefix.size(), end, offset_).ptr != end)
    throw sim::cloud::ApiError("InvalidNextToken",
                               "The specified token is not valid: " + *next_token);
}

void Page::refuse_with(const std::vector<std::string>& ids, std::string_view name) const {
  if (!sized_ || ids.empty()) return;
  throw sim::cloud::ApiError(
      "InvalidParameterCombination",
      fmt::format("The parameter {} cannot be used with the parameter maxResults", name));
}

std::string Page::token(std::size_t offset) {
  return base::base64_encode(fmt::format("{}{}", kTokenPrefix, offset));
}

}  // namespace fakes::ec2
