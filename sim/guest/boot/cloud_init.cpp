#include "sim/guest/boot/cloud_init.h"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <set>
#include <utility>

#include "base/process/process_name.h"
#include "sim/guest/boot/boot_log.h"
#include "sim/guest/boot/cron.h"
#include "sim/guest/boot/modules.h"
#include "sim/guest/boot/output_pipe.h"
#include "sim/guest/boot/programs.h"
#include "sim/guest/boot/restart.h"

namespace sim::guest::boot {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSource = "DataSourceEc2Local";

// How often a module runs; user data writes "always", "once-per-instance" or "once".
enum class Frequency { kAlways, kInstance, kOnce };

Frequency frequency_of(const std::string& word, Frequency otherwise) {
  if (word == "always") return Frequency::kAlways;
  if (word == "once-per-instance" || word == "instance") return Frequency::kInstance;
  if (word == "once") return Frequency::kOnce;
  return otherwise;
}

class CloudInit {
 public:
  CloudInit(const Boot& boot, const Environment& environment)
      : boot_(boot),
        again_(boot.up_after.has_value()),
        config_(boot.parts.config),
        cloud_((boot.own() ? fs::path("/") : boot.root) / "var/lib/cloud"),
        instance_(cloud_ / "instances" / boot.instance_id),
        log_(log_file(boot.root), boot.now),
        environment_(environment),
        programs_(environment, [this] {
          tell_failures();
          log_.clock_moves();
        }) {}

  int run() {
    lay_out();
    init();
    config();
    final();
    // The user's programs have ended; messages about that follow their output.
    if (!programs_.stopped() && fork() == 0) {
      finish();
      _exit(0);
    }
    return programs_.first_failure();
  }

 private:
  static fs::path log_file(const fs::path& root) {
    const fs::path folder = root.empty() ? fs::path("/var/log") : root / "var/log";
    fs::create_directories(folder);
    return folder / "cloud-init.log";
  }

  void lay_out() {
    for (const char* folder : {"scripts", "handlers", "sem"})
      fs::create_directories(instance_ / folder);
    for (const char* folder : {"per-boot", "per-instance", "per-once", "vendor"})
      fs::create_directories(cloud_ / "scripts" / folder);
    for (const char* folder : {"data", "sem", "seed", "handlers"})
      fs::create_directories(cloud_ / folder);
    std::error_code none;
    for (const fs::path& old :
         {cloud_ / "instance", instance_ / "boot-finished", cloud_ / "data/result.json"})
      fs::remove(old, none);
    fs::create_directory_symlink(instance_, cloud_ / "instance");
    put_file(instance_ / "user-data.txt", boot_.user_data, 0600);
    put_file(instance_ / "user-data.txt.i", parts_as_message(), 0600);
    put_file(instance_ / "datasource", std::string("DataSourceEc2Local: ") + kSource + "\n", 0644);
    put_file(cloud_ / "data/instance-id", boot_.instance_id + "\n", 0644);
    // The stage init-local has written the same already.
    put_file(cloud_ / "data/previous-instance-id", boot_.instance_id + "\n", 0644);
    put_file(cloud_ / "data/previous-datasource",
             std::string("DataSourceEc2Local: ") + kSource + "\n", 0644);
    tell_status("init", {});
    put_scripts(boot_.parts.boothooks, instance_ / "boothooks");
    put_scripts(boot_.parts.scripts, instance_ / "scripts");
    put_scripts(boot_.parts.per_boot, cloud_ / "scripts/per-boot");
    put_scripts(boot_.parts.per_instance, cloud_ / "scripts/per-instance");
    put_scripts(boot_.parts.per_once, cloud_ / "scripts/per-once");
  }

  static void put_scripts(const std::vector<Script>& scripts, const fs::path& folder) {
    for (const auto& script : scripts) put_file(folder / script.name, script.text, 0700);
  }

  // The user data as one MIME message of parts.
  std::string parts_as_message() const {
    std::string out =
        "Content-Type: multipart/mixed; boundary=\"===============boot==\"\n"
        "MIME-Version: 1.0\n\n";
    const auto add = [&](const Script& script, const char* type) {
      out += fmt::format(
          "--===============boot==\nContent-Type: {}\nContent-Disposition: "
          "attachment; filename=\"{}\"\n\n{}\n",
          type, script.name, script.text);
    };
    for (const auto& script : boot_.parts.boothooks) add(script, "text/cloud-boothook");
    for (const auto& script : boot_.parts.scripts) add(script, "text/x-shellscript");
    return out + "--===============boot==--\n";
  }

  // ---- cloud-init.service

  void init() {
    log_.stage("init");
    if (boot_.own()) {
      record_boot(boot_.now - kBootTime);
      if (again_) mount_fstab(programs_, log_);
      services::start_manager(environment_, boot_.host_units);
      start_cron(environment_, again_, boot_.image_cron);
    }
    for (const auto& warning : boot_.parts.warnings) warn(warning.source, warning.text);
    for (const auto& hook : boot_.parts.boothooks) run_hook(instance_ / "boothooks" / hook.name);
    if (!config_.bootcmd.empty())
      module("init", "bootcmd", Frequency::kAlways, [&] { run_bootcmd(); });
    if (!config_.write_files.empty()) on_own("init", "write-files", [&] { write_some(false); });
    if (!config_.mounts.empty())
      on_own("init", "mounts", [&] { mount_all(config_.mounts, programs_, log_); });
    if (!config_.hostname.empty())
      on_own("init", "set_hostname", [&] { set_hostname(config_.hostname, log_); });
    if (!config_.users.empty() || !config_.groups.empty() || !config_.ssh_authorized_keys.empty())
      on_own("init", "users-groups", [&] { make_users(config_, programs_, log_); });
  }

  // cloud-init captures what a boothook prints, and drops it.
  void run_hook(const fs::path& file) {
    std::string dropped;
    const int status = programs_.run_quietly({file}, dropped, {{"INSTANCE_ID", boot_.instance_id}});
    programs_.failed(status);
    if (status != 0)
      warn("util.py", fmt::format("Boothooks script {} execution error", file.string()));
  }

  void run_bootcmd() {
    const fs::path folder = boot_.own() ? fs::path("/run/cloud-init/tmp") : boot_.root / "run";
    const fs::path file = folder / "bootcmd.sh";
    put_file(file, config_.bootcmd, 0600);
    const int status = programs_.run({"/bin/sh", file}, {{"INSTANCE_ID", boot_.instance_id}});
    fs::remove(file);
    if (status == 0) return;
    programs_.failed(status);
    throw std::runtime_error(fmt::format("Failed to run bootcmd [{}]", status));
  }

  void write_some(bool deferred) {
    std::vector<WriteFile> files;
    for (const auto& file : config_.write_files)
      if (file.defer == deferred) files.push_back(file);
    write_files(files, log_);
  }

  // ---- cloud-config.service

  void config() {
    log_.stage("modules:config");
    tell_status("modules-config", {});
    if (!config_.timezone.empty())
      on_own("config", "timezone", [&] { set_timezone(config_.timezone, log_); });
    if (!config_.runcmd.empty())
      module("config", "runcmd", Frequency::kInstance,
             [&] { put_file(instance_ / "scripts/runcmd", config_.runcmd, 0700); });
  }

  // ---- cloud-final.service

  void final() {
    log_.stage("modules:final");
    tell_status("modules-final", {});
    if (!config_.packages.empty())
      module("final", "package-update-upgrade-install", Frequency::kInstance,
             [&] { look_for_packages(config_.packages, programs_, log_); });
    if (!config_.write_files.empty())
      on_own("final", "write-files-deferred", [&] { write_some(true); });
    const fs::path scripts = cloud_ / "scripts";
    run_scripts("scripts-per-once", Frequency::kOnce, scripts / "per-once");
    run_scripts("scripts-per-boot", Frequency::kAlways, scripts / "per-boot");
    run_scripts("scripts-per-instance", Frequency::kInstance, scripts / "per-instance");
    run_scripts("scripts-user", Frequency::kInstance, instance_ / "scripts");
  }

  void say_final_message() {
    const std::string date = BootLog::date(log_.now());
    std::string text = config_.final_message;
    if (text.empty())
      text =
          "Cloud-init v. $version finished at $timestamp. Datasource $datasource.  "
          "Up $uptime seconds";
    const std::string uptime = fmt::format("{:.2f}", log_.uptime());
    const std::map<std::string, std::string> values{
        {"version", kVersion}, {"timestamp", date}, {"datasource", kSource}, {"uptime", uptime},
        {"VERSION", kVersion}, {"TIMESTAMP", date}, {"DATASOURCE", kSource}, {"UPTIME", uptime}};
    for (const auto& [key, value] : values)
      for (const std::string& name : {"$" + key, "${" + key + "}", "{{" + key + "}}"})
        for (std::size_t at; (at = text.find(name)) != std::string::npos;)
          text.replace(at, name.size(), value);
    log_.debug("util.py", text);
    log_.say(text);
    put_file(instance_ / "boot-finished",
             fmt::format("{:.2f} - {} - v. {}\n", log_.uptime(), date, kVersion), 0644);
  }

  // Ends the boot: final-message, the file that shows the end to other programs, and power_state.
  void finish() {
    tell_failures();
    if (may_run("final", "final-message", Frequency::kAlways)) say_final_message();
    tell_status("", errors_);
    std::string errors;
    for (const auto& error : errors_) errors += (errors.empty() ? "" : ", ") + quoted(error);
    tell("result.json", fmt::format("{{\n \"v1\": {{\n  \"datasource\": \"{}\",\n  \"errors\": "
                                    "[{}]\n }}\n}}\n",
                                    kSource, errors));
    if (config_.power_state && may_run("final", "power-state-change", Frequency::kInstance))
      change_power(*config_.power_state);
  }

  void change_power(const PowerState& state) {
    std::string heard;
    if (programs_.run_quietly({"/bin/sh", "-c", state.condition}, heard) != 0) return;
    const std::string how = state.mode == "poweroff" ? "-P" : state.mode == "reboot" ? "-r" : "-H";
    std::vector<std::string> words{"shutdown", how, state.delay};
    if (!state.message.empty()) words.push_back(state.message);
    programs_.run(words);
  }

  // ---- how scripts run

  void run_scripts(const std::string& name, Frequency frequency, const fs::path& folder) {
    if (!may_run("final", name, frequency)) return;
    std::set<fs::path> files;  // in the order of their names
    for (const auto& entry : fs::directory_iterator(folder)) files.insert(entry.path());
    int failed = 0;
    for (const auto& file : files)
      if (fs::is_regular_file(file) && access(file.c_str(), X_OK) == 0 && !programs_.stopped())
        failed += run_script(shown(file), {}) != 0;
    if (failed == 0) return;
    failures_.push_back(
        {"cc_" + python(name) + ".py",
         fmt::format("Failed to run module {} (scripts in {})", name, shown(folder).string())});
    failures_.push_back({"util.py", failed_module(name)});
  }

  // The path below /var/lib/cloud/instance, as cloud-init writes it, with the link unresolved.
  fs::path shown(const fs::path& path) const {
    const fs::path inside = path.lexically_relative(instance_);
    return inside.begin()->string() == ".." ? path : cloud_ / "instance" / inside;
  }

  int run_script(const fs::path& file, const Environment& more) {
    const int status = programs_.run({file}, more);
    programs_.failed(status);
    const int code = programs_.killed() ? 128 - status : status;
    if (status != 0)
      errors_of_programs_.push_back(fmt::format(
          "Unexpected error while running command.\nCommand: ['{}']\nExit code: {}\nReason: {}\n"
          "Stdout: -\nStderr: -",
          file.string(), status == 126 ? "-" : std::to_string(code),
          status == 126 ? "[Errno 8] Exec format error" : "-"));
    return status;
  }

  // Runs before any other message or program: by then the clock may be read.
  void tell_failures() {
    for (const auto& text : std::exchange(errors_of_programs_, {})) log_.debug("subp.py", text);
    for (const auto& [source, text] : std::exchange(failures_, {})) warn(source, text);
  }

  static std::string failed_module(const std::string& name) {
    const std::string module = "cc_" + python(name);
    return fmt::format(
        "Running module {0} (<module 'cloudinit.config.{1}' from "
        "'/usr/lib/python3/dist-packages/cloudinit/config/{1}.py'>) failed",
        name, module);
  }

  static std::string python(std::string name) {
    for (char& c : name) c = c == '-' ? '_' : c;
    return name;
  }

  template <class Do>
  void module(const char* stage, const std::string& name, Frequency frequency, Do work) {
    if (!may_run(stage, name, frequency)) return;
    try {
      work();
    } catch (const std::exception& error) {
      warn("cc_" + python(name) + ".py", error.what());
      warn("util.py", failed_module(name));
    }
  }

  // Modules that need a machine of their own; they run once per instance.
  template <class Do>
  void on_own(const char* stage, const std::string& name, Do work) {
    if (boot_.own()) return module(stage, name, Frequency::kInstance, work);
    warn("cc_" + python(name) + ".py", "not done without namespaces: it would change the host");
  }

  // Whether the module may run now, given what has run before and `cloud_final_modules` and similar
  // lists of the user. A module counts as run from here on, also if it fails: cloud-init notes it
  // in files (FileSemaphores), which user data may remove.
  bool may_run(const std::string& stage, const std::string& name, Frequency frequency) {
    if (programs_.stopped()) return false;
    if (const auto list = config_.modules.find(stage); list != config_.modules.end()) {
      const auto asked = list->second.find(python(name));
      if (asked == list->second.end()) return false;
      frequency = frequency_of(asked->second, frequency);
    }
    if (frequency == Frequency::kAlways) return true;
    const fs::path note = frequency == Frequency::kOnce
                              ? cloud_ / "sem" / ("config_" + python(name) + ".once")
                              : instance_ / "sem" / ("config_" + python(name));
    if (fs::exists(note)) return false;
    put_file(note, "", 0644);
    return true;
  }

  void warn(const std::string& source, const std::string& text) {
    log_.warn(source, text);
    errors_.push_back(text);
  }

  // ---- /var/lib/cloud/data and /run/cloud-init

  static std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text)
      if (c == '"' || c == '\\')
        out += std::string("\\") + c;
      else
        out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    return out + "\"";
  }

  void tell_status(const std::string& stage, const std::vector<std::string>& errors) {
    tell("status.json",
         fmt::format("{{\n \"v1\": {{\n  \"datasource\": \"{}\",\n  \"errors\": {},\n"
                     "  \"stage\": {}\n }}\n}}\n",
                     kSource, errors.size(), stage.empty() ? std::string("null") : quoted(stage)));
  }

  void tell(const std::string& name, const std::string& text) {
    put_file(cloud_ / "data" / name, text, 0644);
    const fs::path run = boot_.own() ? fs::path("/run/cloud-init") : boot_.root / "run/cloud-init";
    put_file(run / name, text, 0644);
  }

  const Boot& boot_;
  const bool again_;  // after a reboot
  const CloudConfig& config_;
  fs::path cloud_, instance_;
  BootLog log_;
  const Environment& environment_;
  Programs programs_;
  std::vector<std::string> errors_of_programs_;  // for the log, not reported yet
  Warnings failures_;                            // of scripts, likewise
  std::vector<std::string> errors_;
};

}  // namespace

int run(Boot boot, const Environment& environment) {
  base::name_process("cloud-init");
  // Returns when the supervisor has adopted this guest; uses no randomness.
  char nothing = 0;
  syscall(SYS_getrandom, &nothing, 0, 0);
  try {
    if (boot.up_after) {
      if (boot.own()) forget_the_last_boot();
      wait_for_boot(*boot.up_after);
      boot.now += *boot.up_after;
    }
    if (!boot.own()) return CloudInit(boot, environment).run();
    const OutputPipe output;
    const int status = CloudInit(boot, environment).run();
    output.flush();
    return status;
  } catch (const std::exception& error) {
    const std::string line = std::string("cloud-init: ") + error.what() + "\n";
    static_cast<void>(!write(STDERR_FILENO, line.data(), line.size()));
    return 1;
  }
}

}  // namespace sim::guest::boot
