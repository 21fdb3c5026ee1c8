#include "fakes/cloudwatch/actions.h"
#include "fakes/service.h"

namespace fakes {
namespace {

std::span<const ActionRow> cloudwatch_rows() {
  using namespace cloudwatch;
  static const ActionRow rows[] = {
      action<op::DeleteAlarms, delete_alarms>(),
      action<op::DescribeAlarmHistory, describe_alarm_history>(),
      action<op::DescribeAlarms, describe_alarms>(),
      action<op::DescribeAlarmsForMetric, describe_alarms_for_metric>(),
      action<op::DisableAlarmActions, disable_actions>(),
      action<op::EnableAlarmActions, enable_actions>(),
      action<op::GetMetricData, get_metric_data>(),
      action<op::GetMetricStatistics, get_metric_statistics>(),
      action<op::ListMetrics, list_metrics>(),
      action<op::ListTagsForResource, list_tags>(),
      action<op::PutMetricAlarm, put_metric_alarm>(),
      action<op::PutMetricData, put_metric_data>(),
      action<op::SetAlarmState, set_alarm_state>(),
      action<op::TagResource, tag_resource>(),
      action<op::UntagResource, untag_resource>(),
  };
  return rows;
}

}  // namespace

const Service& cloudwatch_service() {
  static const Service service{
      .model = api::cloudwatch::kService, .actions = cloudwatch_rows(), .signed_as = "monitoring"};
  return service;
}

const Service& cloudwatch_json_service() {
  static const Service service{.model = api::cloudwatch::json::kService,
                               .actions = cloudwatch_rows(),
                               .signed_as = "monitoring"};
  return service;
}

}  // namespace fakes
