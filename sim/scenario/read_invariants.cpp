#include <fmt/format.h>

#include <algorithm>

#include "base/text/nearest.h"
#include "sim/events/read.h"
#include "sim/result/invariants/list.h"
#include "sim/scenario/blocks.h"

namespace sim::scenario {
namespace {

constexpr const char* kEventPattern =
    "an event and fields such as {event: api.call, action: DeleteVolume}";

result::EventPattern read_event_pattern(const Value& block) {
  result::EventPattern pattern;
  if (!block.is_map()) {
    block.fail(kEventPattern);
    return pattern;
  }
  Fields fields(block);
  if (const auto v = fields.require("event", "an event such as api.call")) {
    pattern.event = v->text("an event such as api.call").value_or("");
    if (!pattern.event.empty()) check_event_kind(*v, pattern.event);
  }
  for (const Value& field : fields.take_all())
    if (const std::string& name = field.member_name(); name != "event")
      pattern.fields.emplace_back(name, field.text("the value of a field").value_or(""));
  fields.finish();
  return pattern;
}

void read_comes(const Value& comes, Fields& fields, result::OwnInvariant& own) {
  own.comes = read_event_pattern(comes);
  if (const auto v = fields.require("within", "a duration such as 30s"))
    own.within = v->duration("a duration such as 30s").value_or(Duration{});
  const auto same = fields.take("same");
  if (!same) return;
  if (!same->is_list()) {
    own.same.push_back(same->text("a field that both lines have").value_or(""));
    return;
  }
  for (const Value& v : same->list("a list of fields that both lines have"))
    own.same.push_back(v.text("a field that both lines have").value_or(""));
}

// Reads one of the three forms, chosen by its first key.
void read_form(const Value& block, Fields& fields, result::OwnInvariant& own) {
  const auto never = fields.take("never"), at_most = fields.take("at_most"),
             after = fields.take("after");
  if ((never ? 1 : 0) + (at_most ? 1 : 0) + (after ? 1 : 0) != 1)
    return block.reject("found " + std::string(never || at_most || after ? "several" : "none") +
                        " of never, at_most and after, expected one");
  if (never) own.of = read_event_pattern(*never);
  if (at_most) {
    own.at_most = at_most->integer(0, INT64_MAX).value_or(0);
    if (const auto v = fields.require("of", kEventPattern)) own.of = read_event_pattern(*v);
  }
  if (after) {
    own.of = read_event_pattern(*after);
    if (const auto v = fields.require("comes", kEventPattern)) read_comes(*v, fields, own);
  }
}

std::set<std::string> ids(const result::InvariantRules& rules) {
  const result::History none;
  const result::RunSoFar nothing(none);
  std::set<std::string> ids;
  for (const auto& invariant : result::all_invariants(rules, nothing))
    ids.insert(invariant->verdict().id);
  return ids;
}

void read_own(const Value& list, result::InvariantRules& rules) {
  for (const Value& entry : list.list("a list such as [{name: …, never: {event: …}}]")) {
    Fields fields(entry);
    result::OwnInvariant own;
    if (const auto v = fields.require("name", "a name such as no-volume-is-deleted")) {
      own.name = v->name().value_or("");
      if (ids(rules).contains(own.name))
        v->reject(
            fmt::format("found {}, which another invariant has, expected another name", own.name));
    }
    read_form(entry, fields, own);
    fields.finish();
    rules.own.push_back(std::move(own));
  }
}

}  // namespace

void check_event_kind(const Value& value, const std::string& kind) {
  if (events::is_event_kind(kind)) return;
  const std::set<std::string> all(events::kNames.begin(), events::kNames.end());
  const auto meant = base::nearest(kind, all);
  value.reject(fmt::format("found {}, which is not an event of the log, expected one such as {}",
                           kind, meant.value_or("api.call")));
}

void check_invariant(const Value& value, const std::string& id,
                     const result::InvariantRules& rules) {
  const std::set<std::string> all = ids(rules);
  if (all.contains(id)) return;
  value.reject(
      fmt::format("found {}, expected an invariant such as {} (docs/result.md, The "
                  "invariants)",
                  id, base::nearest(id, all).value_or("progress-kept")));
}

result::InvariantRules read_invariants(const Value& block) {
  constexpr std::int64_t kMostCalls = 1'000'000;
  result::InvariantRules rules;
  if (block.is_list()) {
    read_own(block, rules);
    return rules;
  }
  Fields fields(block);
  if (const auto v = fields.take("notice_reaction")) rules.notice_reaction = v->duration();
  if (const auto v = fields.take("retries_in_a_second"))
    rules.retries_in_a_second = static_cast<int>(v->integer(1, kMostCalls).value_or(1));
  if (const auto v = fields.take("retries_in_a_row"))
    rules.retries_in_a_row = static_cast<int>(v->integer(1, kMostCalls).value_or(1));
  if (const auto v = fields.take("own")) read_own(*v, rules);
  fields.finish();
  return rules;
}

}  // namespace sim::scenario
