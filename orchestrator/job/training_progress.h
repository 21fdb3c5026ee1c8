// How far the job is, as the instances note it on the volume for an operator who runs a strategy
// (tags.h). Of any other job nothing is noted.
#pragma once

#include <map>
#include <string>

#include "orchestrator/context.h"

namespace spotrun {

struct Progress {
  std::map<std::string, Duration> trained;  // by instance type, of trainers that have saved since
  std::string trains_on;                    // the instance whose trainer runs; empty: none
  Time since{};                             // it does
};
Progress read_progress(const aws::Volume& volume);
// What is noted on a volume that goes on with the data of that time: between it and the last save
// no more was done than that took.
void take_back_progress(aws::Tags& tags, Time data);

// On the instance. A note that cannot be written within seconds is said; the one before it stays:
// neither the trainer nor a volume that is to be freed waits for it.
class ProgressNotes {
 public:
  ProgressNotes(const Context& context, const aws::Volume& volume, const client::Identity& self);
  void begins();  // the trainer is about to be started
  void saved();   // it has ended, and saved

 private:
  void write(const aws::Tags& tags);

  const Context& context_;
  const client::Identity& self_;
  std::string volume_id_;  // empty: nobody wants to know
  Duration trained_{};     // on this type of instance
  Time begin_{};
};

}  // namespace spotrun
