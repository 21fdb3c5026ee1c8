#include "sim/guest/services/manager.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <set>

#include "base/files/file_descriptor.h"
#include "base/files/whole_file.h"
#include "base/process/process_name.h"
#include "base/process/system_call.h"
#include "sim/guest/services/answer.h"
#include "sim/guest/services/clock.h"
#include "sim/guest/services/service.h"
#include "sim/guest/services/system_log.h"
#include "sim/guest/services/timers.h"

namespace sim::guest::services {

namespace fs = std::filesystem;

namespace {

int signal_pipe = -1;

using Asked = std::shared_ptr<Answer>;

class Manager {
 public:
  Manager(Environment environment, const UnitFiles& hosts, SystemLog log,
          base::FileDescriptor requests)
      : environment_(std::move(environment)),
        units_(hosts),
        log_(std::move(log)),
        requests_(std::move(requests)),
        world_{environment_, [this](const auto& unit, const auto& who,
                                    const auto& line) { log_.add(unit, who, line); }},
        timers_([this](const auto& name) { start_with_needs(name); },
                [this](const auto& name) { return times_of(name); }) {
    // Not a signalfd(2): the time supervisor, which polls in our place, cannot see that it is
    // ready.
    int ends[2];
    base::checked(pipe2(ends, O_NONBLOCK | O_CLOEXEC), "making a pipe");
    signals_ = base::FileDescriptor(ends[0]);
    signal_pipe = ends[1];
    struct sigaction note {};
    note.sa_handler = [](int signal) {
      const char byte = signal == SIGTERM ? 'T' : 'C';
      static_cast<void>(!write(signal_pipe, &byte, 1));
    };
    sigaction(SIGTERM, &note, nullptr);
    sigaction(SIGCHLD, &note, nullptr);
    // The client may be gone. Services inherit this setting, as systemd's do (IgnoreSIGPIPE=).
    signal(SIGPIPE, SIG_IGN);
  }

  [[noreturn]] void run() {
    for (const std::string& name : units_.enabled())
      is_timer(name) ? start_timer(name) : start_with_needs(name);
    for (;;) {
      wait();
      log_.drain();
      for (const auto& [name, service] : services_) service->hear();
      hear_signals();
      hear_requests();
      wake();
      const bool any =
          std::ranges::any_of(services_, [](const auto& of) { return of.second->busy(); });
      if (ending_ && !any) _exit(0);
    }
  }

 private:
  // ---- what happens

  void wait() {
    std::vector<pollfd> ready{
        {signals_.get(), POLLIN, 0}, {requests_.get(), POLLIN, 0}, {log_.descriptor(), POLLIN, 0}};
    std::optional<long long> due = timers_.due();
    for (const auto& [name, service] : services_) {
      if (service->output() >= 0) ready.push_back({service->output(), POLLIN, 0});
      if (service->due()) due = std::min(due.value_or(*service->due()), *service->due());
    }
    int timeout = -1;
    if (due)
      timeout = static_cast<int>(std::clamp((*due - now() + 999999) / 1000000, 0LL, 1000000000LL));
    poll(ready.data(), ready.size(), timeout);
  }

  void hear_signals() {
    char bytes[256];
    for (ssize_t n; (n = read(signals_.get(), bytes, sizeof bytes)) > 0;) {
      if (ending_ || !memchr(bytes, 'T', static_cast<std::size_t>(n))) continue;
      ending_ = true;
      for (const auto& [name, service] : services_) service->stop([](const std::string&) {});
    }
    int status = 0;
    for (pid_t child; (child = waitpid(-1, &status, WNOHANG)) > 0;)
      for (const auto& [name, service] : services_) service->ended(child, status);
  }

  void wake() {
    for (const auto& [name, service] : services_)
      if (service->due() && *service->due() <= now()) service->wake();
    if (!ending_) timers_.wake();
  }

  void hear_requests() {
    char part[4096];
    for (ssize_t n; (n = read(requests_.get(), part, sizeof part)) > 0;)
      unread_.append(part, static_cast<std::size_t>(n));
    for (std::size_t end; (end = unread_.find('\n')) != unread_.npos; unread_.erase(0, end + 1)) {
      const std::vector<std::string> words = split_words(std::string_view(unread_).substr(0, end));
      if (words.size() < 3) continue;
      const Asked answer = std::make_shared<Answer>(words[0]);
      const std::vector<std::string> units(words.begin() + 3, words.end());
      if (words[1] == "list-timers")
        answer->out(timers_.list());
      else if (units.empty())
        list(*answer);
      for (const auto& unit : units) act(words[1], words[2] == "now", unit, answer);
    }
  }

  // Null if there is no such unit.
  Service* find(const std::string& name) {
    const auto at = services_.find(name);
    if (at != services_.end() && at->second->busy()) return at->second.get();
    const fs::path file = units_.file_of(name);
    if (file.empty()) return nullptr;
    auto& service = services_[name];
    if (!service) service = std::make_unique<Service>(name, world_);
    UnitFile unit = UnitFolders::unit_of(file, name);
    for (const auto& warning : unit.warnings)
      if (warned_.insert(name + warning).second) warn(file.string() + ": " + warning);
    service->set_file(std::move(unit));
    return service.get();
  }

  void warn(const std::string& text) {
    log_.add("", "systemd[1]", text);
    const std::string line = "systemd[1]: " + text + "\n";
    static_cast<void>(!write(STDOUT_FILENO, line.data(), line.size()));
  }

  // ---- systemctl's requests about units

  // Starts the units that the service needs, and enabled units that are ordered before it, first.
  void start_with_needs(const std::string& name, const Asked& answer = {}) {
    if (!starting_.insert(name).second) return;
    if (Service* service = find(name)) {
      for (const auto& needed : service->file().needs)
        if (needed.ends_with(".service")) start_with_needs(needed);
      const std::set<std::string> others = units_.enabled();
      for (const auto& earlier : service->file().after)
        if (!answer && others.contains(earlier))
          is_timer(earlier) ? start_timer(earlier) : start_with_needs(earlier);
      service->start([answer](const std::string& error) {
        if (answer && !error.empty()) answer->error(error, 1);
      });
    }
    starting_.erase(name);
  }

  void act(const std::string& command, bool also_now, const std::string& name,
           const Asked& answer) {
    const fs::path file = units_.file_of(name);
    if (command == "mask" || command == "unmask")
      return mask(command == "mask", name, file, *answer);
    if (file.empty() && !services_.contains(name)) return unknown(command, name, *answer);
    if (!name.ends_with(".service") && !is_timer(name))
      return answer->error("systemctl: " + command + " " + name +
                               ": only services and timers are run on a simulated instance",
                           1);
    if (command == "enable" || command == "disable" || command == "is-enabled")
      return enable(command, also_now, name, file, answer);
    if (UnitFolders::is_masked(file))
      return answer->error("Failed to " + command + " " + name + ": Unit " + name + " is masked.",
                           1);
    if (is_timer(name)) return act_on_timer(command, name, file, *answer);
    Service* service = find(name);
    if (!service) service = services_.at(name).get();
    const auto told = [answer](const std::string& error) {
      if (!error.empty()) answer->error(error, 1);
    };
    if (command == "start") return start_with_needs(name, answer);
    if (command == "stop") return service->stop(told);
    if (command == "restart" || command == "reload-or-restart") return service->restart(told);
    if (command == "try-restart") return service->active() ? service->restart(told) : void();
    if (command == "reload") return service->reload(told);
    if (command == "reset-failed") return service->reset_failed();
    const std::string state = service->state();
    if (command == "is-active" || command == "is-failed") {
      answer->out(state);
      return answer->set(command == "is-active" ? (service->active() ? 0 : 3) : state != "failed");
    }
    if (command == "cat")
      return answer->out("# " + file.string() + "\n" + base::read_file(file).value_or(""));
    const std::string& description = service->file().description;
    tell_status(name, file, description, service->status(), *answer);
    answer->set(service->active() ? 0 : 3);
  }

  void tell_status(const std::string& name, const fs::path& file, const std::string& description,
                   const std::string& state, Answer& answer) const {
    answer.out("● " + name + (description.empty() ? "" : " - " + description) +
               "\n     Loaded: loaded (" + file.string() + "; " +
               (units_.links_of(name).empty() ? "disabled" : "enabled") + ")\n" + state);
  }

  // ---- timers

  static bool is_timer(const std::string& name) { return name.ends_with(".timer"); }

  ServiceTimes times_of(const std::string& name) const {
    const auto at = services_.find(name);
    if (at == services_.end()) return {};
    const Service& service = *at->second;
    return {service.busy(), service.activated(), service.deactivated()};
  }

  void start_timer(const std::string& name) {
    const fs::path file = units_.file_of(name);
    if (file.empty() || timers_.active(name)) return;
    UnitFile unit = UnitFolders::unit_of(file, name);
    for (const auto& warning : unit.warnings)
      if (warned_.insert(name + warning).second) warn(file.string() + ": " + warning);
    const std::string title = unit.description.empty() ? "" : " - " + unit.description;
    timers_.start(name, std::move(unit));
    log_.add(name, "systemd[1]", "Started " + name + title + ".");
  }

  void act_on_timer(const std::string& command, const std::string& name, const fs::path& file,
                    Answer& answer) {
    const bool active = timers_.active(name);
    if (command == "stop" || command == "restart" || (command == "try-restart" && active))
      timers_.stop(name);
    if (command == "start" || command == "restart" || (command == "try-restart" && active))
      return start_timer(name);
    if (command == "cat")
      return answer.out("# " + file.string() + "\n" + base::read_file(file).value_or(""));
    if (command == "is-active" || command == "is-failed") {
      answer.out(active ? "active" : "inactive");
      return answer.set(command == "is-active" ? (active ? 0 : 3) : 1);
    }
    if (command != "status") return;
    tell_status(name, file, UnitFolders::unit_of(file, name).description, timers_.status(name),
                answer);
    answer.set(active ? 0 : 3);
  }

  // ---- systemctl's requests about unit files

  static void unknown(const std::string& command, const std::string& name, Answer& answer) {
    if (command == "stop")
      return answer.error("Failed to stop " + name + ": Unit " + name + " not loaded.", 5);
    if (command == "enable" || command == "disable")
      return answer.error("Failed to " + command + " unit: Unit file " + name + " does not exist.",
                          1);
    if (command == "status") return answer.error("Unit " + name + " could not be found.", 4);
    if (command == "cat") return answer.error("No files found for " + name + ".", 1);
    if (command == "is-enabled")
      return answer.error(
          "Failed to get unit file state for " + name + ": No such file or directory", 1);
    if (command == "reset-failed")
      return answer.error(
          "Failed to reset failed state of unit " + name + ": Unit " + name + " not loaded.", 1);
    if (command == "is-active" || command == "is-failed") {
      answer.out("inactive");
      return answer.set(command == "is-active" ? 3 : 1);
    }
    answer.error("Failed to " + command + " " + name + ": Unit " + name + " not found.", 5);
  }

  void enable(const std::string& command, bool also_now, const std::string& name,
              const fs::path& file, const Asked& answer) {
    const UnitFile unit = UnitFolders::unit_of(file, name);
    const std::vector<fs::path> links = units_.links_of(name);
    if (command == "is-enabled") {
      const bool is_static = unit.wanted_by.empty() && unit.aliases.empty();
      answer->out(UnitFolders::is_masked(file) ? "masked"
                  : !links.empty()             ? "enabled"
                  : is_static                  ? "static"
                                               : "disabled");
      return answer->set(links.empty() && !is_static);
    }
    std::error_code error;
    if (command == "disable") {
      for (const auto& link : links)
        if (fs::remove(link, error)) answer->error("Removed " + link.string() + ".", 0);
    } else {
      if (unit.wanted_by.empty() && unit.aliases.empty())
        answer->error(
            "The unit files have no installation config (WantedBy=, RequiredBy=, Also=,\n"
            "Alias= settings in the [Install] section, and DefaultInstance= for template units).\n"
            "This means they are not meant to be enabled using systemctl.",
            0);
      for (const auto& target : unit.wanted_by)
        tell_link(std::string(kUnitFolders[0]) + "/" + target + ".wants/" + name, file, *answer);
      for (const auto& alias : unit.aliases)
        tell_link(fs::path(kUnitFolders[0]) / alias, file, *answer);
    }
    if (!also_now) return;
    if (is_timer(name))
      return act_on_timer(command == "enable" ? "start" : "stop", name, file, *answer);
    if (command == "enable") return start_with_needs(name, answer);
    if (services_.contains(name)) services_.at(name)->stop([answer](const std::string&) {});
  }

  static void tell_link(const fs::path& link, const fs::path& file, Answer& answer) {
    if (UnitFolders::link(link, file))
      answer.error("Created symlink " + link.string() + " → " + file.string() + ".", 0);
  }

  static void mask(bool on, const std::string& name, const fs::path& file, Answer& answer) {
    const fs::path at = fs::path(kUnitFolders[0]) / name;
    std::error_code error;
    if (!on) {
      if (UnitFolders::is_masked(at) && fs::remove(at, error))
        answer.error("Removed " + at.string() + ".", 0);
      return;
    }
    if (file == at && !UnitFolders::is_masked(at))
      return answer.error("Failed to mask unit: File " + at.string() + " already exists.", 1);
    if (file.empty()) answer.error("Unit " + name + " does not exist, proceeding anyway.", 0);
    tell_link(at, "/dev/null", answer);
  }

  void list(Answer& answer) const {
    std::string text = "  UNIT LOAD ACTIVE DESCRIPTION";
    for (const auto& [name, service] : services_)
      if (service->busy() || std::string(service->state()) == "failed")
        text += "\n  " + name + " loaded " + service->state() + " " + service->file().description;
    answer.out(text);
  }

  const Environment environment_;
  const UnitFolders units_;
  SystemLog log_;
  base::FileDescriptor requests_, signals_;
  ServiceWorld world_;
  std::map<std::string, std::unique_ptr<Service>> services_;
  Timers timers_;
  std::set<std::string> starting_, warned_;
  std::string unread_;
  bool ending_ = false;
};

}  // namespace

void start_manager(const Environment& environment, const UnitFiles& hosts) {
  fs::create_directories("/run/systemd/system");
  base::checked(mkfifo(kRequests, 0666), "making " + std::string(kRequests));
  base::checked(chmod(kRequests, 0666), "opening up " + std::string(kRequests));
  base::FileDescriptor requests(
      base::checked(open(kRequests, O_RDWR | O_NONBLOCK | O_CLOEXEC), "listening for systemctl"));
  SystemLog log;
  if (base::checked(fork(), "starting the services") != 0) return;
  base::name_process("systemd");
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  setsid();
  Manager(environment, hosts, std::move(log), std::move(requests)).run();
}

}  // namespace sim::guest::services
