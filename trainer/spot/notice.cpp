#include "trainer/spot/notice.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace spottrain {
namespace {

// A member of an object that is a string; empty when there is none.
std::string member(std::string_view body, const char* name) {
  const auto document = nlohmann::json::parse(body, nullptr, false);
  if (!document.is_object()) return "";
  const auto found = document.find(name);
  return found != document.end() && found->is_string() ? found->get<std::string>() : "";
}

// The digits at `at`, which must all be digits; -1 otherwise.
int number(std::string_view text, std::size_t at, std::size_t digits) {
  int value = 0;
  for (const char c : text.substr(at, digits)) {
    if (c < '0' || c > '9') return -1;
    value = 10 * value + (c - '0');
  }
  return value;
}

}  // namespace

std::optional<std::chrono::sys_seconds> parse_utc(std::string_view text) {
  using namespace std::chrono;
  constexpr std::string_view pattern = "0000-00-00T00:00:00";
  if (text.size() < pattern.size() + 1 || text.back() != 'Z') return {};
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '0' && text[i] != pattern[i]) return {};
  }
  const std::string_view fraction = text.substr(pattern.size(), text.size() - pattern.size() - 1);
  if (!fraction.empty() && (fraction.size() < 2 || fraction[0] != '.' ||
                            number(fraction, 1, std::string_view::npos) < 0)) {
    return {};
  }
  const int hour = number(text, 11, 2), minute = number(text, 14, 2), second = number(text, 17, 2);
  const int date[] = {number(text, 0, 4), number(text, 5, 2), number(text, 8, 2)};
  if (std::min({date[0], date[1], date[2], hour, minute, second}) < 0) return {};
  const year_month_day day{year(date[0]), month(static_cast<unsigned>(date[1])),
                           std::chrono::day(static_cast<unsigned>(date[2]))};
  if (!day.ok() || hour > 23 || minute > 59 || second > 60) return {};
  return sys_days(day) + hours(hour) + minutes(minute) + seconds(second);
}

std::optional<InstanceAction> parse_instance_action(std::string_view body) {
  const std::string action = member(body, "action");
  if (action != "terminate" && action != "stop" && action != "hibernate") return {};
  return InstanceAction{action, parse_utc(member(body, "time"))};
}

bool is_rebalance_recommendation(std::string_view body) {
  return parse_utc(member(body, "noticeTime")).has_value();
}

}  // namespace spottrain
