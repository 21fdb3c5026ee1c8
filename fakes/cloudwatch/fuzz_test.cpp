// What clients can make of CloudWatch: its requests, damaged.
#include "fakes/json_fuzz_for_test.h"

namespace fakes {
namespace {

const std::pair<const char*, const char*> kCloudWatchSeeds[] = {
    {"PutMetricData", R"({"Namespace":"n","MetricData":[{"MetricName":"m","Value":1.5,)"
                      R"("Dimensions":[{"Name":"a","Value":"b"}],"Unit":"Count"}]})"},
    {"PutMetricData", R"({"Namespace":"n","MetricData":[{"MetricName":"m","Values":[1,2],)"
                      R"("Counts":[1,3],"StorageResolution":1},{"MetricName":"m",)"
                      R"("StatisticValues":{"SampleCount":2,"Sum":3,"Minimum":1,"Maximum":2}}]})"},
    {"ListMetrics", R"({"Namespace":"n","Dimensions":[{"Name":"a"}],"RecentlyActive":"PT3H"})"},
    {"GetMetricStatistics",
     R"({"Namespace":"n","MetricName":"m","StartTime":1572948000,"EndTime":1572955200,)"
     R"("Period":60,"ExtendedStatistics":["p90"]})"},
    {"GetMetricData",
     R"({"StartTime":1572948000,"EndTime":1572955200,"MaxDatapoints":3,"MetricDataQueries":)"
     R"([{"Id":"q","MetricStat":{"Metric":{"Namespace":"n","MetricName":"m"},"Period":10,)"
     R"("Stat":"Sum"}}],"ScanBy":"TimestampAscending"})"},
    {"PutMetricAlarm",
     R"({"AlarmName":"a","Namespace":"n","MetricName":"m","Statistic":"Sum","Period":60,)"
     R"("EvaluationPeriods":2,"Threshold":1,"ComparisonOperator":"GreaterThanThreshold",)"
     R"("AlarmActions":["arn:aws:sns:us-west-2:123456789012:t"]})"},
    {"PutMetricAlarm",
     R"({"AlarmName":"b","Namespace":"n","MetricName":"m","ExtendedStatistic":"p99",)"
     R"("Period":10,"EvaluationPeriods":3,"DatapointsToAlarm":2,"Threshold":1,)"
     R"("ComparisonOperator":"LessThanThreshold","TreatMissingData":"breaching",)"
     R"("EvaluateLowSampleCountPercentile":"ignore","Tags":[{"Key":"k","Value":"v"}]})"},
    {"DescribeAlarms", R"({"AlarmNamePrefix":"a","MaxRecords":1,"StateValue":"OK"})"},
    {"DescribeAlarmHistory", R"({"AlarmName":"a","MaxRecords":2,"ScanBy":"TimestampAscending"})"},
    {"SetAlarmState", R"({"AlarmName":"c","StateValue":"ALARM","StateReason":"r",)"
                      R"("StateReasonData":"{}"})"},
    {"DisableAlarmActions", R"({"AlarmNames":["a","b"]})"}};

TEST(CloudWatchFuzz, AnswersAnyRequestWithWhatTheServiceHas) {
  fuzz_json({.service = "monitoring",
             .target = "GraniteServiceVersion20100801.",
             .seeds = kCloudWatchSeeds,
             .prepare = [](TestJson&) {},
             .pause = 2min,
             .allowed = {200, 400, 404}});
}

}  // namespace
}  // namespace fakes
