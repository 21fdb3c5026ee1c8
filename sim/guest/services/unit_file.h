// systemd's unit files, as far as services need them (systemd.unit(5), systemd.service(5),
// systemd.exec(5)).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/guest/services/calendar.h"
#include "sim/kernel/time.h"

namespace sim::guest::services {

using Environment = std::map<std::string, std::string>;

struct CommandLine {
  std::vector<std::string> words;  // with $NAME and ${NAME} as they were written
  bool may_fail = false;           // "-/bin/false"
};

// When a timer elapses.
struct TimerRule {
  enum Base { kActive, kBoot, kUnitActive, kUnitInactive, kCalendar } base;
  Duration after{};                  // the moment that the base names
  std::optional<Calendar> calendar;  // kCalendar
};

struct UnitFile {
  // [Unit]
  std::string description;
  std::vector<std::string> needs;  // Requires, Wants, BindsTo, Requisite
  std::vector<std::string> after;
  Duration start_limit_interval = std::chrono::seconds(10);
  int start_limit_burst = 5;
  // [Service]
  std::string type = "simple";
  std::vector<CommandLine> start_pre, start, start_post, stop, stop_post, reload;
  std::string user, group, folder, pid_file, identifier;
  Environment environment;
  std::vector<std::string> environment_files;  // "-/file" may be absent
  std::string output = "journal", errors = "inherit";
  std::string restart = "no", kill_mode = "control-group";
  int kill_signal = 15;
  Duration restart_after = std::chrono::milliseconds(100);
  Duration stop_timeout = std::chrono::seconds(90);
  bool remain_after_exit = false;
  std::vector<int> clean_statuses;  // SuccessExitStatus
  // [Timer]
  std::vector<TimerRule> timer_rules;
  std::string timer_unit;  // empty: the service of the timer's name
  // [Install]
  std::vector<std::string> wanted_by, aliases;

  std::vector<std::string> warnings;  // settings that have no effect here
};

// Reads the text of NAME.service. Never fails: as with systemd, errors become warnings.
UnitFile read_unit(std::string_view text, const std::string& name);

// "5min 20s", "500ms", "90" (seconds), "infinity" (a year); empty when it is none.
bool read_time_span(std::string_view text, Duration& out);

// Words of a command or an assignment: quotes and backslashes as systemd.syntax(7) has them.
std::vector<std::string> split_words(std::string_view text);

// ${NAME} within a word is its value, $NAME as a word of its own the words of its value, $$ is $.
std::vector<std::string> expanded(const CommandLine& command, const Environment& environment);

// An EnvironmentFile's lines.
Environment read_environment_file(std::string_view text);

}  // namespace sim::guest::services
