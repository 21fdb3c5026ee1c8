// The pages of EventBridge's lists, and its tags.
#pragma once

#include <optional>
#include <string>

#include "api/events.h"
#include "base/text/base64.h"
#include "fakes/action.h"
#include "fakes/messaging.h"
#include "sim/cloud/error.h"

namespace fakes::events {

using sim::cloud::ApiError;

inline sim::messaging::EventBuses& buses(Call& call) { return messaging(call.backend).buses; }

// Shows a page of a map: calls `show` with at most `limit` of the entries after the token's key for
// which `fits` is true. Returns the token for the next page. Throws ValidationException.
template <class Map, class Fits, class Show>
std::optional<std::string> page(const Map& all, const std::optional<std::string>& token,
                                const std::optional<std::int64_t>& limit, Fits fits, Show show) {
  constexpr std::int64_t kMost = 100;
  const auto after = base::base64_decode(token.value_or(""));
  if (!after) throw ApiError("ValidationException", "Parameter NextToken is not valid.");
  std::int64_t shown = 0;
  std::string last;
  for (auto it = all.upper_bound(*after); it != all.end(); ++it) {
    if (!fits(it->second)) continue;
    if (shown++ == limit.value_or(kMost)) return base::base64_encode(last);
    last = it->first;
    show(it->second);
  }
  return {};
}

inline sim::messaging::TagMap tags_in(const api::List<api::events::Tag>& tags) {
  sim::messaging::TagMap all;
  for (const auto& tag : tags) all[tag.key.value()] = tag.value.value();
  return all;
}

inline std::optional<std::string> given(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace fakes::events
