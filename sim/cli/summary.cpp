#include "sim/cli/summary.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <map>
#include <utility>

namespace sim::cli {
namespace {

using run::Attempt;
using run::Result;
using Out = std::back_insert_iterator<std::string>;

// Whole seconds, of little a few digits more: a summary is read, result.json is computed with.
std::string rounded(Duration d) {
  if (d > Duration{} && d < 10s) return fmt::format("{:.2f}s", seconds(d));
  return format_duration(std::chrono::round<std::chrono::seconds>(d));
}

std::string clock_of(const std::optional<Time>& t) {
  return t ? iso_seconds(*t).substr(11, 8) : std::string{"-"};
}

constexpr std::size_t kMostAttempts = 10;  // with more, only the first and the last are shown

void attempt_row(Out out, const Result& r, std::size_t i) {
  const Attempt& a = r.attempts[i];
  fmt::format_to(out, "  {:<2} {:<24}{:<10}{:<10}{:<10}{:<10}{:<13}{:>6}{:>6}{:>10}\n", i + 1,
                 a.instance_type + "/" + a.availability_zone, clock_of(a.launched_at),
                 clock_of(a.first_step_at), clock_of(a.notice_at), clock_of(a.ended_at),
                 a.end_reason, a.steps_kept, a.steps_done - a.steps_kept,
                 fmt::format("${:.4f}", a.cost.dollars()));
}

// "… 298 more: 1 failed, 297 interrupted"
void attempts_between(Out out, const Result& r) {
  std::map<std::string, int> ends;
  for (std::size_t i = 1; i + 1 < r.attempts.size(); ++i) ++ends[r.attempts[i].end_reason];
  fmt::format_to(out, "  … {} more", r.attempts.size() - 2);
  for (const char* mark = ": "; const auto& [reason, count] : ends)
    fmt::format_to(out, "{}{} {}", std::exchange(mark, ", "), count, reason);
  fmt::format_to(out, "\n");
}

void attempts(Out out, const Result& r) {
  fmt::format_to(out, "\nAttempts\n  {:<3}{:<24}{:<10}{:<10}{:<10}{:<10}{:<13}{:>6}{:>6}{:>10}\n",
                 "#", "pool", "launched", "1st step", "notice", "ended", "why", "kept", "lost",
                 "cost");
  const std::size_t count = r.attempts.size();
  if (count == 0) fmt::format_to(out, "  none\n");
  if (count > kMostAttempts) {
    attempt_row(out, r, 0);
    attempts_between(out, r);
    attempt_row(out, r, count - 1);
  } else {
    for (std::size_t i = 0; i < count; ++i) attempt_row(out, r, i);
  }
}

void time_ledger(Out out, const Result& r) {
  const auto& t = r.time;
  const std::array<std::pair<const char*, Duration>, 9> rows{{{"prepare", t.prepare},
                                                              {"boot", t.boot},
                                                              {"migrate", t.migrate},
                                                              {"restore", t.restore},
                                                              {"train, kept", t.train_kept},
                                                              {"train, lost", t.train_lost},
                                                              {"checkpoint", t.checkpoint},
                                                              {"idle on notice", t.notice_idle},
                                                              {"teardown", t.teardown}}};
  fmt::format_to(out, "\nTime, billed\n");
  const double billed = seconds(t.billed);
  for (const auto& [name, d] : rows) {
    fmt::format_to(out, "  {:<16}{:>12}{:>7.1f} %\n", name, rounded(d),
                   billed > 0 ? 100 * seconds(d) / billed : 0.0);
  }
  fmt::format_to(out, "  {:<16}{:>12}\n  {:<16}{:>12}   (no instance, not billed)\n", "all",
                 rounded(t.billed), "waiting", rounded(t.waiting));
}

void money_ledger(Out out, const Result& r) {
  const auto& m = r.money;
  const std::array<std::pair<const char*, run::Usd>, 6> rows{{{"instances", m.instances},
                                                              {"volumes", m.volumes},
                                                              {"snapshots", m.snapshots},
                                                              {"requests", m.requests},
                                                              {"transfer", m.transfer},
                                                              {"total", m.total}}};
  fmt::format_to(out, "\nMoney\n");
  for (const auto& [name, usd] : rows) {
    fmt::format_to(out, "  {:<16}{:>12}\n", name, fmt::format("${:.4f}", usd.dollars()));
  }
  if (r.baseline_cost) {
    fmt::format_to(out, "  {:<16}{:>12}   (on demand, uninterrupted)\n", "baseline",
                   fmt::format("${:.4f}", r.baseline_cost->dollars()));
  }
}

void figures(Out out, const Result& r) {
  fmt::format_to(out, "\nLost progress        {} steps, {}\n", r.lost_steps, rounded(r.lost_time));
  fmt::format_to(out, "Checkpoint overhead  {}\n", rounded(r.checkpoint_overhead));
  fmt::format_to(out, "Restart overhead     {}\n", rounded(r.restart_overhead));
  fmt::format_to(out, "Savings              {}\n",
                 r.savings ? fmt::format("{:.1f} %", 100 * *r.savings) : "unknown (no baseline)");
  if (r.deadline_met) {
    fmt::format_to(out, "Deadline             {}\n", *r.deadline_met ? "met" : "missed");
  }
}

void verdicts(Out out, const Result& r) {
  if (!r.expectations.empty()) fmt::format_to(out, "\nExpected\n");
  for (const run::Verdict& v : r.expectations) {
    fmt::format_to(out, "  {}  {}{}\n", v.holds ? "holds" : "FAILS", v.what,
                   v.holds ? "" : ", found " + v.found);
  }
  for (const run::Verdict& v : r.invariants) {
    if (v.holds) continue;
    fmt::format_to(out, "  {} {}: {}\n", v.excused ? "broken, as expected:" : "BROKEN", v.what,
                   v.found);
  }
}

}  // namespace

std::string summary(const Result& r) {
  std::string text;
  const Out out(text);
  fmt::format_to(out, "\n{}: {} after {} of virtual time, ${:.4f}\n", r.scenario, r.outcome,
                 rounded(r.makespan), r.money.total.dollars());
  attempts(out, r);
  time_ledger(out, r);
  money_ledger(out, r);
  figures(out, r);
  verdicts(out, r);
  return text;
}

}  // namespace sim::cli
