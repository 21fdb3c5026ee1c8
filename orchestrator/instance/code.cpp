#include "orchestrator/instance/code.h"

#include <fmt/format.h>

#include "orchestrator/failure.h"

namespace spotrun {
namespace {

constexpr int kCloneTries = 3;

class Clone {
 public:
  Clone(Machine& machine, std::string path)
      : machine_(machine), path_(std::move(path)), local_(machine.local_path(path_)) {}

  bool fetch(const CodeConfig& code) {
    if (machine_.exists(path_ + "/.git") && update(code)) return true;
    machine_.remove_folder(path_);
    return git({"clone", "--quiet", "--no-checkout", code.repository, local_}, "") &&
           check_out(code);
  }

 private:
  bool update(const CodeConfig& code) {
    return git({"remote", "set-url", "origin", code.repository}, local_) &&
           git({"fetch", "--quiet", "--force", "--tags", "origin"}, local_) && check_out(code);
  }

  // A branch is the remote's: a clone's own branches are as old as the clone.
  bool check_out(const CodeConfig& code) {
    const std::string name = code.revision.empty() ? "HEAD" : code.revision;
    const std::string remote = "refs/remotes/origin/" + name;
    const bool branch = git({"rev-parse", "--verify", "--quiet", remote + "^{commit}"}, local_);
    return git({"reset", "--quiet", "--hard", branch ? remote : name}, local_);
  }

  bool git(std::vector<std::string> arguments, const std::string& folder) {
    arguments.insert(arguments.begin(), "git");
    const ExitStatus status = machine_.run({.argv = std::move(arguments),
                                            .folder = folder,
                                            .environment = {{"GIT_TERMINAL_PROMPT", "0"}}});
    return status.code == 0 && status.signal == 0;
  }

  Machine& machine_;
  std::string path_, local_;
};

}  // namespace

std::string fetch_code(InstanceContext& context, const Job& job) {
  if (!job.code) return context.machine.local_path(job.volume.mount_point);
  context.log.phase("fetch-code");
  const std::string path = job.volume.mount_point + "/code";
  for (int tries = 1; tries <= kCloneTries; ++tries) {
    if (Clone(context.machine, path).fetch(*job.code)) return context.machine.local_path(path);
    if (tries < kCloneTries) context.clock.sleep(Duration{10'000} * tries);
  }
  throw Failure(ExitCode::kMachine,
                fmt::format("cannot fetch {} {}", job.code->repository, job.code->revision));
}

}  // namespace spotrun
