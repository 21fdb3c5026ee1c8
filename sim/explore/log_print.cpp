#include "sim/explore/log_print.h"

#include <xxhash.h>

#include "sim/result/event_fields.h"

namespace sim::explore {

void LogPrint::hear(const Event& line) {
  if (line.kind.starts_with("fault.")) return;
  if (line.kind == "instance.state" && run::text(line, "from").empty())
    newest_instance_ = run::text(line, "instance_id");
  const std::string text = to_line(line);
  print_ = XXH3_64bits_withSeed(text.data(), text.size(), print_);
}

}  // namespace sim::explore
