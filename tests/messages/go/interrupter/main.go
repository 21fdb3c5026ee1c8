// interrupter INSTANCE...: interrupts spot instances of the service at $ENDPOINT with FIS, by the
// calls that AWS's ec2-spot-interrupter makes, with the same SDK. It prints the state of the
// experiment at each look, and then of each instance.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/fis"
	fistypes "github.com/aws/aws-sdk-go-v2/service/fis/types"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	iamtypes "github.com/aws/aws-sdk-go-v2/service/iam/types"
	"github.com/aws/aws-sdk-go-v2/service/sts"
)

const (
	role  = "go-interrupter"
	trust = `{"Version": "2012-10-17", "Statement": [{"Effect": "Allow",
		"Principal": {"Service": ["fis.amazonaws.com"]}, "Action": "sts:AssumeRole"}]}`
	policy = `{"Version": "2012-10-17", "Statement": [{"Effect": "Allow",
		"Action": "ec2:SendSpotInstanceInterruptions", "Resource": "arn:aws:ec2:*:*:instance/*"}]}`
	patience = 50 * time.Millisecond
)

var background = context.Background()

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// The role's ARN, or "" if the role exists already.
func makeRole(client *iam.Client) string {
	made, err := client.CreateRole(background, &iam.CreateRoleInput{
		RoleName: aws.String(role), AssumeRolePolicyDocument: aws.String(trust)})
	var exists *iamtypes.EntityAlreadyExistsException
	if errors.As(err, &exists) {
		return ""
	}
	check(err)
	_, err = client.PutRolePolicy(background, &iam.PutRolePolicyInput{RoleName: made.Role.RoleName,
		PolicyName: aws.String("fis"), PolicyDocument: aws.String(policy)})
	check(err)
	return *made.Role.Arn
}

func describe(client *ec2.Client, instances []string, print func(id, lifecycle, state string)) {
	pages := ec2.NewDescribeInstancesPaginator(client,
		&ec2.DescribeInstancesInput{InstanceIds: instances})
	for pages.HasMorePages() {
		page, err := pages.NextPage(background)
		check(err)
		for _, reservation := range page.Reservations {
			for _, each := range reservation.Instances {
				print(*each.InstanceId, string(each.InstanceLifecycle), string(each.State.Name))
			}
		}
	}
}

func experiment(client *fis.Client, roleARN string, arns []string) *fistypes.Experiment {
	made, err := client.CreateExperimentTemplate(background, &fis.CreateExperimentTemplateInput{
		Description: aws.String("interrupt"),
		RoleArn:     aws.String(roleARN),
		StopConditions: []fistypes.CreateExperimentTemplateStopConditionInput{
			{Source: aws.String("none")}},
		Targets: map[string]fistypes.CreateExperimentTemplateTargetInput{"them": {
			ResourceType: aws.String("aws:ec2:spot-instance"), ResourceArns: arns,
			SelectionMode: aws.String("ALL")}},
		Actions: map[string]fistypes.CreateExperimentTemplateActionInput{"interrupt": {
			ActionId:   aws.String("aws:ec2:send-spot-instance-interruptions"),
			Parameters: map[string]string{"durationBeforeInterruption": "PT135S"},
			Targets:    map[string]string{"SpotInstances": "them"}}}})
	check(err)
	started, err := client.StartExperiment(background, &fis.StartExperimentInput{
		ExperimentTemplateId: made.ExperimentTemplate.Id})
	check(err)
	return started.Experiment
}

func main() {
	instances := os.Args[1:]
	resolver := aws.EndpointResolverWithOptionsFunc(
		func(service, region string, _ ...interface{}) (aws.Endpoint, error) {
			return aws.Endpoint{URL: os.Getenv("ENDPOINT"), SigningRegion: region}, nil
		})
	configuration, err := config.LoadDefaultConfig(background,
		config.WithEndpointResolverWithOptions(resolver))
	check(err)
	machines, experiments := ec2.NewFromConfig(configuration), fis.NewFromConfig(configuration)
	describe(machines, instances, func(id, lifecycle, state string) {
		fmt.Println("before", id, lifecycle, state)
	})
	identity, err := sts.NewFromConfig(configuration).GetCallerIdentity(background, nil)
	check(err)
	roles := iam.NewFromConfig(configuration)
	roleARN := makeRole(roles)
	if makeRole(roles) != "" {
		log.Fatal("the role was made twice")
	}
	arns := []string{}
	for _, id := range instances {
		arns = append(arns, fmt.Sprintf("arn:aws:ec2:%s:%s:instance/%s", configuration.Region,
			*identity.Account, id))
	}
	running := experiment(experiments, roleARN, arns)
	fmt.Println("started", running.StartTime.UTC().Format(time.RFC3339))
	status := running.State.Status
	for status != fistypes.ExperimentStatusCompleted {
		time.Sleep(patience)
		shown, err := experiments.GetExperiment(background,
			&fis.GetExperimentInput{Id: running.Id})
		check(err)
		if status = shown.Experiment.State.Status; status == fistypes.ExperimentStatusFailed {
			log.Fatal(*shown.Experiment.State.Reason)
		}
	}
	describe(machines, instances, func(id, _, state string) { fmt.Println("notice", id, state) })
	_, err = experiments.DeleteExperimentTemplate(background,
		&fis.DeleteExperimentTemplateInput{Id: running.ExperimentTemplateId})
	check(err)
}
