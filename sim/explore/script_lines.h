// Finds the lines of the user's scripts that make an AWS call or ask for metadata, so that a report
// can name them. It searches the text; it does not run the scripts.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/scenario.h"

namespace sim::explore {

struct ScriptLine {
  std::string file;  // relative to the scenario's folder
  int number = 0;    // of the line, from 1
  std::string text;  // without blanks around it

  bool operator==(const ScriptLine&) const = default;
};

class ScriptLines {
 public:
  // Reads the operator's script and the text files that the scenario names. Data such as JSON and
  // CSV is left out.
  explicit ScriptLines(const scenario::Scenario& scenario);

  // The lines that make this call with aws-cli or boto3. For "CreateVolume" these contain
  // "create-volume" or "create_volume". Waiters and `aws s3` commands count, too. Lines of scripts
  // that this machine ("operator", or an instance) probably runs come first. Empty: any.
  std::vector<ScriptLine> calling(std::string_view action, std::string_view machine = "") const;
  // The lines that ask for this path of the instance metadata, or for its last parts.
  std::vector<ScriptLine> asking_for(std::string_view path) const;
  // The lines that these lines of consoles name: "train.py", line 7 (Python) or train.sh: line 7:
  // (bash). Files that are not the user's are left out.
  std::vector<ScriptLine> named_in(const std::vector<std::string>& console) const;

 private:
  struct Script {
    std::string file;
    int first = 1;  // number of the first line of `lines` in the file
    std::vector<std::string> lines;
  };

  static bool operator_runs(const std::string& file, const scenario::Scenario& scenario);
  void add_file(const std::filesystem::path& file, const std::string& name);
  void add(std::string name, int first, const std::string& text);
  // The lines that contain one of the words, where no letter, digit or hyphen follows, unless the
  // word ends with a hyphen or an underscore.
  std::vector<ScriptLine> with(const std::vector<std::string>& words) const;
  std::optional<ScriptLine> line(const std::string& file, int number) const;

  std::vector<Script> scripts_;
  std::set<std::string, std::less<>> operators_;  // files of scripts that the operator runs
};

}  // namespace sim::explore
