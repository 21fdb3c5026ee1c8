// The parts that the Price List's requests share: service codes, formats and pages.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "api/types.h"
#include "sim/cloud/error.h"

namespace fakes::pricing {

using sim::cloud::ApiError;

// Throws InvalidParameterException for a format other than aws_v1.
void check_format(const api::Opt<std::string>& format);
// Throws NotFoundException for a service without prices.
void check_service(const std::string& code);

std::string page_token(std::size_t index);
// The index in a token; 0 without one. Throws InvalidNextTokenException.
std::size_t page_start(const api::Opt<std::string>& token);

// Shows a page of the records with `show`, and returns the next page's token.
template <class Request, class Records, class Show>
api::Opt<std::string> page(const Request& request, const Records& records, Show show) {
  constexpr std::int64_t kMost = 100;
  const std::size_t first = std::min(page_start(request.next_token), records.size());
  const auto most = static_cast<std::size_t>(request.max_results.value_or(kMost));
  const std::size_t end = std::min(first + most, records.size());
  for (std::size_t at = first; at < end; ++at) show(records[at]);
  return end < records.size() ? api::Opt<std::string>(page_token(end)) : std::nullopt;
}

}  // namespace fakes::pricing
