// The options of `spotsim init`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sim::cli {

struct InitCommand {
  std::filesystem::path user_data, fleet, training_job, log, before, image, out = "scenario.yaml";
  std::vector<std::filesystem::path> prices;
  std::vector<std::string> code;  // URL=FOLDER
  std::string start, limit = "12h", interrupt_after, job_volume_tag, checkpoint_files, copies;
  bool yes = false, force = false;
};

}  // namespace sim::cli
