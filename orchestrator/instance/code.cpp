#include "orchestrator/instance/code.h"

#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/failure.h"

namespace spotrun {
namespace {

constexpr int kRefusals = 3;  // attempts to get a missing revision from a reachable repository
constexpr Duration kFirstCodePause{10'000}, kLongestCodePause{60'000};

class Clone {
 public:
  Clone(Machine& machine, std::string path)
      : machine_(machine), path_(std::move(path)), local_(machine.local_path(path_)) {}

  // A clone that cannot be updated is deleted and cloned again only if the repository can be
  // reached: otherwise it may be the only copy of the code.
  bool fetch(const CodeConfig& code) {
    if (exists()) {
      if (update(code)) return true;
      if (!reaches(code)) return false;
    }
    machine_.remove_folder(path_);
    return git({"clone", "--quiet", "--no-checkout", code.repository, local_}, "") &&
           check_out(code);
  }
  bool exists() { return machine_.exists(path_ + "/.git"); }
  // Whether the repository answers.
  bool reaches(const CodeConfig& code) {
    return git({"ls-remote", "--quiet", code.repository, "HEAD"}, "");
  }
  // The revision in the existing clone, without contacting the repository.
  bool use_old(const CodeConfig& code) { return exists() && check_out(code); }

 private:
  bool update(const CodeConfig& code) {
    return git({"remote", "set-url", "origin", code.repository}, local_) &&
           git({"fetch", "--quiet", "--force", "--tags", "origin"}, local_) && check_out(code);
  }

  // For a branch it uses the remote's state, because the branches of the clone are as old as the
  // clone.
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
  const CodeConfig& code = *job.code;
  const std::string what = fmt::format("{} {}", code.repository, code.revision);
  Clone clone(context.machine, path);
  const Duration begin = context.clock.elapsed();
  int refusals = 0;
  for (Duration pause = kFirstCodePause;; pause = std::min(pause * 2, kLongestCodePause)) {
    if (clone.fetch(code)) break;
    const bool reached = clone.reaches(code);
    const Duration waited = context.clock.elapsed() - begin;
    if (!reached && waited >= kOldCodePatience && clone.use_old(code)) {
      context.log.say("cannot reach " + what + ": going on with the code of an earlier instance");
      break;
    }
    if ((reached && ++refusals == kRefusals) || waited >= kCodePatience)
      throw Failure(ExitCode::kMachine, "cannot fetch " + what);
    context.log.say(fmt::format("cannot {} {}: again in {} s", reached ? "fetch" : "reach", what,
                                pause.count() / 1000));
    context.clock.sleep(pause);
  }
  return context.machine.local_path(path);
}

}  // namespace spotrun
