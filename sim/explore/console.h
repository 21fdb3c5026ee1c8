// The last lines that the machines of a run printed, for reports of failures.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sim::explore {

// The last lines in FOLDER/MACHINE.log of each machine, each with the machine's name in front:
// "operator: …". Machines without a console are skipped.
std::vector<std::string> last_lines(const std::filesystem::path& folder,
                                    const std::vector<std::string>& machines);

}  // namespace sim::explore
