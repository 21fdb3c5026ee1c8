#include "sim/result/invariants/invariant.h"

namespace sim::result {

Invariant::Invariant(std::string id, std::string sentence)
    : id_(std::move(id)), sentence_(std::move(sentence)) {}

void Invariant::broken(Time at, std::string found, std::vector<std::string> lines,
                       std::vector<Verdict::Figure> about) {
  if (broken_) return;
  if (lines.size() > kMostLines) {
    constexpr auto kHalf = static_cast<std::ptrdiff_t>(kMostLines / 2);
    lines.erase(lines.begin() + kHalf, lines.end() - kHalf);
  }
  broken_ = {at, std::move(found), std::move(lines), std::move(about)};
}

Verdict Invariant::verdict() const {
  Verdict verdict{.what = sentence_, .holds = !broken_};
  verdict.id = id_;
  if (!broken_) return verdict;
  verdict.found = broken_->found;
  verdict.at = broken_->at;
  verdict.lines = broken_->lines;
  verdict.about = broken_->about;
  return verdict;
}

}  // namespace sim::result
