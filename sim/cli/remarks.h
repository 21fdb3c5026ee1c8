// What a run is not failed for, but hardly meant: it launched nothing, cloud-init
// warned of an instance's user data, or a guest's progress lines could not be read.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/events/listeners.h"

namespace sim::cli {

class Remarks {
 public:
  // The remarks must outlive the log's listeners.
  void listen(events::Listeners& log);
  std::vector<std::string> all() const;  // a sentence each

 private:
  void call(const events::ApiCall& event);

  std::set<std::string> launched_;                // instances
  std::map<std::string, std::string> user_data_;  // machine → cloud-init's first warning of it
  bool operator_failed_ = false;                  // which is told with its status
  std::vector<std::string> refused_;  // calls of the operator: "RunInstances (its error code)"
  std::vector<std::string> lacking_;  // calls that the simulated AWS has not: "iam GetRole"
  std::int64_t bad_lines_ = 0;
  std::string first_bad_;  // "i-…: the line: why"
};

}  // namespace sim::cli
