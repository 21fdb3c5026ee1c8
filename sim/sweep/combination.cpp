#include "sim/sweep/combination.h"

#include <cstdlib>
#include <utility>

#include "base/process/system_call.h"

namespace sim::sweep {
namespace {

namespace fs = std::filesystem;

// A folder for one run.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "spotsim-sweep-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) base::throw_errno("a folder for a run");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

fs::path programs_folder() { return fs::read_symlink("/proc/self/exe").parent_path(); }

Combination::Combination(scenario::Scenario scenario, scenario::GuestKind guest) {
  if (guest == scenario::GuestKind::kFiber) {
    fibers_.emplace(std::move(scenario));
    return;
  }
  scenario_ = std::make_unique<const scenario::Scenario>(std::move(scenario));
  if (const std::string refusal = run::refusal_here(*scenario_); !refusal.empty())
    throw run::RunError(refusal);
}

run::RunReport Combination::run(std::uint64_t seed, LogText text,
                                const std::atomic<bool>* stop) const {
  if (fibers_) return fibers_->run({.output = "", .programs = "", .seed = seed, .text = text});
  const TemporaryFolder folder;
  return run::run(*scenario_, {.output = folder.path(),
                               .programs = programs_folder(),
                               .seed = seed,
                               .guest = scenario::GuestKind::kProcess,
                               .stop = stop});
}

}  // namespace sim::sweep
