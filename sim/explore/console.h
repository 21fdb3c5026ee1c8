// What the machines of a run printed last.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sim::explore {

// The last lines in FOLDER/MACHINE.log of each machine, each behind the machine's name: "operator:
// …". Machines without a console are left out.
std::vector<std::string> last_lines(const std::filesystem::path& folder,
                                    const std::vector<std::string>& machines);

}  // namespace sim::explore
