// The table of targets, and their seeds.
#include <algorithm>

#include "api/fuzz/codecs.h"

namespace api {
namespace {

using Seeds = std::vector<std::string>;

std::string form(const std::string& service, const std::string& body) {
  return service + " POST /\ncontent-type: application/x-www-form-urlencoded\n\n" + body;
}

Seeds ec2_requests() {
  return {form("ec2",
               "Action=DescribeVolumes&Version=2016-11-15&Filter.2.Value.1=b&Filter.1.Name=a&"
               "Filter.2.Name=tag%3Ax&VolumeId.1=v&MaxResults=5&NextToken="),
          form("ec2",
               "Action=CreateVolume&AvailabilityZone=a&Size=7&Encrypted=true&"
               "TagSpecification.1.ResourceType=volume&TagSpecification.1.Tag.1.Key=k&"
               "TagSpecification.1.Tag.2.Key=%C3%BC"),
          form("ec2",
               "Action=RunInstances&MinCount=1&MaxCount=1&InstanceMarketOptions.MarketType=spot&"
               "BlockDeviceMapping.1.Ebs.VolumeSize=8&NetworkInterface.1.DeviceIndex=0")};
}
Seeds ec2_responses() {
  return {
      "ec2 DescribeVolumes\n\n"
      "<DescribeVolumesResponse><volumeSet><item><volumeId>v</volumeId><size>8</size>"
      "<createTime>2019-11-05T10:00:00.000Z</createTime><tagSet><item><key>k</key>"
      "<value>&#252;</value></item></tagSet></item></volumeSet></DescribeVolumesResponse>",
      "ec2 CreateVolume\n\n"
      "<CreateVolumeResponse><volumeId>v</volumeId><encrypted>true</encrypted>"
      "</CreateVolumeResponse>",
      "ec2 RunInstances\n\n"
      "<RunInstancesResponse><instancesSet><item><instanceState><code>0</code>"
      "</instanceState></item></instancesSet></RunInstancesResponse>"};
}

Seeds query_requests() {
  return {form("autoscaling",
               "Action=DescribeAutoScalingGroups&AutoScalingGroupNames.member.1=g&"
               "Filters.member.1.Name=tag-key&Filters.member.1.Values.member.1=a&MaxRecords=9"),
          form("iam", "Action=GetAccountSummary&Version=2010-05-08")};
}
Seeds query_responses() {
  return {
      "autoscaling DescribeAutoScalingGroups\n\n"
      "<DescribeAutoScalingGroupsResponse><DescribeAutoScalingGroupsResult>"
      "<AutoScalingGroups><member><MinSize>1</MinSize><CreatedTime>2019-11-05T10:00:00Z"
      "</CreatedTime></member></AutoScalingGroups></DescribeAutoScalingGroupsResult>"
      "</DescribeAutoScalingGroupsResponse>",
      "iam GetAccountSummary\n\n"
      "<GetAccountSummaryResponse><GetAccountSummaryResult><SummaryMap><entry>"
      "<key>Users</key><value>3</value></entry></SummaryMap></GetAccountSummaryResult>"
      "</GetAccountSummaryResponse>"};
}

Seeds json_requests() {
  return {
      "logs POST /\nx-amz-target: Logs_20140328.PutLogEvents\n\n"
      R"({"logGroupName":"g","logStreamName":"s\u00fc\ud83d\ude00","logEvents":)"
      R"([{"timestamp":1572948000000,"message":"m","x":[1,{"a":null}]}]})",
      "dynamodb POST /\nx-amz-target: DynamoDB_20120810.PutItem\n\n"
      R"({"TableName":"tab","Item":{"a":{"M":{"b":{"L":[{"S":"x"},{"BS":["AP8="]}]}}}}})",
      "wafv2 POST /\nx-amz-target: AWSWAF_20190729.CreateRuleGroup\n\n"
      R"({"Name":"n","Scope":"REGIONAL","Capacity":1,"VisibilityConfig":)"
      R"({"SampledRequestsEnabled":true,"CloudWatchMetricsEnabled":false,)"
      R"("MetricName":"m"},"Rules":[{"Name":"r","Priority":1,"VisibilityConfig":)"
      R"({"SampledRequestsEnabled":true,"CloudWatchMetricsEnabled":false,)"
      R"("MetricName":"m"},"Statement":{"NotStatement":{"Statement":)"
      R"({"GeoMatchStatement":{"CountryCodes":["DE"]}}}}}]})"};
}
Seeds json_responses() {
  return {
      "logs PutLogEvents\n\n"
      R"({"nextSequenceToken":"t","rejectedLogEventsInfo":{"tooNewLogEventStartIndex":1}})",
      "dynamodb PutItem\n\n"
      R"({"Attributes":{"a":{"M":{"b":{"L":[{"N":"1"},{"NULL":true}]}}}}})",
      "wafv2 CreateRuleGroup\n\n"
      R"({"Summary":{"Name":"n","Id":"i"}})"};
}

constexpr const char* kToy =
    R"({"Name":"n","Child":{"Tags":{"a":"1"},"Words":["x"]},"Children":[{}]})";

Seeds rest_json_requests() {
  return {std::string("toy-json PUT /toys/a%20b?limit=3&hint=1\n\n") + kToy,
          "lambda POST /2015-03-31/functions/f/invocations?Qualifier=1\n\n[1]",
          "lambda DELETE /2017-03-31/tags/arn?tagKeys=a&tagKeys=b\n\n",
          "lambda GET /2015-03-31/functions/?MaxItems=5\n\n"};
}
Seeds rest_json_responses() {
  return {std::string("toy-json PutToy\n\n") + kToy,
          "lambda Invoke\nx-amz-executed-version: 1\n\n[2]", "lambda UntagResource\n\n{}",
          "lambda ListFunctions\n\n"
          R"({"Functions":[{"FunctionName":"f","CodeSize":1,"Environment":{"Variables":)"
          R"({"A":"b"}}}],"NextMarker":null})"};
}

Seeds rest_xml_requests() {
  return {
      "toy-xml PUT /toys/a?limit=3\n\n"
      "<Toy Color=\"red\"><Name>n</Name><Child><Tags><entry><key>a</key>"
      "<value>1</value></entry></Tags></Child><Words>x</Words></Toy>",
      "s3 POST /b/k?uploadId=u\n\n"
      "<CompleteMultipartUpload><Part><ETag>e</ETag><PartNumber>1</PartNumber></Part>"
      "</CompleteMultipartUpload>",
      "s3 PUT /b/a%20dir/x\nexpires: Tue, 05 Nov 2019 10:00:00 GMT\nx-amz-meta-a: b\n\ndata",
      "s3 GET /b?list-type=2&prefix=a%2Fb&max-keys=9\n\n"};
}
Seeds rest_xml_responses() {
  return {
      "toy-xml PutToy\n\n<Toy Color=\"red\"><Child><Size>1</Size></Child><Children><member/>"
      "</Children></Toy>",
      "s3 CompleteMultipartUpload\nx-amz-version-id: v\n\n"
      "<CompleteMultipartUploadResult><Key>k</Key></CompleteMultipartUploadResult>",
      "s3 PutObject\netag: e\n\n",
      "s3 ListObjectsV2\n\n"
      "<ListBucketResult><Contents><Key>k</Key><Size>1</Size><LastModified>"
      "2019-11-05T10:00:00.000Z</LastModified></Contents></ListBucketResult>"};
}

Seeds plain_requests() {
  return {
      "ec2 CreateVolume\n"
      R"({"AvailabilityZone":"a","Size":7,"Encrypted":true,"TagSpecifications":)"
      R"([{"ResourceType":"volume","Tags":[{"Key":"k","Value":"\u00fc"}]}]})",
      "ec2 RequestSpotFleet\n"
      R"({"SpotFleetRequestConfig":{"IamFleetRole":"r","TargetCapacity":1,"ValidUntil":)"
      R"("2019-11-05T10:00:00Z","LaunchSpecifications":[{"WeightedCapacity":0.5}]}})",
      std::string("toy-json PutToy\n") + R"({"Name":"n","Toy":)" + kToy + "}"};
}

Seeds scalars() {
  return {"2019-11-05T10:00:00.123Z",
          "Tue, 05 Nov 2019 10:00:00 GMT",
          "1572948000.5",
          "true",
          "-9223372036854775808",
          "1.0e-7",
          "AP8+/w==",
          "a+b%C3%BC%20"};
}

Seeds paths() {
  return {"/{Bucket}/{Key+}\n/b/a/file%20x", "/toys/{Name}\n/toys/a",
          "/2015-03-31/functions/{FunctionName}/invocations\n/2015-03-31/functions/f/invocations"};
}

constexpr FuzzTarget kTargets[] = {{"ec2-requests", ec2_requests, fuzz_request},
                                   {"ec2-responses", ec2_responses, fuzz_response},
                                   {"query-requests", query_requests, fuzz_request},
                                   {"query-responses", query_responses, fuzz_response},
                                   {"json-requests", json_requests, fuzz_request},
                                   {"json-responses", json_responses, fuzz_response},
                                   {"rest-json-requests", rest_json_requests, fuzz_request},
                                   {"rest-json-responses", rest_json_responses, fuzz_response},
                                   {"rest-xml-requests", rest_xml_requests, fuzz_request},
                                   {"rest-xml-responses", rest_xml_responses, fuzz_response},
                                   {"plain-json", plain_requests, fuzz_plain_json},
                                   {"scalars", scalars, fuzz_scalars},
                                   {"paths", paths, fuzz_path}};

}  // namespace

std::span<const FuzzTarget> fuzz_targets() { return kTargets; }

const FuzzTarget* find_fuzz_target(std::string_view name) {
  const auto targets = fuzz_targets();
  const auto found = std::ranges::find(targets, name, &FuzzTarget::name);
  return found == targets.end() ? nullptr : &*found;
}

}  // namespace api
