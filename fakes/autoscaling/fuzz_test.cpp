// What clients can make of Auto Scaling: its requests, damaged.
#include "api/fuzz/fuzz.h"

#include <memory>
#include <random>

#include "fakes/autoscaling/autoscaling_for_test.h"

namespace fakes {
namespace {

std::vector<std::string> autoscaling_seeds(const std::string& id) {
  const std::string begin = "Version=2011-01-01&Action=", group = "&AutoScalingGroupName=g";
  return {
      begin +
          "CreateLaunchConfiguration&LaunchConfigurationName=b&ImageId=ami-0123456789abcdef0"
          "&InstanceType=p3.2xlarge&SpotPrice=1.5&UserData=IyEvYmluL2Jhc2gK"
          "&BlockDeviceMappings.member.1.DeviceName=%2Fdev%2Fsdf"
          "&BlockDeviceMappings.member.1.Ebs.VolumeSize=8",
      begin +
          "CreateAutoScalingGroup&AutoScalingGroupName=h&LaunchConfigurationName=lc&MinSize=0"
          "&MaxSize=3&DesiredCapacity=2&AvailabilityZones.member.1=us-west-2a"
          "&Tags.member.1.Key=a&Tags.member.1.Value=b&TerminationPolicies.member.1=Default",
      begin + "UpdateAutoScalingGroup" + group +
          "&MinSize=1&MaxSize=2&CapacityRebalance=true"
          "&MixedInstancesPolicy.LaunchTemplate.LaunchTemplateSpecification.LaunchTemplateName=t"
          "&MixedInstancesPolicy.LaunchTemplate.Overrides.member.1.WeightedCapacity=2"
          "&MixedInstancesPolicy.InstancesDistribution.OnDemandBaseCapacity=1",
      begin + "SetDesiredCapacity" + group + "&DesiredCapacity=2&HonorCooldown=false",
      begin + "TerminateInstanceInAutoScalingGroup&InstanceId=" + id +
          "&ShouldDecrementDesiredCapacity=false",
      begin + "DetachInstances" + group + "&InstanceIds.member.1=" + id +
          "&ShouldDecrementDesiredCapacity=true",
      begin + "AttachInstances" + group + "&InstanceIds.member.1=" + id,
      begin + "EnterStandby" + group + "&InstanceIds.member.1=" + id +
          "&ShouldDecrementDesiredCapacity=false",
      begin + "PutLifecycleHook" + group +
          "&LifecycleHookName=k&LifecycleTransition=autoscaling%3AEC2_INSTANCE_LAUNCHING"
          "&HeartbeatTimeout=60&DefaultResult=ABANDON",
      begin + "DeleteLifecycleHook" + group + "&LifecycleHookName=k",
      begin + "PutScheduledUpdateGroupAction" + group +
          "&ScheduledActionName=s&Recurrence=0%20*%2F2%201-3%20*%201,2&DesiredCapacity=1"
          "&EndTime=2020-11-05T10:20:00Z",
      begin + "DescribeAutoScalingGroups&Filters.member.1.Name=tag%3Aa&MaxRecords=1",
      begin + "DescribeScalingActivities" + group + "&MaxRecords=2",
      begin + "CreateOrUpdateTags&Tags.member.1.ResourceId=g&Tags.member.1.Key=%C3%BC",
      begin + "SuspendProcesses" + group + "&ScalingProcesses.member.1=Launch",
      begin + "ResumeProcesses" + group,
      begin + "DeleteAutoScalingGroup" + group + "&ForceDelete=true"};
}

TEST(AutoscalingFuzz, AnswersAnyFormWithWhatAutoScalingHas) {
  constexpr int kInputsPerCloud = 200;
  std::mt19937 random(7);
  std::unique_ptr<AutoscalingBackend> t;
  std::vector<std::string> forms;
  int done = 0, refused = 0;
  const int rounds = api::fuzz_rounds() / 5;  // the instances of a group make it slow
  for (int round = 0; round < rounds; ++round) {
    if (round % kInputsPerCloud == 0) {
      t = std::make_unique<AutoscalingBackend>();
      t->configuration();
      forms = autoscaling_seeds(t->group());
    }
    const std::string& seed = forms[random() % forms.size()];
    const std::string form = random() % 4 == 0 ? seed : api::damaged(seed, random);
    const Answer answer = t->send(AutoscalingBackend::request(form));
    const auto status = answer.response.result_int();
    ASSERT_TRUE(status == 200 || status == 400 || status == 403) << form << "\n" << answer.body();
    ASSERT_TRUE(answer.xml.document_element()) << form << "\n" << answer.body();
    ++(status == 200 ? done : refused);
    if (round % 10 == 0) t->run(1min);
  }
  EXPECT_GT(done, rounds / 20);
  EXPECT_GT(refused, rounds / 10);
}

}  // namespace
}  // namespace fakes
