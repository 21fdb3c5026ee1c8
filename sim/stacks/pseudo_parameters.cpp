#include "sim/stacks/pseudo_parameters.h"

#include <algorithm>

#include "sim/kernel/check.h"

namespace sim::stacks {
namespace {

struct PseudoParameter {
  std::string_view name;
  Json (*value)(const PseudoParameters&);
};

const PseudoParameter kRows[] = {
    {"AWS::AccountId", [](const PseudoParameters& of) { return Json(of.account_id); }},
    {"AWS::NoValue", [](const PseudoParameters&) { return Json(nullptr); }},
    {"AWS::NotificationARNs", [](const PseudoParameters& of) { return of.notification_arns; }},
    {"AWS::Partition", [](const PseudoParameters&) { return Json("aws"); }},
    {"AWS::Region", [](const PseudoParameters& of) { return Json(of.region); }},
    {"AWS::StackId", [](const PseudoParameters& of) { return Json(of.stack_id); }},
    {"AWS::StackName", [](const PseudoParameters& of) { return Json(of.stack_name); }},
    {"AWS::URLSuffix", [](const PseudoParameters&) { return Json("amazonaws.com"); }},
};

}  // namespace

bool is_pseudo_parameter(std::string_view name) {
  return std::ranges::find(kRows, name, &PseudoParameter::name) != std::end(kRows);
}

Json pseudo_value(std::string_view name, const PseudoParameters& of) {
  const auto row = std::ranges::find(kRows, name, &PseudoParameter::name);
  SIM_CHECK(row != std::end(kRows));
  return row->value(of);
}

}  // namespace sim::stacks
