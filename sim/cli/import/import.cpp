#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "sim/cli/commands.h"
#include "sim/cli/import/account_comparison.h"
#include "sim/cli/run/run.h"
#include "sim/cli/terminal/terminal_style.h"
#include "sim/traces/trace_file.h"

namespace sim::cli {
namespace {

namespace fs = std::filesystem;

struct ImportAws {
  std::vector<fs::path> files;
  fs::path out;
  bool compare = false;
};

void write_files(const std::vector<ReplayFile>& files, const fs::path& folder) {
  std::vector<traces::TraceFile> written;
  for (const ReplayFile& file : files) {
    const fs::path path = folder / file.name;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error)
      throw RecordError(path.parent_path().string() + ": cannot be made: " + error.message());
    written.push_back({path, file.text});
  }
  traces::write_trace_files(written);
  for (const ReplayFile& file : files)
    if (file.is_program)
      fs::permissions(folder / file.name, fs::perms::owner_exec | fs::perms::group_exec,
                      fs::perm_options::add);
}

void print_counts(const char* title, const std::map<std::string, int>& counts) {
  if (counts.empty()) return;
  fmt::print("{}:\n", title);
  for (const auto& [kind, count] : counts) fmt::print("  {:>6}  {}\n", count, kind);
}

void print_plan(const AccountRecords& account, const AccountReplay& replay, const fs::path& out) {
  print_counts("Records read", account.used);
  print_counts("Records not used", account.unused);
  for (const std::string& left_out : replay.left_out)
    say(Style::kWarning, "spotsim: left out: " + left_out);
  std::string durations;
  for (const auto& [name, range] : replay.durations)
    durations += fmt::format("{}{} {}", durations.empty() ? "" : ", ", name, range);
  fmt::print("Durations from records: {}. Others have their defaults.\n",
             durations.empty() ? "none" : durations);
  fmt::print("Replay of {} instances and {} training jobs: spotsim run {}\n",
             replay.instances.size(), replay.jobs.size(), (out / "scenario.yaml").string());
  std::fflush(stdout);
}

int import_aws(const ImportAws& command) {
  const AccountRecords account = read_account(command.files);
  const AccountReplay replay = plan_replay(account);
  write_files(replay_files(replay), command.out);
  print_plan(account, replay, command.out);
  if (!command.compare) return kHolds;
  const fs::path run_folder = command.out / "run";
  const int status =
      run({.scenarios = {command.out / "scenario.yaml"}, .out = run_folder, .quiet = true});
  if (status == kBadInput || status == kInterrupted) return status;
  fmt::print("{}", comparison_text(compare(replay, run_folder / "events.jsonl")));
  return kHolds;
}

}  // namespace

void add_import_command(CLI::App& app, int& exit_code) {
  CLI::App* import = app.add_subcommand("import", "Make a scenario from records of a real account");
  import->require_subcommand(1);
  CLI::App* aws = import->add_subcommand(
      "aws", "Make a scenario that replays exported records of AWS (docs/import.md)");
  auto command = std::make_shared<ImportAws>();
  aws->add_option("FILE", command->files,
                  "records of CloudTrail and EventBridge, and output of aws-cli's describe "
                  "commands; the content decides which")
      ->required();
  aws->add_option("-o,--out", command->out, "the folder for scenario.yaml and its files")
      ->required();
  aws->add_flag("--compare", command->compare,
                "run the scenario, and print recorded and replayed times, ends and cost");
  aws->callback([command, &exit_code] {
    try {
      exit_code = import_aws(*command);
    } catch (const std::runtime_error& error) {  // RecordError, TraceError, std::system_error
      say(Style::kError, std::string("spotsim: ") + error.what());
      exit_code = kBadInput;
    }
  });
}

}  // namespace sim::cli
