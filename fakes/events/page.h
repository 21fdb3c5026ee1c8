// The pages of EventBridge's lists, and its tags.
#pragma once

#include <cstdint>
#include <optional>
#include <ranges>
#include <string>

#include "api/events.h"
#include "fakes/action.h"
#include "fakes/key_page.h"
#include "fakes/messaging.h"
#include "sim/cloud/error.h"

namespace fakes::events {

using sim::cloud::ApiError;

inline sim::messaging::EventBuses& buses(Call& call) { return messaging(call.backend).buses; }

// Shows a page of a map: calls `show` with at most `limit` (default 100) of the entries after the
// token for which `fits` is true. Returns the token of the next page. Throws ValidationException.
template <class Map, class Fits, class Show>
std::optional<std::string> page(const Map& all, const std::optional<std::string>& token,
                                const std::optional<std::int64_t>& limit, Fits fits, Show show) {
  constexpr std::int64_t kMostOnAPage = 100;
  const auto is_wanted = [&](const auto& entry) { return fits(entry.second); };
  return add_page(
      {.token = token.value_or(""),
       .most = limit.value_or(kMostOnAPage),
       .refusal = {"ValidationException", "Parameter NextToken is not valid."}},
      all | std::views::filter(is_wanted), [](const auto& entry) { return entry.first; },
      [&](const auto& entry) { show(entry.second); });
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
