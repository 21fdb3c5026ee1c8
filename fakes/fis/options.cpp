#include "fakes/fis/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

namespace fakes::fis {
namespace {

struct OptionRow {
  std::string_view name, standard, other;
};
constexpr const char* kAccounts = "accountTargeting";
constexpr const char* kEmptyTargets = "emptyTargetResolutionMode";
constexpr const char* kActionsMode = "actionsMode";
// An update cannot set the first one (AWS FIS API reference, UpdateExperimentTemplate).
constexpr OptionRow kTemplateOptions[] = {{kAccounts, "single-account", "multi-account"},
                                          {kEmptyTargets, "fail", "skip"}};
constexpr OptionRow kStartOptions[] = {{kActionsMode, "run-all", "skip-all"}};

void set(Options& options, const Options& asked, std::span<const OptionRow> rows) {
  for (const auto& [name, value] : asked) {
    const auto row = std::ranges::find(rows, name, &OptionRow::name);
    if (row == rows.end())
      throw ApiError("ValidationException",
                     fmt::format("The experiment option {} cannot be set here.", name));
    if (value != row->standard && value != row->other)
      throw ApiError("ValidationException",
                     fmt::format("Experiment option {}: found {}, expected {} or {}.", name, value,
                                 row->standard, row->other));
    options[name] = value;
  }
}

bool has(const api::fis::Experiment& experiment, const char* option, const char* value) {
  const auto found = experiment.experiment_options.find(option);
  return found != experiment.experiment_options.end() && found->second == value;
}

}  // namespace

Options default_template_options() {
  Options options;
  for (const OptionRow& row : kTemplateOptions) options[std::string(row.name)] = row.standard;
  return options;
}

void set_template_options(Options& options, const Options& asked) {
  set(options, asked, kTemplateOptions);
  if (options[kAccounts] != "single-account")
    throw ApiError("ValidationException",
                   "Experiments in several accounts are not part of this simulated AWS.");
}

void change_template_options(Options& options, const Options& asked) {
  set(options, asked, std::span(kTemplateOptions).subspan(1));
}

void set_start_options(Options& options, const Options& asked) {
  options[kActionsMode] = kStartOptions[0].standard;
  set(options, asked, kStartOptions);
}

bool skips_all_actions(const api::fis::Experiment& experiment) {
  return has(experiment, kActionsMode, "skip-all");
}

bool may_be_empty(const api::fis::Experiment& experiment, const std::string& target) {
  return has(experiment, kEmptyTargets, "skip") &&
         experiment.targets.at(target).resource_arns.empty();
}

}  // namespace fakes::fis
