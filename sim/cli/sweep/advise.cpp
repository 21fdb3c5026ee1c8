#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <stdexcept>

#include "base/in_parallel.h"
#include "sim/cli/commands.h"
#include "sim/cli/sweep/advice_text.h"
#include "sim/cli/terminal/terminal_style.h"
#include "sim/scenario/scenario.h"

namespace sim::cli {
namespace {

constexpr int kAnswered = 0, kBadJob = 2;

struct AdviseCommand {
  std::filesystem::path file;
  unsigned threads = 0;  // 0: as many as there are cores
};

int advise(const AdviseCommand& command) {
  try {
    const run::AdviceFile file = run::read_advice_file(command.file);
    for (const std::string& warning : file.warnings) say(Style::kWarning, warning);
    const unsigned threads =
        command.threads ? command.threads : static_cast<unsigned>(base::cores());
    fmt::print("{}", advice_text(file, sweep::advise(file.question, threads), Styler(stdout)));
    return kAnswered;
  } catch (const run::ScenarioError& error) {
    say(Style::kError, error.what());
  } catch (const std::length_error& error) {
    say(Style::kError, fmt::format("{}: trace: {}", command.file.string(), error.what()));
  }
  return kBadJob;
}

}  // namespace

void add_advise_command(CLI::App& app, int& exit_code) {
  CLI::App* advise_app =
      app.add_subcommand("advise", "Recommend a checkpoint policy and what to rent");
  auto command = std::make_shared<AdviseCommand>();
  advise_app->add_option("JOB", command->file, "a job in a few lines (docs/advise.md)")->required();
  advise_app->add_option("--threads", command->threads, "number of threads (default: one per core)")
      ->check(CLI::Range(1, 1024));
  advise_app->callback([command, &exit_code] { exit_code = advise(*command); });
}

}  // namespace sim::cli
