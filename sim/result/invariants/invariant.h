// An invariant: a sentence that must be true in every run, whatever faults strike. It listens to
// the events that concern it. At the first event that breaks it, it keeps the lines of the log that
// show the breach. To add an invariant, add a file to this folder and a name to list.h.
//
// An invariant may use the history (sim/result/history.h) and RunSoFar. Both are up to date with an
// event before the invariant gets it. An invariant must not blame a job for what hardware, AWS or
// the plan took: see RunSoFar::acknowledged().
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/events/events.h"
#include "sim/events/listeners.h"
#include "sim/result/history.h"
#include "sim/result/result.h"

namespace sim::result {

class Invariant {
 public:
  Invariant(std::string id, std::string sentence);
  virtual ~Invariant() = default;

  // Registers for the events that concern the invariant. It must outlive the log's listeners.
  virtual void listen(events::Listeners&) {}

  // Called at the end of the run, with its whole history and result.
  virtual void end(const History&, const Result&) {}
  // False: the invariant does not concern this run and is left out of the result.
  virtual bool applies() const { return true; }
  Verdict verdict() const;
  bool is_broken() const { return broken_.has_value(); }

 protected:
  static constexpr std::size_t kMostLines = 6;

  // Records the breach; only the first one counts. `lines` are lines of events.jsonl; of more than
  // kMostLines the first and last are kept. `about`: an expectation that states all of these
  // figures excuses the breach (Verdict::about).
  void broken(Time at, std::string found, std::vector<std::string> lines = {},
              std::vector<Verdict::Figure> about = {});
  void set_sentence(std::string sentence) { sentence_ = std::move(sentence); }

 private:
  struct Broken {
    Time at;
    std::string found;
    std::vector<std::string> lines;
    std::vector<Verdict::Figure> about;
  };
  std::string id_, sentence_;
  std::optional<Broken> broken_;
};

}  // namespace sim::result
