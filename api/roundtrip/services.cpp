#include "api/roundtrip/services.h"

#include "api/autoscaling.h"
#include "api/batch.h"
#include "api/cloudformation.h"
#include "api/cloudwatch.h"
#include "api/dynamodb.h"
#include "api/ec2.h"
#include "api/ecr.h"
#include "api/events.h"
#include "api/fis.h"
#include "api/iam.h"
#include "api/lambda.h"
#include "api/logs.h"
#include "api/pricing.h"
#include "api/s3.h"
#include "api/sagemaker.h"
#include "api/sns.h"
#include "api/sqs.h"
#include "api/ssm.h"
#include "api/sts.h"
#include "api/wafv2.h"

namespace api {

const Service* service_for_test(std::string_view name) {
  static constexpr const Service* kServices[] = {
      &autoscaling::kService, &batch::kService,    &cloudformation::kService,
      &cloudwatch::kService,  &dynamodb::kService, &ec2::kService,
      &ecr::kService,         &events::kService,   &fis::kService,
      &iam::kService,         &lambda::kService,   &logs::kService,
      &pricing::kService,     &s3::kService,       &sagemaker::kService,
      &sns::kService,         &sqs::kService,      &ssm::kService,
      &sts::kService,         &wafv2::kService};
  for (const Service* const service : kServices)
    if (service->name == name) return service;
  return nullptr;
}

}  // namespace api
