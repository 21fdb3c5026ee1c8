// The parts that CloudWatch's requests share: metrics, times, periods and pages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/cloudwatch.h"
#include "fakes/action.h"
#include "fakes/cloudwatch/monitoring.h"

namespace fakes::cloudwatch {

ApiError invalid_value(const std::string& message);  // InvalidParameterValue

sim::Time time_of(const api::Timestamp& timestamp);

std::int64_t seconds_of(sim::Duration d);  // whole ones

// The same metric in a request and in the model.
sim::monitoring::Metric metric_of(const std::string& space, const std::string& name,
                                  const api::List<api::cloudwatch::Dimension>& dimensions);
api::List<api::cloudwatch::Dimension> shown_dimensions(const sim::monitoring::Metric& metric);

// A period of 1, 5, 10, 20 or 30 seconds, or of whole minutes. Throws InvalidParameterValue.
sim::Duration period_of(std::int64_t seconds);

// A token that names the index at which the next page begins.
std::string page_token(std::size_t index);
// The index in a token; 0 without one. Throws InvalidNextToken.
std::size_t page_start(const api::Opt<std::string>& token);

// Appends at most `most` of the records to `into`, from the token's record on, and returns the next
// page's token. `show` makes the response's struct.
template <class Records, class Into, class Show>
api::Opt<std::string> page(const Records& records, const api::Opt<std::string>& token,
                           std::size_t most, Into& into, Show show) {
  into.give();
  std::size_t at = page_start(token);
  for (; at < records.size(); ++at) {
    if (into.size() == most) return page_token(at);
    into.push_back(show(records[at]));
  }
  return {};
}

}  // namespace fakes::cloudwatch
