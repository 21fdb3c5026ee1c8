#include "fakes/pricing/requests.h"

#include <fmt/format.h>

#include <iterator>

#include "fakes/index_token.h"
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

std::string page_token(std::size_t index) { return index_token(kTokenKind, index); }

std::size_t page_start(const api::Opt<std::string>& token) {
  if (!token) return 0;
  const auto index = index_in_token(kTokenKind, *token);
  if (!index || *index > kLargestIndex)
    throw ApiError("InvalidNextTokenException", "The pagination token is invalid.");
  return *index;
}

}  // namespace fakes::pricing
