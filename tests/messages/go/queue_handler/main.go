// queue_handler QUEUE_URL: does the same as queue_handler.py, and prints the same lines, with the
// SDK and the calls of AWS's node termination handler. It also sends a heartbeat before it completes
// a lifecycle action. The service is at $ENDPOINT. The caller ends this program.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/aws/aws-sdk-go/aws"
	"github.com/aws/aws-sdk-go/aws/session"
	"github.com/aws/aws-sdk-go/service/autoscaling"
	"github.com/aws/aws-sdk-go/service/ec2"
	"github.com/aws/aws-sdk-go/service/sqs"
)

const managed = "aws-node-termination-handler/managed"

type event struct {
	Kind   string `json:"detail-type"`
	Detail struct {
		Instance             string `json:"instance-id"`
		State                string `json:"state"`
		EC2InstanceId        string
		LifecycleActionToken string
		AutoScalingGroupName string
		LifecycleHookName    string
	} `json:"detail"`
}

func (e event) instance() string { return e.Detail.Instance + e.Detail.EC2InstanceId }

func (e event) interrupts() bool {
	switch e.Kind {
	case "EC2 Spot Instance Interruption Warning", "EC2 Instance Rebalance Recommendation",
		"EC2 Instance-terminate Lifecycle Action":
		return true
	}
	return e.Detail.State == "shutting-down" || e.Detail.State == "terminated"
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func say(what string, e event) { fmt.Printf("%s\t%s\t%s\n", what, e.instance(), e.Kind) }

func isManaged(machines *ec2.EC2, id string) bool {
	shown, err := machines.DescribeInstances(
		&ec2.DescribeInstancesInput{InstanceIds: []*string{&id}})
	check(err)
	instance := shown.Reservations[0].Instances[0]
	if *instance.Placement.AvailabilityZone == "" || instance.PrivateDnsName == nil {
		log.Fatal(instance)
	}
	for _, tag := range instance.Tags {
		if *tag.Key == managed {
			return true
		}
	}
	return false
}

func complete(groups *autoscaling.AutoScaling, e event) {
	id := e.instance()
	hooks, err := groups.DescribeLifecycleHooks(&autoscaling.DescribeLifecycleHooksInput{
		AutoScalingGroupName: &e.Detail.AutoScalingGroupName,
		LifecycleHookNames:   []*string{&e.Detail.LifecycleHookName}})
	check(err)
	if *hooks.LifecycleHooks[0].HeartbeatTimeout == 0 {
		log.Fatal(hooks)
	}
	_, err = groups.RecordLifecycleActionHeartbeat(
		&autoscaling.RecordLifecycleActionHeartbeatInput{
			AutoScalingGroupName: &e.Detail.AutoScalingGroupName,
			LifecycleHookName:    &e.Detail.LifecycleHookName,
			LifecycleActionToken: &e.Detail.LifecycleActionToken, InstanceId: &id})
	check(err)
	_, err = groups.CompleteLifecycleAction(&autoscaling.CompleteLifecycleActionInput{
		AutoScalingGroupName: &e.Detail.AutoScalingGroupName,
		LifecycleHookName:    &e.Detail.LifecycleHookName,
		LifecycleActionToken: &e.Detail.LifecycleActionToken, InstanceId: &id,
		LifecycleActionResult: aws.String("CONTINUE")})
	check(err)
	say("completed", e)
}

func main() {
	queue := os.Args[1]
	service := session.Must(session.NewSession(aws.NewConfig().WithRegion("us-west-2").
		WithEndpoint(os.Getenv("ENDPOINT"))))
	messages, machines, groups := sqs.New(service), ec2.New(service), autoscaling.New(service)
	for {
		received, err := messages.ReceiveMessage(&sqs.ReceiveMessageInput{QueueUrl: &queue,
			AttributeNames:        []*string{aws.String("SentTimestamp")},
			MessageAttributeNames: []*string{aws.String("All")}, WaitTimeSeconds: aws.Int64(20),
			MaxNumberOfMessages: aws.Int64(10), VisibilityTimeout: aws.Int64(20)})
		check(err)
		for _, message := range received.Messages {
			var e event
			check(json.Unmarshal([]byte(*message.Body), &e))
			if !e.interrupts() || !isManaged(machines, e.instance()) {
				say("ignored", e)
			} else {
				say("drained", e)
				if e.Kind == "EC2 Instance-terminate Lifecycle Action" {
					complete(groups, e)
				}
			}
			_, err := messages.DeleteMessage(&sqs.DeleteMessageInput{QueueUrl: &queue,
				ReceiptHandle: message.ReceiptHandle})
			check(err)
		}
	}
}
