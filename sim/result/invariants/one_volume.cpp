#include <fmt/format.h>

#include <array>

#include "sim/result/invariants/list.h"

namespace sim::run {
namespace {

class OneVolume : public Invariant {
 public:
  OneVolume() : Invariant("one-volume", "one volume bears the job's tag at the end") {}

  void end(const Story& story, const Result& result) override {
    tagged_ = !story.header.job_volume_tag.empty();
    set_sentence(
        fmt::format("one volume is tagged Name={} at the end", story.header.job_volume_tag));
    const int count = result.at_end.tagged_volumes;
    if (count != 1) broken(story.end, fmt::format("{}", count));
  }

  bool applies() const override { return tagged_; }
  std::span<const std::string_view> excused_by() const override { return kExcuses; }

 private:
  static constexpr std::array<std::string_view, 1> kExcuses{"tagged_volumes"};
  bool tagged_ = false;
};

}  // namespace

std::unique_ptr<Invariant> one_volume(const InvariantRules&) {
  return std::make_unique<OneVolume>();
}

}  // namespace sim::run
