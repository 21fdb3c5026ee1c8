#include <fmt/format.h>

#include <optional>
#include <utility>

#include "sim/result/invariants/list.h"

namespace sim::result {
namespace {

class OneSource : public Invariant {
 public:
  explicit OneSource(const RunSoFar& run)
      : Invariant("one-source-of-truth",
                  "whenever a trainer runs, exactly one existing volume has the job's tag"),
        run_(run) {}

  void listen(events::Listeners& log) override {
    log.on(*this, &OneSource::look<events::TrainerStart>);
    log.on(*this, &OneSource::look<events::VolumeState>);
    log.on(*this, &OneSource::look<events::TagsCreated>);
    log.on(*this, &OneSource::look<events::TagsDeleted>);
    log.on(*this, &OneSource::look<events::FaultMade>);
  }

  void end(const History&, const Result&) override {
    if (found_) tell();
  }

  bool applies() const override { return !run_.job_tag().empty() && run_.reports_progress(); }

 private:
  template <class E>
  void look(const E& event) {
    if (found_ && event.time > found_->at) tell();
    const auto tagged = run_.tagged();
    const bool holds = run_.training().empty() || tagged.size() == 1 || run_.tagged_broke();
    if (holds) found_.reset();
    if (holds || found_ || is_broken()) return;
    std::vector<std::string> lines;
    std::string which;
    for (const auto& [id, given] : tagged) {
      lines.push_back(given);
      which += (which.empty() ? ": " : ", ") + id;
    }
    const auto& [instance, start] = *run_.training().begin();
    lines.push_back(start);
    if (const std::string line = to_line(event); line != lines.back()) lines.push_back(line);
    found_ = {event.time,
              fmt::format("{}{} at {}, while {} trains", tagged.size(), which,
                          iso_seconds(event.time), instance),
              std::move(lines), static_cast<double>(tagged.size())};
  }

  void tell() {
    broken(found_->at, std::move(found_->text), std::move(found_->lines),
           {{"tagged_volumes", found_->tagged}});
    found_.reset();
  }

  // A breach counts only after its instant has passed. If a fault makes a volume, the log says so
  // in the last line about that volume's creation.
  struct Found {
    Time at;
    std::string text;
    std::vector<std::string> lines;
    double tagged;  // number of tagged volumes
  };
  std::optional<Found> found_;

  const RunSoFar& run_;
};

}  // namespace

std::unique_ptr<Invariant> one_source(const InvariantRules&, const RunSoFar& run) {
  return std::make_unique<OneSource>(run);
}

}  // namespace sim::result
