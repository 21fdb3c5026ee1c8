// Records a job's progress on its volume, for an operator that runs a strategy (tags.h). Other jobs
// have no such record.
#pragma once

#include <map>
#include <string>

#include "orchestrator/context.h"

namespace spotrun {

struct Progress {
  std::map<std::string, Duration> trained;  // by instance type, of trainers that have saved since
  std::string trains_on;                    // instance with a running trainer; empty: none
  Time since{};                             // start of that trainer
};
Progress read_progress(const aws::Volume& volume);
// Corrects the record of a volume that continues with older data, of the given time. Training
// between that time and the last save is subtracted.
void take_back_progress(aws::Tags& tags, Time data);

// Writes the record on the instance. A write that fails for seconds is logged, and the previous
// record remains, because neither the trainer nor the release of the volume may wait for it.
class ProgressNotes {
 public:
  ProgressNotes(const Context& context, const aws::Volume& volume, const client::Identity& self);
  void begins();  // call it before the trainer is started
  void saved();   // call it when the trainer has saved and ended

 private:
  void write(const aws::Tags& tags);

  const Context& context_;
  const client::Identity& self_;
  std::string volume_id_;  // empty: no strategy runs
  Duration trained_{};     // on this type of instance
  Time begin_{};
};

}  // namespace spotrun
