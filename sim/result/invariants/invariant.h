// Something that must hold in every run. An invariant listens to the events that concern it. At the
// first event that breaks the invariant it keeps the lines that show the breach. A new one is a
// file of this folder and a name in list.h.
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

namespace sim::run {

class Invariant {
 public:
  Invariant(std::string id, std::string sentence);
  virtual ~Invariant() = default;

  // Has itself told of the events that it is about. It must outlive the log's listeners.
  virtual void listen(events::Listeners&) {}

  // When the run is over, with all that is told of it.
  virtual void end(const History&, const Result&) {}
  // False: this run has nothing that it is about, and it is left out of the result.
  virtual bool applies() const { return true; }
  Verdict verdict() const;

 protected:
  static constexpr std::size_t kMostLines = 6;

  // The first time counts; `lines` as they stand in events.jsonl, of more than kMostLines the first
  // and last. `about`: an expectation that states all of these figures excuses the breach
  // (Verdict::about).
  void broken(Time at, std::string found, std::vector<std::string> lines = {},
              std::vector<Verdict::Figure> about = {});
  bool is_broken() const { return broken_.has_value(); }
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

}  // namespace sim::run
