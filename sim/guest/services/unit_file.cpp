#include "sim/guest/services/unit_file.h"

#include <signal.h>
#include <string.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <optional>
#include <set>
#include <utility>

namespace sim::guest::services {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// Replaces "%n" and similar specifiers that name the unit; others stay as they are.
std::string with_names(std::string_view text, const std::string& name) {
  const std::string prefix = name.substr(0, name.rfind('.'));
  const auto at = prefix.find('@');
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    switch (text[++i]) {
      case 'n':
        out += name;
        break;
      case 'N':
        out += prefix;
        break;
      case 'p':
        out += prefix.substr(0, at);
        break;
      case 'i':
      case 'I':
        out += at == prefix.npos ? "" : prefix.substr(at + 1);
        break;
      case '%':
        out += '%';
        break;
      default:
        (out += '%') += text[i];
    }
  }
  return out;
}

bool read_bool(std::string_view text) {
  return text == "yes" || text == "true" || text == "on" || text == "1";
}

std::optional<int> signal_number(std::string_view name) {
  if (name.starts_with("SIG")) name.remove_prefix(3);
  for (int number = 1; number < 32; ++number)
    if (const char* known = sigabbrev_np(number); known && name == known) return number;
  const int number = std::atoi(std::string(name).c_str());
  return number > 0 ? std::optional(number) : std::nullopt;
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : name_(name) {
    std::string logical;
    std::size_t begin = 0;
    while (begin < text.size()) {
      const auto end = std::min(text.find('\n', begin), text.size());
      const std::string_view line = trimmed(text.substr(begin, end - begin));
      begin = end + 1;
      if (line.starts_with('#') || line.starts_with(';')) continue;  // also in a continued line
      if (line.ends_with('\\')) {
        (logical += line.substr(0, line.size() - 1)) += ' ';
        continue;
      }
      take(trimmed(logical += line));
      logical.clear();
    }
    take(trimmed(logical));
    finish();
  }

  UnitFile take_file() { return std::move(out_); }

 private:
  using Set = std::function<void(UnitFile&, const std::string& value)>;

  static Set text(std::string UnitFile::*member) {
    return [member](UnitFile& unit, const std::string& value) { unit.*member = value; };
  }
  // An empty value forgets what came before.
  static Set names(std::vector<std::string> UnitFile::*member) {
    return [member](UnitFile& unit, const std::string& value) {
      if (value.empty()) (unit.*member).clear();
      for (auto& word : split_words(value)) (unit.*member).push_back(std::move(word));
    };
  }
  static Set span(Duration UnitFile::*member, const char* key) {
    return [member, key](UnitFile& unit, const std::string& value) {
      if (!read_time_span(value, unit.*member))
        unit.warnings.push_back(std::string("Failed to parse ") + key + "=: " + value);
    };
  }
  static Set commands(std::vector<CommandLine> UnitFile::*member) {
    return [member](UnitFile& unit, const std::string& value) {
      if (value.empty()) return (unit.*member).clear();
      CommandLine command{.words = split_words(value)};
      if (command.words.empty()) return;
      std::string& program = command.words[0];
      while (!program.empty() && std::string_view("-@:+!").find(program[0]) != std::string::npos) {
        command.may_fail = command.may_fail || program[0] == '-';
        program.erase(0, 1);
      }
      if (!program.empty()) (unit.*member).push_back(std::move(command));
    };
  }

  static Set timer(TimerRule::Base base, const char* key) {
    return [base, key](UnitFile& unit, const std::string& value) {
      if (value.empty()) return unit.timer_rules.clear();
      TimerRule rule{.base = base};
      if (base == TimerRule::kCalendar) rule.calendar = Calendar::parse(value);
      if (rule.calendar || (base != TimerRule::kCalendar && read_time_span(value, rule.after)))
        unit.timer_rules.push_back(std::move(rule));
      else
        unit.warnings.push_back(std::string("Failed to parse ") + key + "=: " + value);
    };
  }

  static const std::map<std::string, Set>& table() {
    static const std::map<std::string, Set> keys{
        {"Unit.Description", text(&UnitFile::description)},
        {"Unit.Requires", names(&UnitFile::needs)},
        {"Unit.Wants", names(&UnitFile::needs)},
        {"Unit.BindsTo", names(&UnitFile::needs)},
        {"Unit.Requisite", names(&UnitFile::needs)},
        {"Unit.After", names(&UnitFile::after)},
        {"Unit.StartLimitIntervalSec",
         span(&UnitFile::start_limit_interval, "StartLimitIntervalSec")},
        {"Unit.StartLimitBurst",
         [](auto& unit, const auto& value) { unit.start_limit_burst = std::atoi(value.c_str()); }},
        {"Service.Type", text(&UnitFile::type)},
        {"Service.ExecStartPre", commands(&UnitFile::start_pre)},
        {"Service.ExecStart", commands(&UnitFile::start)},
        {"Service.ExecStartPost", commands(&UnitFile::start_post)},
        {"Service.ExecStop", commands(&UnitFile::stop)},
        {"Service.ExecStopPost", commands(&UnitFile::stop_post)},
        {"Service.ExecReload", commands(&UnitFile::reload)},
        {"Service.User", text(&UnitFile::user)},
        {"Service.Group", text(&UnitFile::group)},
        {"Service.WorkingDirectory", text(&UnitFile::folder)},
        {"Service.PIDFile", text(&UnitFile::pid_file)},
        {"Service.SyslogIdentifier", text(&UnitFile::identifier)},
        {"Service.StandardOutput", text(&UnitFile::output)},
        {"Service.StandardError", text(&UnitFile::errors)},
        {"Service.Restart", text(&UnitFile::restart)},
        {"Service.KillMode", text(&UnitFile::kill_mode)},
        {"Service.RestartSec", span(&UnitFile::restart_after, "RestartSec")},
        {"Service.TimeoutStopSec", span(&UnitFile::stop_timeout, "TimeoutStopSec")},
        {"Service.TimeoutSec", span(&UnitFile::stop_timeout, "TimeoutSec")},
        {"Service.StartLimitInterval", span(&UnitFile::start_limit_interval, "StartLimitInterval")},
        {"Service.RemainAfterExit",
         [](auto& unit, const auto& value) { unit.remain_after_exit = read_bool(value); }},
        {"Service.KillSignal",
         [](auto& unit, const auto& value) {
           unit.kill_signal = signal_number(value).value_or(SIGTERM);
         }},
        {"Service.SuccessExitStatus",
         [](auto& unit, const auto& value) {
           for (const auto& word : split_words(value))
             if (std::isdigit(word[0]))
               unit.clean_statuses.push_back(std::atoi(word.c_str()));
             else if (const auto number = signal_number(word))
               unit.clean_statuses.push_back(128 + *number);
         }},
        {"Service.Environment",
         [](auto& unit, const auto& value) {
           if (value.empty()) unit.environment.clear();
           for (const auto& word : split_words(value))
             if (const auto at = word.find('='); at != word.npos)
               unit.environment[word.substr(0, at)] = word.substr(at + 1);
         }},
        {"Service.EnvironmentFile", names(&UnitFile::environment_files)},
        {"Timer.OnActiveSec", timer(TimerRule::kActive, "OnActiveSec")},
        {"Timer.OnBootSec", timer(TimerRule::kBoot, "OnBootSec")},
        {"Timer.OnStartupSec", timer(TimerRule::kBoot, "OnStartupSec")},
        {"Timer.OnUnitActiveSec", timer(TimerRule::kUnitActive, "OnUnitActiveSec")},
        {"Timer.OnUnitInactiveSec", timer(TimerRule::kUnitInactive, "OnUnitInactiveSec")},
        {"Timer.OnCalendar", timer(TimerRule::kCalendar, "OnCalendar")},
        {"Timer.Unit", text(&UnitFile::timer_unit)},
        {"Install.WantedBy", names(&UnitFile::wanted_by)},
        {"Install.RequiredBy", names(&UnitFile::wanted_by)},
        {"Install.Alias", names(&UnitFile::aliases)},
    };
    return keys;
  }

  void take(std::string_view line) {
    if (line.empty()) return;
    if (line.starts_with('[')) {
      section_ = std::string(line.substr(1, line.find(']') - 1));
      return;
    }
    const auto equals = line.find('=');
    if (equals == line.npos) return warn("Missing '=', ignoring line: " + std::string(line));
    const std::string key(trimmed(line.substr(0, equals)));
    const std::string value = with_names(trimmed(line.substr(equals + 1)), name_);
    if (const auto found = table().find(section_ + "." + key); found != table().end())
      return found->second(out_, value);
    // These settings do not change which programs run, or when.
    static const std::set<std::string> harmless{
        "Documentation", "DefaultDependencies", "Before",      "PartOf",
        "Also",          "TimeoutStartSec",     "AccuracySec", "RequiresMountsFor"};
    if (!key.starts_with("X-") && !harmless.contains(key))
      warn(key + "= does nothing on a simulated instance");
  }

  void finish() {
    static const std::set<std::string> like_simple{"exec", "idle"}, told{"notify", "dbus"};
    if (told.contains(out_.type)) warn("Type=" + out_.type + " is as Type=simple here");
    if (like_simple.contains(out_.type) || told.contains(out_.type)) out_.type = "simple";
  }

  void warn(const std::string& text) { out_.warnings.push_back(text); }

  const std::string& name_;
  std::string section_;
  UnitFile out_;
};

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

const std::string& value_of(const Environment& environment, const std::string& name) {
  static const std::string none;
  const auto at = environment.find(name);
  return at == environment.end() ? none : at->second;
}

// "a${NAME}b$$" → the variable's value, and one dollar sign.
std::string with_values(const std::string& word, const Environment& environment) {
  std::string out;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const auto end = word.find('}', i);
    if (word.compare(i, 2, "$$") == 0) {
      out += '$';
      ++i;
    } else if (word.compare(i, 2, "${") == 0 && end != word.npos) {
      out += value_of(environment, word.substr(i + 2, end - i - 2));
      i = end;
    } else {
      out += word[i];
    }
  }
  return out;
}

}  // namespace

UnitFile read_unit(std::string_view text, const std::string& name) {
  return Reader(text, name).take_file();
}

bool read_time_span(std::string_view text, Duration& out) {
  using namespace std::chrono_literals;
  static const std::map<std::string, Duration, std::less<>> units{
      {"", 1s},      {"s", 1s},   {"sec", 1s},    {"second", 1s}, {"seconds", 1s}, {"ms", 1ms},
      {"msec", 1ms}, {"us", 1us}, {"m", 60s},     {"min", 60s},   {"minute", 60s}, {"minutes", 60s},
      {"h", 1h},     {"hr", 1h},  {"hour", 1h},   {"hours", 1h},  {"d", 24h},      {"day", 24h},
      {"days", 24h}, {"w", 168h}, {"week", 168h}, {"weeks", 168h}};
  if (text == "infinity") {
    out = 8760h;
    return true;
  }
  Duration sum{};
  bool any = false;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const std::string rest(text);
    char* end = nullptr;
    const double number = std::strtod(rest.c_str(), &end);
    std::size_t used = static_cast<std::size_t>(end - rest.c_str());
    if (used == 0 || number < 0) return false;
    while (used < rest.size() && rest[used] == ' ') ++used;
    std::size_t letters = used;
    while (letters < rest.size() && std::isalpha(static_cast<unsigned char>(rest[letters])))
      ++letters;
    const auto unit = units.find(rest.substr(used, letters - used));
    if (unit == units.end() || number > 1e6) return false;
    sum += std::chrono::duration_cast<Duration>(std::chrono::duration<double, std::nano>(
        number * static_cast<double>(unit->second.count())));
    text.remove_prefix(letters);
    any = true;
  }
  if (any) out = sum;
  return any;
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> out;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      const char next = text[++i];
      static const std::map<char, char> named{{'n', '\n'}, {'t', '\t'}, {'s', ' '}, {'r', '\r'}};
      const auto at = named.find(next);
      // An escape that systemd does not know stays unchanged: `\.` of a pattern.
      if (at != named.end())
        word += at->second;
      else if (next == '"' || next == '\'' || next == '\\')
        word += next;
      else
        (word += '\\') += next;
      in_word = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      in_word = true;
    } else if (kBlanks.find(c) != kBlanks.npos || c == '\n') {
      if (in_word) out.push_back(std::exchange(word, {}));
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) out.push_back(word);
  return out;
}

std::vector<std::string> expanded(const CommandLine& command, const Environment& environment) {
  std::vector<std::string> out;
  for (const auto& word : command.words) {
    const bool whole =
        word.size() > 1 && word[0] == '$' && std::all_of(word.begin() + 1, word.end(), is_name);
    if (!whole) {
      out.push_back(with_values(word, environment));
      continue;
    }
    for (auto& part : split_words(value_of(environment, word.substr(1))))
      out.push_back(std::move(part));
  }
  return out;
}

Environment read_environment_file(std::string_view text) {
  Environment out;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const auto end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = trimmed(text.substr(begin, end - begin));
    begin = end + 1;
    const auto equals = line.find('=');
    if (line.starts_with('#') || line.starts_with(';') || equals == line.npos) continue;
    std::string_view value = trimmed(line.substr(equals + 1));
    const bool quoted =
        value.size() > 1 && (value[0] == '"' || value[0] == '\'') && value.back() == value[0];
    if (quoted) value = value.substr(1, value.size() - 2);
    out[std::string(trimmed(line.substr(0, equals)))] = std::string(value);
  }
  return out;
}

}  // namespace sim::guest::services
