// What clients can make of CloudWatch: its requests, damaged.
#include "fakes/form_fuzz_for_test.h"
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

// The query protocol, which aws-cli and older SDKs use.
const char* const kCloudWatchForms[] = {
    "PutMetricData&Namespace=n&MetricData.member.1.MetricName=m&MetricData.member.1.Value=1.5&"
    "MetricData.member.1.Dimensions.member.1.Name=a&"
    "MetricData.member.1.Dimensions.member.1.Value=b",
    "ListMetrics&Namespace=n&Dimensions.member.1.Name=a",
    "GetMetricStatistics&Namespace=n&MetricName=m&StartTime=2019-11-05T10:00:00Z&"
    "EndTime=2019-11-05T12:00:00Z&Period=60&Statistics.member.1=Sum",
    "GetMetricData&StartTime=2019-11-05T10:00:00Z&EndTime=2019-11-05T12:00:00Z&"
    "MetricDataQueries.member.1.Id=q&MetricDataQueries.member.1.MetricStat.Metric.Namespace=n&"
    "MetricDataQueries.member.1.MetricStat.Metric.MetricName=m&"
    "MetricDataQueries.member.1.MetricStat.Period=60&MetricDataQueries.member.1.MetricStat.Stat="
    "Sum",
    "PutMetricAlarm&AlarmName=a&Namespace=n&MetricName=m&Statistic=Sum&Period=60&"
    "EvaluationPeriods=2&Threshold=1&ComparisonOperator=GreaterThanThreshold&"
    "Tags.member.1.Key=k&Tags.member.1.Value=v",
    "DescribeAlarms&AlarmNamePrefix=a&MaxRecords=1",
    "SetAlarmState&AlarmName=a&StateValue=ALARM&StateReason=r",
    "DeleteAlarms&AlarmNames.member.1=b"};

TEST(CloudWatchFuzz, AnswersAnyFormWithWhatTheServiceHas) {
  fuzz_forms({.service = "monitoring",
              .version = "2010-08-01",
              .seeds = kCloudWatchForms,
              .prepare = [](TestBackend&) {},
              .pause = 2min});
}

}  // namespace
}  // namespace fakes
