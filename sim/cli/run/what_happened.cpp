#include "sim/cli/run/what_happened.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <deque>
#include <fstream>
#include <utility>
#include <vector>

namespace sim::cli {
namespace {

namespace fs = std::filesystem;
using result::Result;

constexpr std::size_t kLastLines = 5, kLongestLine = 200;
constexpr int kBySignal = 128;  // a shell's status of a program that a signal ended: 128 + signal

// True for words that programs use in errors.
bool sounds_like_an_error(std::string line) {
  static constexpr std::array<std::string_view, 13> kWords{
      "error",   "no such", "not found", "cannot",  "can't",   "failed",   "denied",
      "refused", "unable",  "fatal",     "invalid", "unknown", "exception"};
  for (char& c : line)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return std::ranges::any_of(kWords,
                             [&](std::string_view word) { return line.find(word) != line.npos; });
}

// True for cloud-init's own lines, which say less than those of failed scripts.
bool is_cloud_inits(const std::string& line) {
  return line.starts_with("Cloud-init v. ") ||
         line.find("[WARNING]: Running module scripts-") != line.npos ||
         line.find("[WARNING]: Failed to run module scripts-") != line.npos;
}

// True for lines whose logger states a harmless level: "INFO Exceptions are not imported".
bool is_harmless(const std::string& line) {
  static constexpr std::array<std::string_view, 4> kLevels{"INFO", "DEBUG", "WARNING", "WARN"};
  const auto is_letter = [&](std::size_t i) {
    return i < line.size() && std::isalpha(static_cast<unsigned char>(line[i])) != 0;
  };
  return std::ranges::any_of(kLevels, [&](std::string_view level) {
    const std::size_t at = line.find(level);
    return at != line.npos && !is_letter(at - 1) && !is_letter(at + level.size());
  });
}

// The last line of a machine's console that looks like an error. In a Python traceback it is the
// first line after the indented ones. Empty if no line looks like an error.
std::string last_error(const fs::path& console) {
  constexpr std::string_view kTraceback = "Traceback (most recent call last)";
  std::ifstream in(console);
  std::string last;
  bool in_traceback = false;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == ' ' || is_cloud_inits(line)) continue;
    const bool begins = line.find(kTraceback) != line.npos;
    const bool ends = std::exchange(in_traceback, begins) && !begins;
    if (ends || (!begins && sounds_like_an_error(line) && !is_harmless(line)))
      last = line.substr(0, kLongestLine);
  }
  return last;
}

std::string how_it_ended(const Result& r, const fs::path& output) {
  const std::string after =
      "after " + format_duration(std::chrono::round<std::chrono::seconds>(r.makespan));
  if (r.cause) {
    // No error is searched for if a signal ended the script, or if the cause is not the end of a
    // script.
    const int status = r.cause->status.value_or(0);
    const bool by_itself = status > 0 && status <= kBySignal;
    const std::string error =
        by_itself ? last_error(output / result::console_of(r.cause->machine)) : "";
    return fmt::format("failed {}: {} at {}: {}{}", after, r.cause->machine,
                       iso_seconds(r.cause->at).substr(11, 8), r.cause->why,
                       error.empty() ? "" : ": " + error);
  }
  const std::string left = fmt::format("{} instances and {} fleets remained",
                                       r.at_end.running_instances, r.at_end.active_fleets);
  if (r.outcome == "deadline") return fmt::format("the limit was reached {}: {}", after, left);
  if (r.outcome == "unproven")
    return fmt::format(
        "unproven {}: every script succeeded, but no trainer reported a step. Report progress "
        "(docs/event-log.md, docs/foreign-jobs.md); with `evidence: scripts` the scripts' success "
        "suffices",
        after);
  if (r.outcome == "stuck")
    return fmt::format("stuck {}: no further event can happen; {}", after, left);
  const auto fails = [](const result::Verdict& v) { return v.fails(); };
  return fmt::format("{} {}, but not as expected: failed expectations: {}, broken invariants: {}",
                     r.outcome, after, std::ranges::count_if(r.expectations, fails),
                     std::ranges::count_if(r.invariants, fails));
}

std::string how_far_it_came(const Result& r) {
  if (r.attempts.empty()) return "no instance was launched to train";
  const auto ended = [&](const char* reason) {
    return std::ranges::count_if(r.attempts,
                                 [&](const result::Attempt& a) { return a.end_reason == reason; });
  };
  const std::string attempts =
      fmt::format("attempts: {}, of which {} were interrupted and {} finished", r.attempts.size(),
                  ended("interrupted"), ended("finished"));
  std::int64_t kept = 0;
  for (const result::Attempt& a : r.attempts) kept += a.steps_kept;
  if (kept + r.lost_steps == 0) return attempts + "; no trainer reported a step";
  return fmt::format("{}; steps: {} kept of {}, {} lost", attempts, kept,
                     r.steps_total > 0 ? std::to_string(r.steps_total) : "an unknown number",
                     r.lost_steps);
}

// The last lines. Lines of cloud-init are omitted unless there are no other lines.
std::vector<std::string> last_lines(const fs::path& console) {
  std::ifstream in(console);
  std::deque<std::string> own, others;
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    std::deque<std::string>& last = is_cloud_inits(line) ? own : others;
    last.push_back(line.substr(0, kLongestLine));
    if (last.size() > kLastLines) last.pop_front();
  }
  const std::deque<std::string>& shown = others.empty() ? own : others;
  return {shown.begin(), shown.end()};
}

// The failed machine, else the operator if no instance was launched to train, else an instance that
// still runs. Empty if there is none of these.
std::string machine_in_question(const Result& r) {
  if (r.cause) return r.cause->machine;
  if (r.attempts.empty() && r.outcome != "completed") return "operator";
  if (r.outcome == "unproven") return r.attempts.back().instance_id;
  const auto running = std::ranges::find(r.attempts, "running", &result::Attempt::end_reason);
  return running == r.attempts.end() ? "" : running->instance_id;
}

// Names the place to continue reading, and the command for it.
std::string where_to_look(const Result& r, const fs::path& output) {
  const std::string events = (output / "events.jsonl").string();
  const std::string machine = machine_in_question(r);
  if (machine.empty())
    return fmt::format("the last events are at the end of {0}\nNext: tail -n 20 {0}", events);
  const std::string console = (output / result::console_of(machine)).string();
  const auto last = last_lines(console);
  if (last.empty()) return fmt::format("{} is empty\nNext: grep {} {}", console, machine, events);
  return fmt::format("{0} ends:\n    | {1}\nNext: less {0}", console, fmt::join(last, "\n    | "));
}

}  // namespace

std::string what_happened(const Result& r, const fs::path& output, const Styler& styled) {
  return fmt::format("{}\n  {}\n  {}\n  {}\n", styled(Style::kHeading, "What happened"),
                     styled(Style::kError, how_it_ended(r, output)), how_far_it_came(r),
                     where_to_look(r, output));
}

}  // namespace sim::cli
