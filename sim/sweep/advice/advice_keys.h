// Reads keys of a job for advise that have several forms: prices, interruptions, instance types,
// and what the user does today.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/yaml_fields.h"
#include "sim/sweep/advice/advice.h"

namespace sim::sweep {

// A type to compare. The job's work takes `work ÷ speed` on it.
struct TypeSpeed {
  std::string type;
  double speed = 1;
  bool among_others = false;  // true: without this type, another one remains to be advised
};

// What the user does now, to compare the advice with.
struct Today {
  std::string strategy;           // as make_strategy() reads it
  std::string policy;             // as policies::CheckpointPolicies reads it
  std::vector<std::size_t> zone;  // one zone of the question; empty: the best one for this way
  std::string save, rent;         // as the file states them
};

// `instance_type: p3.2xlarge` or `instance_types: {g5.2xlarge: 1, g6.2xlarge: 1.2}`. At least one
// type; its name is empty after an error.
std::vector<TypeSpeed> read_types(scenario::Fields& fields);

// US dollars an hour: 0.35, 0.35/h, or prices by type {g5.2xlarge: 0.35}. Zero without the key, or
// if it has no price of this type.
market::Usd read_price(scenario::Fields& fields, const std::string& key, const std::string& type);

// `interruptions: 6h`, `interrupted: every 6h`, `{every, away}` or `none`.
void read_interruptions(scenario::Fields& fields, Question& question);

// `today: {save: every 10m, rent: on-demand}`. The instance type is that of the key, or the first
// of `types`. Empty without the key, or if it is about another type than the question's.
std::optional<Today> read_today(scenario::Fields& fields, const std::vector<TypeSpeed>& types,
                                const Question& question);

// A duration of at least `least`.
Duration read_duration(scenario::Fields& fields, const std::string& key, Duration otherwise,
                       Duration least);
// A required duration above 0.
Duration require_duration(scenario::Fields& fields, const std::string& key,
                          const std::string& expected);

}  // namespace sim::sweep
