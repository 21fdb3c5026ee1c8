#include "sim/guest/services/calendar.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <time.h>

#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "sim/kernel/random.h"

namespace sim::guest::services {
namespace {

// Whatever this machine's time zone is.
const bool kUtc = [] {
  setenv("TZ", "UTC", 1);
  tzset();
  return true;
}();

// Tuesday, in seconds since 1970.
constexpr long long kFrom = 1572948000;  // 2019-11-05 10:00:00

std::string next(const std::string& text, long long from = kFrom) {
  const auto calendar = Calendar::parse(text);
  const auto at = calendar ? calendar->next(from) : std::nullopt;
  if (!at) return calendar ? "never" : "wrong";
  tm parts{};
  const time_t seconds = *at;
  gmtime_r(&seconds, &parts);
  char out[64];
  return {out, strftime(out, sizeof out, "%a %F %T", &parts)};
}

// The time zone is read again each time, and no past time is returned.
TEST(Calendar, FollowsTheTimeZoneAndTheEndOfSummerTime) {
  setenv("TZ", "America/New_York", 1);
  EXPECT_EQ(next("*:0/30"), "Tue 2019-11-05 10:30:00");
  EXPECT_EQ(next("daily"), "Wed 2019-11-06 05:00:00");
  constexpr long long kSecondTime = 1572762000;  // 2019-11-03 01:20:00 EST, after 01:59:59 EDT
  const auto at = Calendar::parse("*-*-* 01:30:00")->next(kSecondTime);
  EXPECT_GT(at.value(), kSecondTime);
  setenv("TZ", "UTC", 1);
  tzset();
}

// The expected times are those that systemd-analyze(1) of systemd 252 prints.
TEST(Calendar, FindsTheNextTime) {
  EXPECT_EQ(next("minutely"), "Tue 2019-11-05 10:01:00");
  EXPECT_EQ(next("hourly"), "Tue 2019-11-05 11:00:00");
  EXPECT_EQ(next("daily"), "Wed 2019-11-06 00:00:00");
  EXPECT_EQ(next("weekly"), "Mon 2019-11-11 00:00:00");
  EXPECT_EQ(next("monthly"), "Sun 2019-12-01 00:00:00");
  EXPECT_EQ(next("quarterly"), "Wed 2020-01-01 00:00:00");
  EXPECT_EQ(next("*:0/10"), "Tue 2019-11-05 10:10:00");
  EXPECT_EQ(next("*-*-* *:5/15:30"), "Tue 2019-11-05 10:05:30");
  EXPECT_EQ(next("Mon..Fri 09:30"), "Wed 2019-11-06 09:30:00");
  EXPECT_EQ(next("Sat..Sun 09:30"), "Sat 2019-11-09 09:30:00");
  EXPECT_EQ(next("sat,Sunday *-*-* 12:00:00"), "Sat 2019-11-09 12:00:00");
  EXPECT_EQ(next("2019-11-05 10:00:01 UTC"), "Tue 2019-11-05 10:00:01");
  EXPECT_EQ(next("*-02-29 03:00"), "Sat 2020-02-29 03:00:00");
  EXPECT_EQ(next("10..12:00/30"), "Tue 2019-11-05 10:30:00");
  EXPECT_EQ(next("Mon"), "Mon 2019-11-11 00:00:00");
  EXPECT_EQ(next("05-01"), "Fri 2020-05-01 00:00:00");
}

TEST(Calendar, IsNeverWhereItIsOver) {
  EXPECT_EQ(next("2019-11-05 10:00:00"), "never");
  EXPECT_EQ(next("*-02-30"), "never");
}

TEST(Calendar, RefusesWhatIsNone) {
  for (const char* text : {"", "often", "*:*/5", "25:00", "10:60", "Mon..Frog", "1-2-3-4",
                           "10:", "UTC", "Sat..Mon", "*:50/10", "*-*~01", "10:00 Europe/Berlin"})
    EXPECT_EQ(next(text), "wrong") << text;
}

// ---- the same expressions, read by systemd's own program

// Calendar expressions as people write them, and some that are wrong.
class Expressions {
 public:
  std::string next() {
    std::string out;
    if (one_of(3)) out += weekdays() + " ";
    if (one_of(2)) out += date() + " ";
    if (out.empty() || one_of(2)) out += time();
    while (out.ends_with(' ')) out.pop_back();
    return one_of(4) ? out + " UTC" : out;
  }

 private:
  bool one_of(unsigned n) { return stream_.next() % n == 0; }
  int between(int from, int to) {
    return from + static_cast<int>(stream_.next() % static_cast<unsigned>(to - from + 1));
  }
  std::string weekdays() {
    static constexpr std::array kDays{"Mon", "tue", "Wednesday", "Thu", "fri", "Saturday", "Sun"};
    const auto day = [this] { return std::string(kDays[static_cast<std::size_t>(between(0, 6))]); };
    std::string out = day();
    if (one_of(2)) out += ".." + day();
    if (one_of(3)) out += "," + day();
    return out;
  }
  // "*", "7", "7,9", "3..9", "3/4", "3..9/2"
  std::string part(int least, int most) {
    if (one_of(3)) return "*";
    const int from = between(least, most);
    std::string out = fmt::format("{:02}", from);
    // Not "36..36", which systemd 252 refuses for seconds only.
    if (from < most && one_of(3))
      out += fmt::format("..{:02}", between(one_of(8) && from > least ? least : from + 1, most));
    if (one_of(3)) out += fmt::format("/{}", between(one_of(16) ? 0 : 1, 5));
    if (one_of(4)) out += fmt::format(",{}", between(least, one_of(16) ? most + 1 : most));
    return out;
  }
  std::string date() {
    const std::string day = part(1, 12) + "-" + part(1, 31);
    return one_of(3) ? day : (one_of(4) ? part(2019, 2024) : "*") + "-" + day;
  }
  std::string time() {
    const std::string minutes = part(0, 23) + ":" + part(0, 59);
    return one_of(2) ? minutes : minutes + ":" + part(0, 59);
  }

  Stream stream_ = Streams{1}.stream("calendar");
};

std::string systemd_says(const std::string& text) {
  const std::string command =
      "TZ=UTC LC_ALL=C systemd-analyze calendar --iterations=3 --base-time='2019-11-05 10:00:00 "
      "UTC' '" +
      text + "' 2>&1";
  const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), pclose);
  std::string out;
  for (char line[512]; fgets(line, sizeof line, output.get());) {
    const std::string_view read(line);
    if (read.find("Next elapse: never") != read.npos) return "never\n";
    for (const char* name : {"Next elapse: ", "Iter. #2: ", "Iter. #3: "})
      if (const auto at = read.find(name); at != read.npos)
        out += std::string(read.substr(at + std::string_view(name).size(), 23)) + "\n";
    if (read.find("Failed to parse") != read.npos) return "wrong\n";
  }
  return out;
}

std::string we_say(const std::string& text) {
  std::string out;
  const auto calendar = Calendar::parse(text);
  if (!calendar) return "wrong\n";
  long long at = kFrom;
  for (int i = 0; i < 3; ++i) {
    const auto next_one = calendar->next(at);
    if (!next_one) break;
    out += next(text, at) + "\n";
    at = *next_one;
  }
  return out.empty() ? "never\n" : out;
}

TEST(Calendar, AgreesWithSystemdAnalyze) {
  if (systemd_says("hourly").empty()) GTEST_SKIP() << "systemd-analyze(1) is not installed";
  Expressions expressions;
  for (int i = 0; i < 250; ++i) {
    const std::string text = expressions.next();
    EXPECT_EQ(we_say(text), systemd_says(text)) << text;
  }
}

}  // namespace
}  // namespace sim::guest::services
