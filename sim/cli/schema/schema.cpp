#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "sim/cli/commands.h"
#include "sim/cli/schema/schemas.h"

namespace sim::cli {
namespace {

void list_schemas() {
  for (const Schema& schema : schemas()) fmt::print("{:<14} {}\n", schema.name, schema.subject);
}

void print_schema(const std::string& name) {
  const auto found = std::ranges::find(schemas(), name, &Schema::name);
  fmt::print("{}\n", schema_for_editors(*found).dump(1));
}

}  // namespace

void add_schema_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("schema", "Print the JSON Schema of a kind of file, for editors");
  auto name = std::make_shared<std::string>();
  std::vector<std::string> names;
  for (const Schema& schema : schemas()) names.emplace_back(schema.name);
  command->add_option("NAME", *name, "the kind of file; without it, list the kinds")
      ->check(CLI::IsMember(names));
  command->callback([name] { name->empty() ? list_schemas() : print_schema(*name); });
}

}  // namespace sim::cli
