#include "sim/guest/process/parts/warm_programs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/files/whole_file.h"
#include "base/process/system_call.h"
#include "sim/guest/time/guest_clock.h"
#include "sim/guest/warm/image_cache.h"
#include "sim/guest/warm/memory_image.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPathAtStart = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
constexpr Time kTimeOfStart{std::chrono::days{18'000}};  // 2019
constexpr const char* kTunables = "GLIBC_TUNABLES";

// Variables that programs read at their start: an image serves only calls that have the same ones.
constexpr std::array<std::string_view, 12> kReadAtStart{
    "PYTHON",        "LD_", "OPENSSL_", "MALLOC_", "GCONV_",  "LOCPATH",
    "AWS_DATA_PATH", "LC_", "LANG",     "GNUTLS_", "NETTLE_", "P11_KIT_"};

bool is_read_at_start(const std::string& name) {
  return std::ranges::any_of(kReadAtStart,
                             [&](std::string_view begin) { return name.starts_with(begin); });
}

std::string name_of(const fs::path& program) { return program.filename(); }

// The image of calls that have the same key.
struct ProgramKind {
  std::optional<std::string> refusal;  // why there can be no image
  base::FileDescriptor image;
};

std::map<std::string, ProgramKind>& kinds() {
  static std::map<std::string, ProgramKind> known;
  return known;
}

// A sandbox in which a program makes its start, and its image is taken. Date and random numbers are
// not those of the run, so the image depends on its key only.
class Taker : public SupervisorHooks {
 public:
  Taker(const SandboxSpec& spec, fs::path manifest, std::optional<warm::AtEntry> at_entry)
      : manifest_(std::move(manifest)),
        at_entry_(std::move(at_entry)),
        random_(Streams(0), spec.lockstep),
        simulation_(kTimeOfStart),
        supervisor_(simulation_, Streams(0), {.lockstep = spec.lockstep}),
        sandbox_(Sandbox::start(spec)) {
    supervisor_.set_hooks(*this);
    supervisor_.add_source([this] { return poll(); });
    guest_ = supervisor_.adopt(sandbox_.take_notifications().release(),
                               descendants_of(sandbox_.init()), "image");
    if (RandomFiles files = sandbox_.take_random()) random_.serve("image", std::move(files));
  }
  ~Taker() override { supervisor_.release(guest_); }

  base::FileDescriptor take() {
    supervisor_.run([this] { return ended_ || image_ || !failure_.empty(); });
    if (!failure_.empty()) throw std::runtime_error(failure_);
    return std::move(image_);
  }

  void took(int /*guest*/, TakenRecord record) override {
    if (records_.empty()) began_ = simulation_.now();
    records_.push_back(record);
  }
  std::optional<TakenRecord> taken(int /*guest*/, std::size_t index) override {
    return index < records_.size() ? std::optional(records_[index]) : std::nullopt;
  }
  // The program calls sync(2) when its start is complete.
  std::optional<Duration> sync(int /*guest*/, int /*descriptor*/, int /*call*/) override try {
    const std::vector<pid_t> processes = sandbox_.processes();
    if (processes.size() != 1) throw std::runtime_error("it left other processes behind");
    const fs::path root = sandbox_.root();
    if (at_entry_) return take_at_entry(processes.front(), root);
    image_ = warm::take_memory_image(processes.front(), root,
                                     warm::read_manifest(root / manifest_.relative_path()));
    return Duration{0};
  } catch (const std::exception& error) {
    failure_ = error.what();
    return Duration{0};
  }

 private:
  bool poll() {
    const bool answered = random_.settle();
    const auto message = sandbox_.receive();
    if (!message) return answered;
    ended_ = true;
    return true;
  }

  Duration take_at_entry(pid_t process, const fs::path& root) {
    if (simulation_.now() != began_) throw std::runtime_error("its start takes time");
    at_entry_->taken = records_;
    warm::Manifest manifest;
    manifest.files = warm::linked_files(process, at_entry_->copy);
    manifest.files.push_back(manifest_);
    image_ = warm::take_memory_image(process, root, manifest, &*at_entry_);
    return Duration{0};
  }

  const fs::path manifest_;  // of a program at its entry point: the program itself
  std::optional<warm::AtEntry> at_entry_;
  Time began_;
  RandomServer random_;
  Simulation simulation_;
  Supervisor supervisor_;
  Sandbox sandbox_;
  int guest_ = 0;
  std::vector<TakenRecord> records_;
  bool ended_ = false;
  std::string failure_;
  base::FileDescriptor image_;
};

std::map<std::string, std::string> environment_of(pid_t task) {
  const std::string text =
      base::read_file("/proc/" + std::to_string(task) + "/environ").value_or("");
  std::map<std::string, std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string setting = text.c_str() + at;
    at += setting.size() + 1;
    if (const auto equals = setting.find('='); equals != setting.npos)
      out.emplace(setting.substr(0, equals), setting.substr(equals + 1));
  }
  return out;
}

std::string first_line_of(int file) {
  std::string line(256, '\0');
  const ssize_t n = pread(file, line.data(), line.size(), 0);
  line.resize(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  return line.substr(0, line.find('\n'));
}

// "#!/usr/bin/python3 -s" → {"/usr/bin/python3", "-s"}; empty: it is no Python script.
std::vector<std::string> interpreter_of(const std::string& line) {
  if (!line.starts_with("#!")) return {};
  const auto blank = line.find(' ');
  std::vector<std::string> out{line.substr(2, blank == line.npos ? blank : blank - 2)};
  if (blank != line.npos) out.push_back(line.substr(blank + 1));
  if (fs::path(out[0]).filename().string().find("python") == std::string::npos) return {};
  return out;
}

// The arguments are read above the stack, which must be deeper than a later caller's arguments are.
void execute(const std::vector<std::string>& words,
             const std::map<std::string, std::string>& environment) {
  constexpr std::size_t kLongest = 100'000;
  std::vector<std::string> settings{"SPOTSIM_IMAGE_1=" + std::string(kLongest, 'x'),
                                    "SPOTSIM_IMAGE_2=" + std::string(kLongest, 'x')};
  for (const auto& [name, value] : environment) settings.push_back(name + "=" + value);
  std::vector<char*> arguments, variables;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  for (auto& setting : settings) variables.push_back(setting.data());
  arguments.push_back(nullptr);
  variables.push_back(nullptr);
  // Libraries lie where a process that maps the image has nothing, in the old order of addresses.
  personality(ADDR_NO_RANDOMIZE | ADDR_COMPAT_LAYOUT);
  execve(arguments[0], arguments.data(), variables.data());
}

}  // namespace

WarmPrograms::Start WarmPrograms::start_of(pid_t task, const std::string& program) const {
  Start out{.environment = environment_of(task), .interpreter = {}, .opened = {}};
  if (out.environment.contains(kTunables))
    throw std::runtime_error(std::string(kTunables) + " is set");
  const std::string root = "/proc/" + std::to_string(task) + "/root";
  const base::FileDescriptor folder(open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  base::FileDescriptor script = warm::open_in_root(folder.get(), program, O_RDONLY);
  const std::string line = script ? first_line_of(script.get()) : "";
  out.interpreter = interpreter_of(line);
  out.is_linked = line.starts_with(
      "\x7f"
      "ELF");
  if (out.interpreter.empty() && !out.is_linked)
    throw std::runtime_error("it is neither a Python script nor a program for Linux");
  out.opened = std::move(script);
  return out;
}

// Calls with the same key make the same start. Python looks for users if there is no HOME.
std::string WarmPrograms::key_of(const Machine& machine, const Start& start,
                                 const std::string& program) const {
  std::string out =
      fmt::format("{}\n{}\n{}\n{}\n", name(context_.config.level), context_.config.lockstep,
                  program, specs_.image_folder(machine.instance).string());
  for (const auto& [name, value] : start.environment)
    if (is_read_at_start(name)) out += name + "=" + value + "\n";
  return out + (start.environment.contains("HOME") ? "HOME" : "");
}

base::FileDescriptor WarmPrograms::take(const Machine& machine, Start start,
                                        const std::string& program) {
  const base::FileDescriptor console(
      base::checked(memfd_create("console", MFD_CLOEXEC), "making a file in memory"));
  // Only settings that the key has, so the image does not depend on the call that comes first.
  std::erase_if(start.environment, [](const auto& variable) {
    return variable.first != "HOME" && !is_read_at_start(variable.first);
  });
  if (start.environment.contains("HOME")) start.environment["HOME"] = "/root";
  start.environment["PATH"] = kPathAtStart;
  // Restartable sequences are a state of the kernel, which an image does not have.
  start.environment[kTunables] = "glibc.pthread.rseq=0";
  SandboxSpec spec = specs_.of_image_taker(machine.instance);
  if (start.is_linked) return take_at_entry(std::move(spec), start, program);
  const fs::path manifest = fs::path(spec.job_events).parent_path() / "manifest";
  std::vector<std::string> words = start.interpreter;
  words.insert(words.end(),
               {specs_.image_taker(), program, manifest.string(),
                std::to_string(std::chrono::floor<std::chrono::seconds>(kUptimeAtBoot).count())});
  spec.console = console.get();
  spec.program = [words, environment = start.environment](const auto&, const Reboot*) {
    execute(words, environment);
    // As with a virtual environment that the script made.
    dprintf(STDERR_FILENO, "a machine that has just booted cannot run %s: %s\n", words[0].c_str(),
            strerror(errno));
    return 127;
  };
  base::FileDescriptor image = Taker(spec, manifest, {}).take();
  if (image) return image;
  std::string said(4096, '\0');
  const ssize_t n = pread(console.get(), said.data(), said.size(), 0);
  said.resize(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  while (said.ends_with('\n')) said.pop_back();
  throw std::runtime_error(said.substr(said.rfind('\n') + 1));
}

base::FileDescriptor WarmPrograms::take_at_entry(SandboxSpec spec, const Start& start,
                                                 const std::string& program) {
  const base::FileDescriptor console(
      base::checked(open("/dev/null", O_WRONLY | O_CLOEXEC), "opening /dev/null"));
  const fs::path copy = specs_.warm_folder() / fs::path(program).filename();
  std::string code =
      warm::copy_that_stops("/proc/self/fd/" + std::to_string(start.opened.get()), copy);
  const std::string seen = specs_.image_taker_folder() / copy.filename();
  spec.console = console.get();
  spec.program = [seen, environment = start.environment](const auto&, const Reboot*) {
    execute({seen}, environment);
    return 127;
  };
  base::FileDescriptor image =
      Taker(spec, program, warm::AtEntry{.code = std::move(code), .copy = seen, .taken = {}})
          .take();
  fs::remove(copy);
  if (!image) throw std::runtime_error("it does not reach its entry point");
  return image;
}

base::FileDescriptor WarmPrograms::found_or_taken(const Machine& machine, pid_t task, Start start,
                                                  const std::string& program,
                                                  const std::string& key) {
  std::optional<warm::ImageCache> cache;
  try {
    cache.emplace(warm::cache_folder(), key + warm::machine_and_program());
    base::FileDescriptor image = cache->find();
    const std::string root = "/proc/" + std::to_string(task) + "/root";
    const base::FileDescriptor folder(open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (image && warm::files_are_unchanged(image.get(), folder.get())) return image;
  } catch (const std::exception& error) {
    say(fmt::format("{}: later runs must make this memory image again: {}", name_of(program),
                    error.what()));
  }
  base::FileDescriptor image = take(machine, std::move(start), program);
  try {
    if (cache) cache->keep(image.get());
  } catch (const std::exception& error) {
    say(fmt::format("{}: later runs must make this memory image again: {}", name_of(program),
                    error.what()));
  }
  return image;
}

void WarmPrograms::say(const std::string& notice) {
  if (said_.insert(notice).second && context_.config.say) context_.config.say(notice);
}

int WarmPrograms::image_for(const Machine& machine, pid_t task, const std::string& program) {
  try {
    Start start = start_of(task, program);
    const std::string key = key_of(machine, start, program);
    ProgramKind& kind = kinds()[key];
    if (kind.refusal) return -1;
    try {
      if (!kind.image) kind.image = found_or_taken(machine, task, std::move(start), program, key);
      return kind.image.get();
    } catch (const std::exception& error) {
      kind.refusal = error.what();
      throw;
    }
  } catch (const std::exception& error) {
    say(fmt::format("{}: {} of {} starts as usual, which takes longer: {}", name_of(program),
                    program, machine.name, error.what()));
    return -1;
  }
}

}  // namespace sim::guest
