// A scenario as plain data, read from a YAML file. It has the events of the world in one run, the
// job, and the expectations; docs/scenario.md lists the keys. sim/run, sim/serve, sim/explore and
// sweeps use it.
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
#include "sim/monitoring/cpu_model.h"
#include "sim/result/expectations.h"
#include "sim/result/invariants/rules.h"
#include "sim/sagemaker/knobs.h"
#include "sim/scenario/overrides.h"

namespace sim::scenario {

// From this time after the start, the pool has this many slots.
struct CapacityChange {
  market::Pool pool;
  Duration after{};
  int slots = 0;
  bool reclaim = false;  // interrupt the newest spot instances beyond the slots
};

// The on-demand instances with which a run's cost is compared.
struct Baseline {
  std::string instance_type;  // of EC2, or of SageMaker: ml.p3.2xlarge
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

// An image from which instances boot.
struct GuestImage {
  std::filesystem::path root;  // a folder of files; empty: none
  bool host_packages = true;   // this machine's programs exist in it, too
  std::vector<GuestUser> users{{"ubuntu"}};
  guest::ContainerSettings container;
};

// The kind of guests and their sandbox. Empty level: the best one on this machine.
struct GuestChoice {
  GuestKind kind = GuestKind::kProcess;
  std::optional<std::string> level;  // "root", "user-namespaces", "plain"
  std::optional<bool> lockstep;
  bool warm_aws = true;  // aws-cli continues from a memory image, where this machine permits it
  std::string trainer;   // name of the trainer's processes, for faults; empty: not stated
  // The age at which a volume's written data goes to its disk, and how often the kernel looks for
  // such data (Linux's dirty_expire_centisecs and dirty_writeback_centisecs).
  Duration write_back_age = std::chrono::seconds{30};
  Duration write_back_look = std::chrono::seconds{5};
  std::map<std::string, GuestImage> images;  // by ImageId
  GuestImage other_image;                    // for all other ImageIds
};

// A region of AWS: its cloud and its market.
struct Region {
  cloud::Config cloud;          // region, zones, durations, prices
  market::PriceHistory prices;  // of the region's zones, in the run's time
  std::vector<CapacityChange> capacity;
  std::vector<CapacityChange> on_demand_capacity;  // `reclaim` is false
  market::Quotas quotas;
  faults::Plan interruptions, faults;  // both strike; only interruptions are known to oracles
};

// Everything that determines a run. The reader fills every member or throws, so callers check
// nothing again. The members of Region are the first region's.
struct Scenario : Region {
  std::filesystem::path file;      // paths are relative to its folder
  std::filesystem::path given_as;  // the file that the user named: `file`, or one based on it
  std::vector<std::filesystem::path> read_from;  // from the named file to `file`
  std::string name;
  std::string description;
  std::uint64_t seed = 1;
  Time start{};
  Duration limit{};
  std::optional<Duration> deadline;
  std::vector<Region> further_regions;
  std::shared_ptr<const market::InstanceTypes> instance_types = market::instance_types();
  cloud::Latencies latencies;
  guest::NetworkKnobs network;
  sagemaker::Knobs sagemaker;
  // Instance profiles that exist at the start. Empty: each one that a launch names exists.
  std::optional<std::vector<std::string>> instance_profiles;
  bool iam_decides = false;                         // policies and signatures decide about calls
  std::map<std::string, std::string> iam_policies;  // a policy document, by role or "operator"
  elastigroup::Knobs elastigroup;
  monitoring::CpuKnobs cpu;
  std::vector<std::string> skipped_resource_types;  // CloudFormation skips them
  std::string operator_script;
  std::string operator_file;              // the file with the script
  int operator_script_line = 0;           // line of the script's first line in it
  std::filesystem::path operator_folder;  // empty: none
  std::map<std::string, std::filesystem::path> code;
  fakes::WebContents urls;  // what guests find on the Internet
  GuestChoice guest;
  std::optional<guest::ProgressRule> progress;  // how process guests' trainers are read
  bool needs_evidence = true;                   // "completed" requires evidence of training
  bool scripts_suffice = false;                 // scripts are evidence if no trainer reports
  // The URI s3://BUCKET/PREFIX to which the job copies its checkpoints; empty: not stated.
  std::string checkpoint_copies;
  std::optional<guest::TrainerModel> trainer;  // the model for fiber guests
  std::vector<std::string>
      keep;  // files of instances to keep with the results, as patterns of fnmatch(3)
  std::string job_volume_tag;  // value of the Name tag; empty: there is no such volume
  std::optional<Baseline> baseline;
  std::vector<result::Expectation> expect;
  result::InvariantRules invariants;
  std::set<std::string> inputs;  // files and folders that were read, named as in the file
  // Values that are probably mistakes, each with file, line, column and key.
  std::vector<std::string> warnings;
};

// All errors of a scenario, one per line: "file:line:column: key: found …, expected …".
class ScenarioError : public std::runtime_error {
 public:
  explicit ScenarioError(std::vector<std::string> messages);
  const std::vector<std::string>& messages() const { return messages_; }

 private:
  std::vector<std::string> messages_;
};

// Parses an entry of `faults` in the form of faults::to_yaml(), for a scenario that was read.
// Throws ScenarioError.
faults::Fault parse_fault(const std::string& yaml, const Scenario& scenario);

// The content of a file that a command received. Throws ScenarioError "cannot read FILE: why".
std::string read_input(const std::filesystem::path& file);

// Reads and checks a scenario with all the files it names; paths are relative to its folder. Throws
// ScenarioError.
Scenario read_scenario(const std::filesystem::path& file, const Overrides& overrides = {});
// The same for a text. `file` names it in messages, and paths are relative to the file's folder.
Scenario parse_scenario(const std::string& text, const std::filesystem::path& file,
                        const Overrides& overrides = {});

}  // namespace sim::scenario
