// The AWS services that spotsim serves. Each has a model and handlers for its actions.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "api/form.h"
#include "api/http.h"
#include "fakes/action.h"

namespace fakes {

// A request as it arrived.
struct Incoming {
  api::HttpRequest& http;
  std::optional<sim::objects::Body>& upload;  // a long body
  Backend& backend;
  bool anyone;  // unsigned requests are answered, too
  int& status;  // of the answer; 0: the operation's own status
  // The region of the request, if the endpoint serves all regions. Else empty.
  std::string_view region = {};
};

// A service. front.cpp lists all services.
struct Service {
  const api::Service& model;
  std::span<const ActionRow> actions;
  // The first part of its endpoint's name. By default it is the name in signatures.
  std::string_view host = {};
  // The name in signatures. By default it is the model's name, which IAM's actions have.
  std::string_view signed_as = {};
  // For a service with protocol features that no model describes: converts its request into one of
  // the model's. Throws ApiError.
  void (*prepare)(const Incoming& request) = nullptr;
  // The service has one endpoint for all regions, which is signed for us-east-1.
  bool global = false;
  // The only regions that have an endpoint of the service. Empty: all regions.
  std::span<const std::string_view> regions = {};
  // Counts a request for the bill.
  void (*count)(Backend& backend, std::string_view action, const api::HttpRequest&) = nullptr;
  // The parameters on which IAM decides, if they are more than the request's own. Else empty.
  std::optional<api::Parameters> (*completed)(Backend& backend, const api::Operation& operation,
                                              const void* request) = nullptr;
  // The latency of its answers. By default it is Latencies::api.
  sim::Duration (*latency)(const Backend& backend) = nullptr;
};

// Amazon EC2 Auto Scaling, version 2011-01-01.
const Service& autoscaling_service();
// AWS CloudFormation, version 2010-05-15.
const Service& cloudformation_service();
// Amazon EC2, version 2016-11-15.
const Service& ec2_service();
// Amazon S3, version 2006-03-01.
const Service& s3_service();
// Amazon SageMaker, version 2017-07-24.
const Service& sagemaker_service();
// AWS Identity and Access Management, version 2010-05-08.
const Service& iam_service();
// AWS Systems Manager, version 2014-11-06.
const Service& ssm_service();
// AWS Security Token Service, version 2011-06-15.
const Service& sts_service();
// Amazon CloudWatch Logs, version 2014-03-28.
const Service& logs_service();
// Amazon SQS, version 2012-11-05, for clients that send forms, and for newer ones that send JSON.
const Service& sqs_service();
const Service& sqs_json_service();
// Amazon SNS, version 2010-03-31.
const Service& sns_service();
// Amazon EventBridge, version 2015-10-07.
const Service& events_service();
// AWS Fault Injection Service, version 2020-12-01.
const Service& fis_service();
// Amazon CloudWatch, version 2010-08-01, for clients that send forms, and for newer ones that send
// JSON.
const Service& cloudwatch_service();
const Service& cloudwatch_json_service();
// AWS Price List, version 2017-10-15.
const Service& pricing_service();
// Amazon ECR, version 2015-09-21.
const Service& ecr_service();

// Performs a validated request, and returns the operation's response. If a request is repeated with
// its client token, the caller gets the first response (EC2 API reference, "Ensuring idempotency").
// Throws ApiError: InvalidAction for an operation without a handler, DryRunOperation,
// IdempotentParameterMismatch, and the handler's errors.
std::shared_ptr<const void> perform(Call& call, const Service& service,
                                    const api::Operation& operation, const void* request);

}  // namespace fakes
