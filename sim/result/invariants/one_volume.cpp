#include <fmt/format.h>

#include "sim/result/invariants/list.h"

namespace sim::result {
namespace {

class OneVolume : public Invariant {
 public:
  explicit OneVolume(const RunSoFar& run)
      : Invariant("one-volume", "exactly one volume has the job's tag at the end"), run_(run) {}

  void end(const History& history, const Result&) override {
    set_sentence(fmt::format("exactly one volume has the tag Name={} at the end", run_.job_tag()));
    const auto tagged = run_.tagged();
    if (tagged.size() == 1 || (tagged.empty() && run_.tagged_broke())) return;
    if (!run_.ever_tagged() && !run_.finished()) return;  // the job failed before it had a volume
    std::vector<std::string> lines;
    for (const auto& [id, given] : tagged) lines.push_back(given);
    broken(history.end, fmt::format("{}", tagged.size()), std::move(lines), {{"tagged_volumes"}});
  }

  bool applies() const override { return !run_.job_tag().empty(); }

 private:
  const RunSoFar& run_;
};

}  // namespace

std::unique_ptr<Invariant> one_volume(const InvariantRules&, const RunSoFar& run) {
  return std::make_unique<OneVolume>(run);
}

}  // namespace sim::result
