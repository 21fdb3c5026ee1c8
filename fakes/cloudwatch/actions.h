// The actions of Amazon CloudWatch, by subject.
#pragma once

#include "api/cloudwatch.h"
#include "fakes/action.h"

namespace fakes::cloudwatch {

namespace op = api::cloudwatch::op;

// ---- metrics.cpp
op::PutMetricData::Response put_metric_data(Call&, const op::PutMetricData::Request&);
op::ListMetrics::Response list_metrics(Call&, const op::ListMetrics::Request&);

// ---- statistics.cpp
op::GetMetricStatistics::Response get_metric_statistics(Call&,
                                                        const op::GetMetricStatistics::Request&);
op::GetMetricData::Response get_metric_data(Call&, const op::GetMetricData::Request&);

// ---- alarms.cpp
op::PutMetricAlarm::Response put_metric_alarm(Call&, const op::PutMetricAlarm::Request&);
op::DeleteAlarms::Response delete_alarms(Call&, const op::DeleteAlarms::Request&);
op::SetAlarmState::Response set_alarm_state(Call&, const op::SetAlarmState::Request&);
op::EnableAlarmActions::Response enable_actions(Call&, const op::EnableAlarmActions::Request&);
op::DisableAlarmActions::Response disable_actions(Call&, const op::DisableAlarmActions::Request&);
op::TagResource::Response tag_resource(Call&, const op::TagResource::Request&);
op::UntagResource::Response untag_resource(Call&, const op::UntagResource::Request&);
op::ListTagsForResource::Response list_tags(Call&, const op::ListTagsForResource::Request&);

// ---- describe_alarms.cpp
op::DescribeAlarms::Response describe_alarms(Call&, const op::DescribeAlarms::Request&);
op::DescribeAlarmsForMetric::Response describe_alarms_for_metric(
    Call&, const op::DescribeAlarmsForMetric::Request&);
op::DescribeAlarmHistory::Response describe_alarm_history(Call&,
                                                          const op::DescribeAlarmHistory::Request&);

}  // namespace fakes::cloudwatch
