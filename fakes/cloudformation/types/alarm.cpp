// AWS::CloudWatch::Alarm.
#include "api/cloudwatch.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::alarm {
namespace {

namespace cloudwatch = api::cloudwatch::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"Arn"};
constexpr std::string_view kUpdated[] = {"ActionsEnabled",
                                         "AlarmActions",
                                         "AlarmDescription",
                                         "ComparisonOperator",
                                         "DatapointsToAlarm",
                                         "Dimensions",
                                         "EvaluateLowSampleCountPercentile",
                                         "EvaluationPeriods",
                                         "ExtendedStatistic",
                                         "InsufficientDataActions",
                                         "MetricName",
                                         "Metrics",
                                         "Namespace",
                                         "OKActions",
                                         "Period",
                                         "Statistic",
                                         "Tags",
                                         "Threshold",
                                         "ThresholdMetricId",
                                         "TreatMissingData",
                                         "Unit"};
// All except the tags.
constexpr std::string_view kChanges[] = {"ActionsEnabled",
                                         "AlarmActions",
                                         "AlarmDescription",
                                         "ComparisonOperator",
                                         "DatapointsToAlarm",
                                         "Dimensions",
                                         "EvaluationPeriods",
                                         "ExtendedStatistic",
                                         "EvaluateLowSampleCountPercentile",
                                         "InsufficientDataActions",
                                         "MetricName",
                                         "Metrics",
                                         "Namespace",
                                         "OKActions",
                                         "Period",
                                         "Statistic",
                                         "Threshold",
                                         "ThresholdMetricId",
                                         "TreatMissingData",
                                         "Unit"};
constexpr std::size_t kLongestName = 255;

void put(const ResourceCall& call, const std::string& name) {
  Properties properties = call.properties();
  properties.set("AlarmName", name);
  call.ask<cloudwatch::PutMetricAlarm>(properties.request<cloudwatch::PutMetricAlarm>());
}

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  const std::string name =
      properties.take_text("AlarmName").value_or(generated_name(call, kLongestName));
  put(call, name);
  return name;
}

void update(const ResourceCall& call, const Json&) { put(call, call.id()); }

void remove(const ResourceCall& call) {
  call.ask<cloudwatch::DeleteAlarms>({.alarm_names = {call.id()}});
}

Json attribute(const ResourceCall& call, const std::string&) {
  return "arn:aws:cloudwatch:" + call.region() + ":" + call.account() + ":alarm:" + call.id();
}

}  // namespace

const Type kType{.traits = {.type = "AWS::CloudWatch::Alarm",
                            .attributes = kAttributes,
                            .updated = kUpdated,
                            .has_tags = true},
                 .create = create,
                 .remove = remove,
                 .attribute = attribute,
                 .update = update,
                 .changes = kChanges};

}  // namespace fakes::cloudformation::alarm
