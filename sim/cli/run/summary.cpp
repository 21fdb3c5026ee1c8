#include "sim/cli/run/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "sim/cli/terminal/text_columns.h"

namespace sim::cli {
namespace {

using result::Attempt;
using result::Result;
using Out = std::back_insert_iterator<std::string>;

constexpr std::size_t kAttemptsAtEachEnd = 10;  // shown at each end of a long list

// Rounds to whole seconds; short durations keep more digits. People read a summary, and programs
// read result.json.
std::string rounded(Duration d) {
  if (d > Duration{} && d < 10s) return fmt::format("{:.2f}s", seconds(d));
  return format_duration(std::chrono::round<std::chrono::seconds>(d));
}

// The number of steps, or a dash if no script reports any.
std::string steps_text(const Result& r, std::int64_t steps) {
  return result::reports_progress(r) ? std::to_string(steps) : "-";
}

std::string clock_of(const std::optional<Time>& t) {
  return t ? iso_seconds(*t).substr(11, 8) : std::string{"-"};
}

void missing_actions(Out out, const Result& r, const Styler& styled,
                     const std::filesystem::path& folder) {
  if (r.missing_actions.empty()) return;
  fmt::format_to(out, "\n{}: {}\n", styled(Style::kWarning, "Missing AWS actions"),
                 result::kOfMissingActions);
  for (const result::MissingAction& one : r.missing_actions)
    fmt::format_to(out, "  {}\n", result::in_words(one, folder));
}

void attempts(Out out, const Result& r, const Styler& styled) {
  constexpr auto kRight = Column::Side::kRight;
  static const std::vector<Column> kColumns{{1}, {22}, {8},         {8},         {8},
                                            {8}, {11}, {6, kRight}, {4, kRight}, {8, kRight}};
  const std::size_t all = r.attempts.size();
  const bool many = all > 2 * kAttemptsAtEachEnd;
  std::vector<std::vector<std::string>> rows{
      {"#", "pool", "launched", "1st step", "notice", "ended", "why", "kept", "lost", "cost"}};
  for (std::size_t i = 0; i < all; ++i) {
    if (many && i == kAttemptsAtEachEnd) i = all - kAttemptsAtEachEnd;
    const Attempt& a = r.attempts[i];
    rows.push_back({std::to_string(a.number), a.instance_type + "/" + a.availability_zone,
                    clock_of(a.launched_at), clock_of(a.first_step_at), clock_of(a.notice_at),
                    clock_of(a.ended_at), a.end_reason, steps_text(r, a.steps_kept),
                    steps_text(r, a.steps_done - a.steps_kept),
                    fmt::format("${:.4f}", a.cost.dollars())});
  }
  const auto lines = aligned(rows, kColumns);
  fmt::format_to(out, "\n{}\n{}\n", styled(Style::kHeading, "Attempts"),
                 styled(Style::kHeading, "  " + lines.front()));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (many && i == kAttemptsAtEachEnd + 1)
      fmt::format_to(
          out, "{}\n",
          styled(Style::kDim, fmt::format("  …  {} more", all - 2 * kAttemptsAtEachEnd)));
    fmt::format_to(out, "  {}\n", lines[i]);
  }
  if (r.attempts.empty()) fmt::format_to(out, "  none\n");
}

// SageMaker's training jobs, with the values of DescribeTrainingJob and the SDK.
void training_jobs(Out out, const Result& r, const Styler& styled) {
  if (r.training_jobs.empty()) return;
  constexpr auto kRight = Column::Side::kRight;
  std::vector<std::vector<std::string>> rows{
      {"job", "status", "hosts", "taken", "trained", "billable", "savings"}};
  for (const result::TrainingJobEnd& job : r.training_jobs)
    rows.push_back({job.name, job.secondary_status, std::to_string(job.hosts),
                    std::to_string(job.interruptions), rounded(from_seconds(job.training_seconds)),
                    rounded(from_seconds(job.billable_seconds)),
                    job.savings() ? fmt::format("{:.1f} %", 100 * *job.savings()) : "-"});
  const auto lines =
      aligned(rows, {{}, {}, {5, kRight}, {5, kRight}, {8, kRight}, {8, kRight}, {7, kRight}});
  fmt::format_to(out, "\n{}\n{}\n", styled(Style::kHeading, "Training jobs"),
                 styled(Style::kHeading, "  " + lines.front()));
  for (std::size_t i = 0; i < r.training_jobs.size(); ++i) {
    fmt::format_to(out, "  {}\n", lines[i + 1]);
    if (const auto& why = r.training_jobs[i].failure_reason; !why.empty())
      fmt::format_to(out, "    {}\n", styled(Style::kError, why));
  }
}

// Stacks of CloudFormation: existing ones, failed ones, and the resource types they skipped.
void stacks(Out out, const Result& r, const Styler& styled) {
  if (r.stacks.empty()) return;
  fmt::format_to(out, "\n{}\n", styled(Style::kHeading, "Stacks"));
  for (const result::StackEnd& stack : r.stacks) {
    fmt::format_to(out, "  {}  {}\n", stack.name, stack.status);
    if (!stack.reason.empty() && stack.reason != "User Initiated")
      fmt::format_to(out, "    {}\n", styled(Style::kError, stack.reason));
    if (!stack.skipped.empty())
      fmt::format_to(out, "    skipped: {}\n", fmt::join(stack.skipped, ", "));
  }
}

// The permissions that refused calls lacked.
void missing_permissions(Out out, const Result& r, const Styler& styled) {
  if (r.missing_permissions.empty()) return;
  fmt::format_to(out, "\n{}\n", styled(Style::kHeading, "Missing permissions"));
  for (const result::MissingPermission& one : r.missing_permissions)
    fmt::format_to(out, "  {}  {}\n", styled(Style::kError, one.action), result::in_words(one));
}

void time_ledger(Out out, const Result& r, const Styler& styled) {
  const auto& t = r.time;
  const std::array<std::pair<const char*, Duration>, 10> rows{{{"prepare", t.prepare},
                                                               {"boot", t.boot},
                                                               {"migrate", t.migrate},
                                                               {"restore", t.restore},
                                                               {"train, kept", t.train_kept},
                                                               {"train, lost", t.train_lost},
                                                               {"checkpoint", t.checkpoint},
                                                               {"idle on notice", t.notice_idle},
                                                               {"idle", t.idle},
                                                               {"teardown", t.teardown}}};
  fmt::format_to(out, "\n{}\n", styled(Style::kHeading, "Time, billed"));
  const double billed = seconds(t.billed);
  const bool untold = !result::reports_progress(r);
  for (const auto& [name, d] : rows) {
    // Shows idle time only if there is some: it occurs only in jobs that went wrong.
    if (name == std::string_view("idle") && d == Duration{}) continue;
    const bool unknown = name == std::string_view("migrate") && untold && d > Duration{};
    fmt::format_to(out, "  {:<16}{:>12}{:>7.1f} %{}\n", name, rounded(d),
                   billed > 0 ? 100 * seconds(d) / billed : 0.0,
                   unknown ? "   (the whole script, which reports no progress)" : "");
  }
  fmt::format_to(out, "  {:<16}{:>12}\n  {:<16}{:>12}   (no instance, not billed)\n", "all",
                 rounded(t.billed), "waiting", rounded(t.waiting));
}

void money_ledger(Out out, const Result& r, const Styler& styled) {
  const auto& m = r.money;
  const std::array<std::pair<const char*, market::Usd>, 8> rows{{{"instances", m.instances},
                                                                 {"volumes", m.volumes},
                                                                 {"snapshots", m.snapshots},
                                                                 {"objects", m.objects},
                                                                 {"logs", m.logs},
                                                                 {"requests", m.requests},
                                                                 {"transfer", m.transfer},
                                                                 {"total", m.total}}};
  fmt::format_to(out, "\n{}\n", styled(Style::kHeading, "Money"));
  for (const auto& [name, usd] : rows) {
    fmt::format_to(out, "  {:<16}{:>12}\n", name, fmt::format("${:.4f}", usd.dollars()));
  }
  if (r.baseline_cost) {
    fmt::format_to(out, "  {:<16}{:>12}   (on demand, uninterrupted)\n", "baseline",
                   fmt::format("${:.4f}", r.baseline_cost->dollars()));
  }
}

std::string savings(const Result& r) {
  if (!r.savings) return "unknown: " + r.savings_unknown;
  return fmt::format("{:.1f} %{}", 100 * *r.savings,
                     r.outcome == "completed" ? "" : "   (the job is not done)");
}

std::string lost_progress(const Result& r) {
  if (result::reports_progress(r) || r.attempts.empty())
    return fmt::format("{} steps, {}", r.lost_steps, rounded(r.lost_time));
  return "unknown: the script reports no progress; it can append the lines start, step and\n       "
         "              finished to $JOB_EVENTS (docs/event-log.md, Progress lines)";
}

std::string trained_state(const Result& r) {
  const result::Evidence& e = r.evidence;
  if (e.kept != true) return (e.kept ? "not kept: " : "unknown: ") + e.why;
  const bool told = e.path.empty() || std::ranges::count(e.on, e.path) > 0;
  const std::string path = told ? "" : fmt::format(", {}", e.path);
  return fmt::format("step {} on {}{}", e.step.value_or(0), fmt::join(e.on, ", "), path);
}

void figures(Out out, const Result& r, const Styler& styled) {
  fmt::format_to(out, "\nTrained state        {}\n", trained_state(r));
  fmt::format_to(out, "Lost progress        {}\n", lost_progress(r));
  fmt::format_to(out, "Checkpoint overhead  {}\n", rounded(r.checkpoint_overhead));
  fmt::format_to(out, "Restart overhead     {}\n", rounded(r.restart_overhead));
  fmt::format_to(out, "Savings              {}\n", savings(r));
  if (r.deadline_met) {
    fmt::format_to(out, "Deadline             {}\n",
                   *r.deadline_met ? "met" : styled(Style::kError, "missed"));
  }
}

// Entries of the plan without effect, which are probably mistakes.
void idle_plan(Out out, const Result& r, const Styler& styled) {
  constexpr std::size_t kMost = 10;
  std::vector<const result::PlannedStrike*> idle;
  for (const result::PlannedStrike& entry : r.plan)
    if (entry.part && !entry.remark.empty()) idle.push_back(&entry);
  if (idle.empty()) return;
  fmt::format_to(out, "\n{}\n", styled(Style::kHeading, "Planned, but without effect"));
  for (std::size_t i = 0; i < std::min(idle.size(), kMost); ++i)
    fmt::format_to(out, "  {} {}: {}\n", idle[i]->entry, idle[i]->plan,
                   styled(Style::kWarning, idle[i]->remark));
  if (idle.size() > kMost)
    fmt::format_to(out, "{}",
                   styled(Style::kDim, fmt::format("  …  {} more\n", idle.size() - kMost)));
}

std::string excused_by(const result::Verdict& v) {
  return v.excused() ? fmt::format(" (excused by {})", fmt::join(v.excused_by, ", ")) : "";
}

void verdicts(Out out, const Result& r, const Styler& styled) {
  if (!r.expectations.empty()) fmt::format_to(out, "\n{}\n", styled(Style::kHeading, "Expected"));
  for (const result::Verdict& v : r.expectations) {
    fmt::format_to(out, "  {}  {}{}\n",
                   v.holds ? styled(Style::kGood, "holds") : styled(Style::kError, "FAILS"), v.what,
                   v.holds ? "" : ", found " + v.found);
  }
  for (const result::Verdict& v : r.invariants) {
    if (v.holds) continue;
    fmt::format_to(out, "  {} {}: {}{}\n",
                   v.excused() ? styled(Style::kWarning, "broken, as expected:")
                               : styled(Style::kError, "BROKEN"),
                   v.what, v.found, excused_by(v));
  }
}

}  // namespace

std::string summary(const Result& r, const Styler& styled, const std::filesystem::path& folder) {
  std::string text;
  const Out out(text);
  missing_actions(out, r, styled, folder);
  fmt::format_to(out, "\n{}: {} after {} of virtual time, ${:.4f}\n", r.scenario,
                 styled(r.outcome == "completed" ? Style::kGood : Style::kError, r.outcome),
                 rounded(r.makespan), r.money.total.dollars());
  if (r.outcome == "unproven")
    fmt::format_to(out, "every script succeeded, but nothing proves that the job trained\n");
  if (r.cause)
    fmt::format_to(out, "{} at {}: {} ({})\n", r.cause->machine, clock_of(r.cause->at),
                   r.cause->why, result::console_of(r.cause->machine));
  attempts(out, r, styled);
  training_jobs(out, r, styled);
  stacks(out, r, styled);
  missing_permissions(out, r, styled);
  time_ledger(out, r, styled);
  money_ledger(out, r, styled);
  figures(out, r, styled);
  idle_plan(out, r, styled);
  verdicts(out, r, styled);
  return text;
}

namespace {

std::ifstream open(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return in;
}

}  // namespace

std::optional<std::string> first_difference(const std::filesystem::path& expected,
                                            const std::filesystem::path& found) {
  std::ifstream a = open(expected), b = open(found);
  for (int line = 1;; ++line) {
    std::string left = "(the log ends)", right = left;
    const bool more_left = static_cast<bool>(std::getline(a, left));
    const bool more_right = static_cast<bool>(std::getline(b, right));
    if (!more_left) left = "(the log ends)";
    if (!more_right) right = "(the log ends)";
    if (!more_left && !more_right) return std::nullopt;
    if (more_left != more_right || left != right) {
      return fmt::format("line {} differs\n  expected {}\n  found    {}", line, left, right);
    }
  }
}

}  // namespace sim::cli
