#include <fmt/format.h>

#include <algorithm>

#include "sim/cli/trace_commands.h"

namespace sim::cli {
namespace {

bool asked_for(const std::vector<std::string>& wanted, const std::string& name) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
}

}  // namespace

void import_trace(const ImportTrace& command) {
  const Time from = command.from.empty() ? Time::min() : time_option("--from", command.from);
  const Time to = command.to.empty() ? Time::max() : time_option("--to", command.to);
  market::PriceHistory history;
  for (const std::filesystem::path& file : command.files)
    merge(history, market::read_price_history(file));
  std::erase_if(history.pools, [&](const auto& entry) {
    return !asked_for(command.types, entry.first.instance_type) ||
           !asked_for(command.zones, entry.first.availability_zone);
  });
  history = between(history, from, to);
  if (history.pools.empty())
    throw market::TraceError("no prices are left: none match --type, --zone, --from and --to");
  write_price_history(history, command.out);
}

}  // namespace sim::cli
