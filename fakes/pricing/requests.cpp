#include "fakes/pricing/requests.h"

#include <fmt/format.h>

#include <charconv>
#include <iterator>

#include "base/text/base64.h"
#include "fakes/pricing/price_list.h"

namespace fakes::pricing {
namespace {

constexpr std::string_view kTokenKind = "pricing:";
constexpr std::size_t kLargestIndex = 1'000'000'000;

}  // namespace

void check_format(const api::Opt<std::string>& format) {
  if (format && *format != "aws_v1")
    throw ApiError("InvalidParameterException",
                   fmt::format("The format version {} is not aws_v1.", *format));
}

void check_service(const std::string& code) {
  if (std::ranges::find(kServiceCodes, code) == std::end(kServiceCodes))
    throw ApiError("NotFoundException",
                   fmt::format("The service {} has no prices in this simulated AWS. It has {}.",
                               code, fmt::join(kServiceCodes, ", ")));
}

std::string page_token(std::size_t index) {
  return base::base64_encode(fmt::format("{}{}", kTokenKind, index));
}

std::size_t page_start(const api::Opt<std::string>& token) {
  if (!token) return 0;
  const auto text = base::base64_decode(*token);
  std::size_t index = 0;
  if (text && text->starts_with(kTokenKind)) {
    const char* const end = text->data() + text->size();
    const auto [at, error] = std::from_chars(text->data() + kTokenKind.size(), end, index);
    if (error == std::errc() && at == end && index <= kLargestIndex) return index;
  }
  throw ApiError("InvalidNextTokenException", "The pagination token is invalid.");
}

}  // namespace fakes::pricing
