// The JSON Schemas of spotsim's files, docs/*.schema.json, which are built in. Schemas of files
// that people write are completed from the readers' own tables, so that an editor offers every
// name.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/events/event.h"

namespace sim::cli {

struct Schema {
  std::string_view name;     // as in `spotsim schema NAME`
  std::string_view subject;  // the files that it describes
  std::string_view text;     // docs/NAME.schema.json
  bool written_by_people;
};

// All schemas. The schemas of files that people write come first.
std::span<const Schema> schemas();

// The text of docs/NAME.schema.json, as it was built in.
std::string_view builtin_schema(std::string_view name);

// The schema as `spotsim schema` prints it: see complete_schema() and name_values().
Json schema_for_editors(const Schema& schema);

// Turns words of the documentation's tables into rules of JSON Schema. A key with the default
// "required" becomes required. Another default becomes a value if it is one, and stays text
// otherwise.
void complete_schema(Json& schema);

// Adds the names that the program has in tables: instance types, checkpoint and acquisition
// policies, kinds of faults with their parameters, AWS's actions, events of the log.
void name_values(Json& schema);

}  // namespace sim::cli
