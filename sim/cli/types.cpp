#include <fmt/format.h>
#include <fnmatch.h>

#include <filesystem>
#include <optional>
#include <set>

#include "base/text/nearest.h"
#include "sim/cli/commands.h"
#include "sim/cli/terminal/terminal_style.h"
#include "sim/events/event.h"
#include "sim/market/instance_types.h"

namespace sim::cli {
namespace {

using market::InstanceType;
using market::InstanceTypeError;

struct TypesCommand {
  std::string pattern;
  std::string region = "us-west-2";
  std::string date;
  std::optional<Time> at;      // of `date`; empty: the newest prices
  std::filesystem::path file;  // of the user's own types; empty: none
  bool json = false;
};

void check_type_region(const market::InstanceTypes& types, const std::string& region) {
  std::set<std::string> regions;
  for (const auto& [name, type] : types)
    for (const market::OnDemandPrice& price : type.on_demand) regions.insert(price.region);
  if (regions.contains(region)) return;
  const auto meant = base::nearest(region, regions);
  throw InstanceTypeError(
      fmt::format("--region: found \"{}\", expected {}", region,
                  meant ? *meant : fmt::format("one of {}", fmt::join(regions, ", "))));
}

// True if the pattern is a part of the type's name or of its GPU's name. * and ? have the meaning
// that they have in file names.
bool type_matches(const InstanceType& type, const std::string& pattern) {
  const std::string part = "*" + pattern + "*";
  return fnmatch(part.c_str(), type.name.c_str(), FNM_CASEFOLD) == 0 ||
         fnmatch(part.c_str(), type.gpu.c_str(), FNM_CASEFOLD) == 0;
}

// The price for the command's region and date.
const market::OnDemandPrice& asked_price(const InstanceType& type, const TypesCommand& command) {
  return market::on_demand_price(type, command.region, command.at);
}

void print_types(const std::vector<const InstanceType*>& types, const TypesCommand& command) {
  print_heading(fmt::format("{:<18} {:>5} {:>10} {:>6}  {:<20} {:<12} {:>12}  {}\n", "type",
                            "vCPUs", "memory GiB", "GPUs", "GPU", "architecture", "$ an hour",
                            "on demand in, as of"));
  for (const InstanceType* type : types) {
    const auto& price = asked_price(*type, command);
    const bool elsewhere = price.region != command.region;
    fmt::print("{:<18} {:>5} {:>10.4g} {:>6}  {:<20} {:<12} {:>12}  {}, {}{}\n", type->name,
               type->vcpus, type->memory_mib / 1024.0,
               type->gpus == 0 ? "" : fmt::format("{}", type->gpus), type->gpu, type->architecture,
               format_usd(price.per_hour), price.region, price.as_of,
               elsewhere ? fmt::format(" (no price is known in {})", command.region) : "");
  }
}

Json json_of_types(const std::vector<const InstanceType*>& types, const TypesCommand& command) {
  Json all = Json::array();
  for (const InstanceType* type : types) {
    const auto& price = asked_price(*type, command);
    all.push_back({{"instance_type", type->name},
                   {"vcpus", type->vcpus},
                   {"memory_mib", type->memory_mib},
                   {"gpus", type->gpus},
                   {"gpu", type->gpu},
                   {"architecture", type->architecture},
                   {"on_demand_usd_per_hour", format_usd(price.per_hour)},
                   {"price_region", price.region},
                   {"price_as_of", price.as_of}});
  }
  return all;
}

void list_types(TypesCommand& command) {
  if (!command.date.empty()) command.at = parse_time(command.date);
  if (!command.date.empty() && !command.at)
    throw InstanceTypeError(
        fmt::format("--date: found \"{}\", expected a date such as 2019-11-05", command.date));
  const auto types =
      command.file.empty() ? market::instance_types() : market::instance_types_with(command.file);
  check_type_region(*types, command.region);
  std::vector<const InstanceType*> found;
  for (const auto& [name, type] : *types)
    if (type_matches(type, command.pattern)) found.push_back(&type);
  if (found.empty()) {
    throw InstanceTypeError(
        fmt::format("PATTERN: found no type or GPU whose name contains \"{}\", expected {}",
                    command.pattern, expected_instance_type(*types, command.pattern)));
  }
  if (command.json)
    fmt::print("{}\n", json_of_types(found, command).dump(2));
  else
    print_types(found, command);
}

}  // namespace

void add_types_command(CLI::App& app, int& exit_code) {
  CLI::App* types = app.add_subcommand("types", "List instance types and their on-demand prices");
  auto command = std::make_shared<TypesCommand>();
  types->add_option("PATTERN", command->pattern,
                    "part of a type's name or of its GPU's name, such as p5, '*.metal' or h100");
  types->add_option("--region", command->region, "region of the prices")->capture_default_str();
  types->add_option("--date", command->date,
                    "prices in force on this date, such as 2019-11-05 (default: the newest)");
  types->add_option("--instance-type-file", command->file,
                    "additional instance types of your own (docs/instance-types.md)");
  types->add_flag("--json", command->json, "print JSON");
  types->callback([command, &exit_code] {
    try {
      list_types(*command);
    } catch (const InstanceTypeError& error) {
      say(Style::kError, std::string("spotsim: ") + error.what());
      exit_code = 2;
    }
  });
}

}  // namespace sim::cli
