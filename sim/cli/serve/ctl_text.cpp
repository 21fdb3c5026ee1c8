#include "sim/cli/serve/ctl_text.h"

#include <fmt/format.h>

#include <optional>

#include "base/json/json_text.h"
#include "sim/cli/terminal/text_columns.h"

namespace sim::cli {
namespace {

// Empty if the member is null.
std::optional<Time> instant_of(const Json& object, const char* key) {
  return parse_time(base::text_of(object, key));
}

std::string in_seconds(const std::optional<Time>& t) { return t ? iso_seconds(*t) : "-"; }

std::string span(Time from, Time to) {
  return format_duration(std::chrono::ceil<std::chrono::seconds>(to - from));
}

Time now_of(const Json& answer) { return parse_time(answer.at("now").get<std::string>()).value(); }

std::string fate_text(const Json& instance, Time now) {
  const auto taken = instant_of(instance, "taken_at"), notice = instant_of(instance, "notice_at");
  if (!taken)
    return fmt::format(
        "a rebalance recommendation now, at {}; EC2 does not interrupt the instance for this alone",
        iso_seconds(now));
  if (*taken <= now)
    return fmt::format("taken now, at {}, {}", iso_seconds(now),
                       notice ? "before its notice had elapsed" : "without a notice");
  return fmt::format("{}; EC2 takes it at {}, {} of virtual time from now",
                     *notice == now ? "its notice appears now, at " + iso_seconds(now)
                                    : "its notice appeared at " + iso_seconds(*notice),
                     iso_seconds(*taken), span(now, *taken));
}

}  // namespace

std::string clock_text(const Json& answer) {
  const Time now = now_of(answer);
  const auto next = instant_of(answer, "next_event");
  if (!next) return fmt::format("{}; no event is scheduled\n", iso_seconds(now));
  return fmt::format("{}; the next event is at {}, in {}\n", iso_seconds(now), iso_seconds(*next),
                     span(now, *next));
}

std::string struck_text(const Json& answer) {
  const Time now = now_of(answer);
  std::string text;
  for (const Json& instance : answer.at("instances"))
    text += fmt::format("{}: {}\n", instance.at("instance").get<std::string>(),
                        fate_text(instance, now));
  return text.empty() ? fmt::format("{}: no instance is interrupted\n", iso_seconds(now)) : text;
}

std::string price_text(const Json& answer) {
  return fmt::format("{}: ${} an hour from now on, until it is set again\n",
                     answer.at("pool").get<std::string>(), answer.at("price").get<std::string>());
}

std::string fault_text(const Json& answer) {
  const auto strikes = answer.at("strikes").get<int>(), found = answer.at("found").get<int>();
  const char* const so_far = strikes == 0 ? "it waits for its instant"
                             : found == 0 ? "it found nothing to strike"
                                          : "it has struck";
  return fmt::format("fault {}: {}: {}, now {}\n", answer.at("id").get<int>(),
                     answer.at("fault").get<std::string>(), so_far, iso_seconds(now_of(answer)));
}

std::string faults_text(const Json& answer) {
  const Json& all = answer.at("faults");
  if (all.empty()) return "no faults\n";
  std::vector<std::vector<std::string>> rows{{"id", "state", "strikes", "found", "fault"}};
  for (const Json& one : all)
    rows.push_back({std::to_string(one.at("id").get<int>()), one.at("state").get<std::string>(),
                    std::to_string(one.at("strikes").get<int>()),
                    std::to_string(one.at("found").get<int>()),
                    one.at("fault").get<std::string>()});
  return fmt::format("{}\n", fmt::join(aligned(rows, {{}, {}, {}, {}, {}}), "\n"));
}

std::string removed_text(const Json& answer) {
  std::string text;
  for (const Json& one : answer.at("removed"))
    text += fmt::format("fault {} is removed: {}\n", one.at("id").get<int>(),
                        one.at("fault").get<std::string>());
  return text.empty() ? "no faults\n" : text;
}

std::string on_demand_text(const Json& answer) {
  const Json& slots = answer.at("slots");
  return fmt::format("{}: {} on demand from now on\n", answer.at("pool").get<std::string>(),
                     slots.is_null() ? "any number of instances"
                                     : fmt::format("at most {} instances", slots.get<int>()));
}

std::string quotas_text(const Json& answer) {
  std::string text;
  for (const auto& [name, words] : {std::pair{"spot_vcpus", "vCPUs of spot instances"},
                                    std::pair{"spot_requests", "spot requests"},
                                    std::pair{"on_demand_vcpus", "vCPUs of on-demand instances"}}) {
    const Json& quota = answer.at(name);
    text += fmt::format("{}: {}\n", words,
                        quota.is_null() ? "no limit" : std::to_string(quota.get<int>()));
  }
  return text;
}

std::string reset_text(const Json& answer) {
  return fmt::format("{}: the service was reset\n", iso_seconds(now_of(answer)));
}

std::string instances_text(const Json& answer) {
  const Json& all = answer.at("instances");
  if (all.empty()) return "no instances\n";
  std::vector<std::vector<std::string>> rows{
      {"instance", "state", "pool", "kind", "launched", "notice", "metadata address"}};
  for (const Json& i : all)
    rows.push_back(
        {i.at("instance").get<std::string>(), i.at("state").get<std::string>(),
         i.at("pool").get<std::string>(), i.at("spot").get<bool>() ? "spot" : "on-demand",
         in_seconds(instant_of(i, "launched_at")), in_seconds(instant_of(i, "notice_at")),
         i.at("metadata_address").get<std::string>()});
  return fmt::format("{}\n",
                     fmt::join(aligned(rows, {{19}, {13}, {24}, {9}, {20}, {20}, {}}), "\n"));
}

std::string result_text(const Json& answer) {
  std::string text = fmt::format("{}: ${:.4f} so far\n", iso_seconds(now_of(answer)),
                                 answer.at("cost_so_far_usd").get<double>());
  const Json& attempts = answer.at("result").at("attempts");
  if (attempts.empty()) return text + "no instance was launched\n";
  std::vector<std::vector<std::string>> rows{
      {"instance", "pool", "kind", "launched", "ended", "why", "cost"}};
  for (const Json& a : attempts) {
    const auto ended = instant_of(a, "ended_at");
    rows.push_back({a.at("instance_id").get<std::string>(),
                    a.at("instance_type").get<std::string>() + "/" +
                        a.at("availability_zone").get<std::string>(),
                    a.at("lifecycle").get<std::string>(), in_seconds(instant_of(a, "launched_at")),
                    in_seconds(ended), a.at("end_reason").get<std::string>(),
                    ended ? fmt::format("${:.4f}", a.at("cost_usd").get<double>()) : "-"});
  }
  const auto lines = aligned(rows, {{19}, {24}, {9}, {20}, {20}, {11}, {}});
  return text + fmt::format("{}\n", fmt::join(lines, "\n")) +
         "--json prints the complete result (docs/result.md)\n";
}

}  // namespace sim::cli
