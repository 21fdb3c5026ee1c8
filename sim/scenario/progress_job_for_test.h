// The reader of one job's logs, for tests of the named formats.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/events/event.h"
#include "sim/guest/process/progress/progress_reader.h"
#include "sim/scenario/progress_formats.h"

namespace sim::scenario::test {

using Reports = std::vector<std::string>;

// One job, whose instances print one after another.
struct Job {
  explicit Job(std::string_view name)
      : rule(rule_of(*std::ranges::find(progress_formats(), name, &ProgressFormat::name))) {}

  // The reports "start 0", "step 5", … of one instance, whose log is read in parts of this many
  // bytes.
  Reports reads(std::string_view log, std::size_t part) {
    Reports told;
    guest::ProgressReader reader(
        rule, memory,
        [&](std::string_view event, const Json& fields) {
          told.push_back(std::string(event) + " " + fields["step"].dump());
          if (fields.contains("path")) told.back() += " " + fields["path"].get<std::string>();
          if (fields.contains("total_steps")) total = fields["total_steps"];
        },
        [] { return std::string(); });
    for (; !log.empty(); log.remove_prefix(std::min(part, log.size())))
      reader.take(log.substr(0, part));
    reader.end();
    return told;
  }
  Reports reads(std::string_view log) { return reads(log, log.size()); }

  guest::ProgressRule rule;
  guest::ProgressMemory memory;
  std::int64_t total = 0;
};

}  // namespace sim::scenario::test
