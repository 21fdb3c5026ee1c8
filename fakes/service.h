// The AWS services that are served: each a model and the handlers of its actions.
#pragma once

#include <memory>
#include <span>

#include "api/http.h"
#include "fakes/action.h"

namespace fakes {

// A request as it arrived.
struct Incoming {
  api::HttpRequest& http;
  std::optional<sim::objects::Body>& upload;  // a long body
  Backend& backend;
  bool anyone;  // is answered, also without a signature
  int& status;  // of the answer, in place of the operation's own; 0: that
  // Where the endpoint serves all regions: the region that the request is for. Else empty.
  std::string_view region = {};
};

// A service, by the model that signatures name. front.cpp lists all.
struct Service {
  const api::Service& model;
  std::span<const ActionRow> actions;
  // The beginning of its endpoint's name; by default the model's name.
  std::string_view host = {};
  // Of a service that says on the wire what no model has: makes of its request one of the model's.
  // Throws ApiError.
  void (*prepare)(const Incoming& request) = nullptr;
  // Has one endpoint for all regions, which is signed for us-east-1.
  bool global = false;
  // Counts a request for the bill.
  void (*count)(Backend& backend, std::string_view action) = nullptr;
  // How long its answers take; else Latencies::api.
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
// Amazon ECR, version 2015-09-21.
const Service& ecr_service();

// Does what a validated request asks for, and returns the operation's response. Who repeats a
// request with its client token gets the first one's response (EC2 API reference, "Ensuring
// idempotency"). Throws ApiError: InvalidAction for an operation without a handler,
// DryRunOperation, IdempotentParameterMismatch, and what the handler throws.
std::shared_ptr<const void> perform(Call& call, const Service& service,
                                    const api::Operation& operation, const void* request);

}  // namespace fakes
