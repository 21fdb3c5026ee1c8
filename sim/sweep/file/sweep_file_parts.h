// Functions that read values of sweep files and advice files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "sim/scenario/yaml_fields.h"
#include "sim/sweep/grid.h"

namespace sim::sweep {

// The value itself, or the items of a list. An empty list is an error.
std::vector<scenario::Value> one_or_more(const scenario::Value& value);

// A required key with a duration or a list of durations, each at least `least`.
std::vector<Duration> durations(scenario::Fields& fields, const std::string& key, Duration least,
                                const std::string& example);

// The same for a key that was taken already.
std::vector<Duration> durations(const scenario::Value& field, Duration least,
                                const std::string& example);

// False, with an error, if there are more combinations of values than a sweep may have settings.
bool few_enough(const scenario::Value& job, std::initializer_list<std::size_t> values);

// US dollars an hour, above 0 and up to 1000. Another value is an error.
market::Usd positive_price(const scenario::Value& value);
// The same for a key; zero if it is missing.
market::Usd take_price(scenario::Fields& fields, const std::string& key);

// `late_allowed`: a share of the runs; 0 without that key.
double read_late_allowed(scenario::Fields& fields);

// `seeds`: a seed, a range 1-20, or a list of both. Empty without that key.
std::vector<std::uint64_t> read_seeds(scenario::Fields& fields);

// `scenario: PATH` with set, vary, compare and seeds. Null after an error.
std::unique_ptr<Sweep> read_scenario_sweep(const scenario::Value& scenario,
                                           scenario::Fields& fields,
                                           const std::filesystem::path& sweep);
// `failing_job: {…}` with seeds. Null after an error.
std::unique_ptr<Sweep> read_failing_job_sweep(const scenario::Value& job, scenario::Fields& fields);

}  // namespace sim::sweep
