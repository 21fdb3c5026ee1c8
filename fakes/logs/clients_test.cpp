// aws-cli and boto3 against CloudWatch Logs over real sockets.
#include "fakes/client_programs_for_test.h"

namespace fakes {
namespace {

constexpr const char* kJob = "/aws/sagemaker/TrainingJobs";

struct LogsClients : ClientPrograms {
  // What a training job's container writes.
  void write(int epochs) {
    for (int i = 1; i <= epochs; ++i)
      t.backend.logs.append(kJob, "job/algo-1-1572948000",
                            sim::logs::milliseconds(kStart) + i * 1000,
                            "Epoch " + std::to_string(i) + "/" + std::to_string(epochs));
  }
};

TEST_F(LogsClients, AwsCliTailsAndFilters) {
  write(3);
  const std::string times = " --log-group-name " + std::string(kJob) + " --output text ";
  EXPECT_EQ(run("aws logs tail " + std::string(kJob) + " --since 2019-11-05T10:00:00Z"),
            "2019-11-05T10:00:01.000000+00:00 job/algo-1-1572948000 Epoch 1/3\n"
            "2019-11-05T10:00:02.000000+00:00 job/algo-1-1572948000 Epoch 2/3\n"
            "2019-11-05T10:00:03.000000+00:00 job/algo-1-1572948000 Epoch 3/3\n");
  EXPECT_EQ(run("aws logs filter-log-events" + times +
                "--filter-pattern '\"Epoch 2\"' --query 'events[].message'"),
            "Epoch 2/3\n");
  EXPECT_EQ(run("aws logs get-log-events" + times +
                "--log-stream-name job/algo-1-1572948000 --start-from-head --limit 2 "
                "--query 'events[].message'"),
            "Epoch 1/3\tEpoch 2/3\n");
  EXPECT_EQ(run("aws logs describe-log-streams" + times +
                "--log-stream-name-prefix job/ --query 'logStreams[].logStreamName'"),
            "job/algo-1-1572948000\n");
  const std::string refused =
      run("aws logs get-log-events --log-group-name none --log-stream-name s 2>&1", 254);
  EXPECT_NE(refused.find("(ResourceNotFoundException) when calling the GetLogEvents operation: The "
                         "specified log group does not exist."),
            std::string::npos)
      << refused;
}

TEST_F(LogsClients, Boto3PutsAndPagesThrough) {
  write(2);
  python(R"(
import os, boto3
logs = boto3.client("logs", endpoint_url=os.environ["ENDPOINT"])
logs.create_log_group(logGroupName="g", tags={"job": "a"})
for name in ("s1", "s2", "s3"):
    logs.create_log_stream(logGroupName="g", logStreamName=name)
begin = 1572948000000
answer = logs.put_log_events(logGroupName="g", logStreamName="s1", logEvents=[
    {"timestamp": begin + i, "message": f"line {i} \u00fc"} for i in range(2500)])
logs.put_log_events(logGroupName="g", logStreamName="s1", sequenceToken=answer["nextSequenceToken"],
                    logEvents=[{"timestamp": begin + 2500, "message": "last"}])
pages = logs.get_paginator("filter_log_events").paginate(logGroupName="g", limit=1000)
assert [len(page["events"]) for page in pages] == [1000, 1000, 501]
token, lines = None, []
while True:  # as an SDK's reader ends: the token comes back
    more = {"nextToken": token} if token else {}
    page = logs.get_log_events(logGroupName="g", logStreamName="s1", startFromHead=True, limit=1000,
                               **more)
    lines += [event["message"] for event in page["events"]]
    if page["nextForwardToken"] == token:
        break
    token = page["nextForwardToken"]
assert len(lines) == 2501 and lines[7] == "line 7 \u00fc" and lines[-1] == "last", len(lines)
pages = logs.get_paginator("describe_log_streams").paginate(
    logGroupName="g", orderBy="LastEventTime", descending=True, PaginationConfig={"PageSize": 2})
names = [stream["logStreamName"] for page in pages for stream in page["logStreams"]]
assert names[0] == "s1" and sorted(names) == ["s1", "s2", "s3"], names
pages = logs.get_paginator("describe_log_groups").paginate(PaginationConfig={"PageSize": 1})
assert [g["logGroupName"] for p in pages for g in p["logGroups"]] == [
    "/aws/sagemaker/TrainingJobs", "g"]
try:
    logs.create_log_group(logGroupName="g")
    raise SystemExit("made twice")
except logs.exceptions.ResourceAlreadyExistsException:
    pass
logs.put_retention_policy(logGroupName="g", retentionInDays=30)
logs.delete_log_stream(logGroupName="g", logStreamName="s1")
logs.delete_log_group(logGroupName="g")
)");
  EXPECT_EQ(t.backend.logs.groups().size(), 1u);
}

}  // namespace
}  // namespace fakes
