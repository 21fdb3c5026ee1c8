// Products that match filters.
#include <fmt/format.h>

#include <algorithm>

#include "fakes/pricing/actions.h"
#include "fakes/pricing/price_list.h"
#include "fakes/pricing/requests.h"

namespace fakes::pricing {
namespace {

// A kind of filter. ANY_OF and NONE_OF have several values, separated by commas (API reference,
// Filter).
struct FilterKind {
  std::string_view type;
  bool (*fits)(const std::string& value, const std::string& expected);
};

bool is_among(const std::string& value, const std::string& list) {
  std::size_t begin = 0;
  for (;;) {
    const std::size_t comma = std::min(list.find(',', begin), list.size());
    if (list.compare(begin, comma - begin, value) == 0) return true;
    if (comma == list.size()) return false;
    begin = comma + 1;
  }
}

constexpr FilterKind kKinds[] = {
    {"TERM_MATCH", [](const std::string& a, const std::string& b) { return a == b; }},
    {"EQUALS", [](const std::string& a, const std::string& b) { return a == b; }},
    {"CONTAINS", [](const std::string& a, const std::string& b) { return a.find(b) != a.npos; }},
    {"ANY_OF", [](const std::string& a, const std::string& b) { return is_among(a, b); }},
    {"NONE_OF", [](const std::string& a, const std::string& b) { return !is_among(a, b); }}};

struct Filter {
  std::string field, expected;
  const FilterKind* kind;
};

std::vector<Filter> read_filters(const op::GetProducts::Request& request) {
  std::vector<Filter> filters;
  for (const auto& asked : request.filters) {
    const auto* const kind = std::ranges::find(kKinds, *asked.type, &FilterKind::type);
    if (kind == std::end(kKinds))
      throw ApiError("InvalidParameterException",
                     fmt::format("The filter type {} is not valid.", *asked.type));
    // The service's code is an attribute of every product, in lower case.
    const std::string field = *asked.field == "ServiceCode" ? "servicecode" : *asked.field;
    filters.push_back({field, *asked.value, kind});
  }
  return filters;
}

bool fits(const Filter& filter, const std::map<std::string, std::string>& attributes) {
  const auto found = attributes.find(filter.field);
  if (found == attributes.end()) return filter.kind->type == "NONE_OF";
  return filter.kind->fits(found->second, filter.expected);
}

}  // namespace

op::GetProducts::Response get_products(Call& call, const op::GetProducts::Request& request) {
  check_format(request.format_version);
  check_service(*request.service_code);
  const std::vector<Filter> filters = read_filters(request);
  const MayNeed may_need = [&](std::string_view attribute, const std::string& value) {
    return std::ranges::all_of(filters, [&](const Filter& filter) {
      return filter.field != attribute || filter.kind->fits(value, filter.expected);
    });
  };
  auto found = products(call.backend, *request.service_code, may_need);
  std::erase_if(found, [&](const Product& product) {
    const auto attributes = filterable(product);
    return !std::ranges::all_of(filters,
                                [&](const Filter& filter) { return fits(filter, attributes); });
  });
  op::GetProducts::Response response{.format_version = "aws_v1"};
  response.price_list.give();
  response.next_token = page(request, found, [&](const Product& product) {
    response.price_list.push_back(price_list_item(product));
  });
  return response;
}

}  // namespace fakes::pricing
