#include "sim/run/missing_actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

namespace sim::run {
namespace {

// The errors by which the simulated AWS answers an action that it does not have.
constexpr std::array<std::string_view, 3> kErrors{"NotImplemented", "InvalidAction",
                                                  "UnknownOperationException"};

// The number and the text of the first line of this console with the action's error.
std::string line_with(const std::filesystem::path& console, const std::string& action) {
  std::ifstream in(console);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const bool error = std::ranges::any_of(
        kErrors, [&line](std::string_view name) { return line.find(name) != line.npos; });
    if (!error || line.find(action) == line.npos) continue;
    if (line.ends_with('\r')) line.pop_back();
    return fmt::format(":{}: {}", number, line.substr(0, 160));
  }
  return "";
}

}  // namespace

void MissingActions::listen(events::Listeners& log) {
  log.on<events::ApiCall>([this](const events::ApiCall& event) {
    if (std::ranges::find(kErrors, std::string_view(event.result)) == kErrors.end()) return;
    const MissingAction missing{std::string(event.service), std::string(event.action),
                                std::string(event.caller)};
    if (std::ranges::find(all_, missing) == all_.end()) all_.push_back(missing);
  });
}

std::string action_of(const std::string& service, const std::string& action) {
  // JSON protocols prefix the action: "AmazonSSM.SendCommand".
  const std::string name = action.substr(action.rfind('.') + 1);
  return service.empty() || service == "ec2" ? name : service + " " + name;
}

std::string in_words(const MissingAction& missing, const std::filesystem::path& folder) {
  const std::string console = fmt::format("console/{}.log", missing.machine);
  const std::string line = folder.empty() ? "" : line_with(folder / console, missing.action);
  return fmt::format("{} ({}: {}{})", action_of(missing.service, missing.action), missing.machine,
                     console, line);
}

}  // namespace sim::run
