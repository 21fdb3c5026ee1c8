// A scenario: what the world does in one run, read from a YAML file (docs/scenario.md lists the
// keys).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/web/url.h"
#include "sim/cloud/cloud.h"
#include "sim/elastigroup/knobs.h"
#include "sim/faults/plan.h"
#include "sim/guest/container_settings.h"
#include "sim/guest/fiber/trainer_model.h"
#include "sim/guest/network/network_knobs.h"
#include "sim/guest/process/progress/progress_rule.h"
#include "sim/kernel/time.h"
#include "sim/market/instance_types.h"
#include "sim/market/price_history.h"
#include "sim/result/expectations.h"
#include "sim/result/invariants/rules.h"
#include "sim/sagemaker/knobs.h"
#include "sim/scenario/overrides.h"

namespace sim::run {

// From `after` the start on, the pool has this many slots.
struct CapacityStep {
  market::Pool pool;
  Duration after{};
  int slots = 0;
  bool reclaim = false;  // spot instances beyond the slots are interrupted, the newest first
};

struct Baseline {
  std::string instance_type;  // one of EC2's, or of SageMaker's: ml.p3.2xlarge
  int instances = 1;
  std::optional<Duration> step_time;
};

// Real programs in sandboxes, or the orchestrator's library over models (docs/fiber-guest.md).
enum class GuestKind { kProcess, kFiber };
std::string_view name(GuestKind kind);  // "process", "fiber"

struct GuestUser {
  std::string name;
  unsigned uid = 1000;
};

// What an instance boots from.
struct GuestImage {
  std::filesystem::path root;  // a folder of files; empty: none
  bool host_packages = true;   // this machine's programs are there, too
  std::vector<GuestUser> users{{"ubuntu"}};
  guest::ContainerSettings container;
};

// The kind of guests and their sandbox; empty: the best kind on this machine.
struct GuestChoice {
  GuestKind kind = GuestKind::kProcess;
  std::optional<std::string> level;  // "root", "user-namespaces", "plain"
  std::optional<bool> lockstep;
  bool warm_aws = true;  // aws-cli continues from a memory image, where this machine permits it
  std::string trainer;   // name of the trainer's processes, for faults; empty: not stated
  // When a volume's written data is on its disk (Linux's dirty_expire_centisecs and
  // dirty_writeback_centisecs).
  Duration write_back_age = std::chrono::seconds{30};
  Duration write_back_look = std::chrono::seconds{5};
  std::map<std::string, GuestImage> images;  // by ImageId
  GuestImage other_image;                    // of all others
};

struct Scenario {
  std::filesystem::path file;                    // whose folder is where paths start
  std::filesystem::path given_as;                // it or, where that is based on it, another
  std::vector<std::filesystem::path> read_from;  // from the one that was given to `file`
  std::string name;
  std::string description;
  std::uint64_t seed = 1;
  Time start{};
  Duration limit{};
  std::optional<Duration> deadline;
  cloud::Config cloud;  // region, zones, durations, prices
  std::shared_ptr<const market::InstanceTypes> instance_types = market::instance_types();
  cloud::Latencies latencies;
  guest::NetworkKnobs network;
  sagemaker::Knobs sagemaker;
  // Those that the account has at the start; empty: each that a launch names.
  std::optional<std::vector<std::string>> instance_profiles;
  elastigroup::Knobs elastigroup;
  std::vector<std::string> skipped_resource_types;  // that CloudFormation passes over
  market::PriceHistory prices;                      // of the region's zones, on the run's time
  std::vector<CapacityStep> capacity;
  faults::Plan interruptions, faults;  // both go wrong in a run; the former are foretold
  std::string operator_script;
  std::string operator_file;              // that has the script
  int operator_script_line = 0;           // there, of the script's first line
  std::filesystem::path operator_folder;  // empty: none
  std::map<std::string, std::filesystem::path> code;
  fakes::WebContents urls;  // what guests find on the internet
  GuestChoice guest;
  std::optional<guest::ProgressRule> progress;  // how process guests' trainers are heard
  bool needs_evidence = true;                   // of what was trained, for the outcome "completed"
  bool scripts_suffice = false;                 // for it, where no trainer reports anything
  // Where the job copies its checkpoints, as s3://BUCKET/PREFIX; empty: it does not say.
  std::string checkpoint_copies;
  std::optional<guest::TrainerModel> trainer;  // how fiber guests model the job's trainer
  std::vector<std::string>
      keep;                    // files of instances that the results keep, patterns of fnmatch(3)
  std::string job_volume_tag;  // value of the Name tag; empty: none is looked for
  std::optional<Baseline> baseline;
  std::vector<Expectation> expect;
  InvariantRules invariants;
  std::set<std::string> inputs;  // files and folders that were read, as the file names them
  // What can hardly be meant, each with file, line, column and key.
  std::vector<std::string> warnings;
};

// All that is wrong with a scenario, a line each: "file:line:column: key: found …, expected …".
class ScenarioError : public std::runtime_error {
 public:
  explicit ScenarioError(std::vector<std::string> messages);
  const std::vector<std::string>& messages() const { return messages_; }

 private:
  std::vector<std::string> messages_;
};

// An entry of `faults`, as faults::to_yaml() writes it, for a scenario that has been read. Throws
// ScenarioError.
faults::Fault parse_fault(const std::string& yaml, const Scenario& scenario);

// All bytes of a file that a command was given. Throws ScenarioError "cannot read FILE: why".
std::string read_input(const std::filesystem::path& file);

// Reads and checks a scenario with all the files it names; paths are relative to its folder. Throws
// ScenarioError.
Scenario read_scenario(const std::filesystem::path& file, const Overrides& overrides = {});
// The same of a text; `file` names it in messages and its folder is where paths start.
Scenario parse_scenario(const std::string& text, const std::filesystem::path& file,
                        const Overrides& overrides = {});

}  // namespace sim::run
