// What stands behind the adapters of AWS's protocols, and the adapters.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/form.h"
#include "api/written_list.h"
#include "fakes/ecr/registry.h"
#include "fakes/http/http.h"
#include "fakes/http/server.h"
#include "fakes/interference.h"
#include "fakes/ssm/secret.h"
#include "sim/autoscaling/groups.h"
#include "sim/cloud/cloud.h"
#include "sim/elastigroup/elastigroups.h"
#include "sim/events/event_log.h"
#include "sim/iam/account.h"
#include "sim/kernel/random.h"
#include "sim/logs/store.h"
#include "sim/objects/store.h"
#include "sim/sagemaker/training_jobs.h"

namespace fakes {

namespace cloudformation {
struct Account;
}
namespace s3 {
struct BucketSettings;
}

// What a client token was used for: whoever repeats the request gets the first one's answer.
struct TokenUse {
  api::Parameters parameters;
  std::shared_ptr<const void> response;
};

struct Backend {
  sim::cloud::Cloud& cloud;
  sim::Simulation& simulation;
  sim::EventLog& log;
  const sim::Streams& streams;
  sim::cloud::Latencies latencies;
  bool imds_enabled = true;
  Interference* interference = nullptr;  // null: none
  // By "RunInstances/token": they belong to the account, not to who sends them (EC2 API reference,
  // "Ensuring idempotency").
  std::map<std::string, TokenUse> client_tokens = {};
  std::map<std::string_view, api::ElementTexts> element_texts = {};  // by the operation's name
  sim::objects::Store objects{simulation, log, streams};
  // By the bucket's name; none for a bucket whose settings nobody has asked for.
  std::map<std::string, std::shared_ptr<s3::BucketSettings>> bucket_settings = {};
  sim::logs::Store logs{simulation};
  sim::autoscaling::Groups groups{simulation, log, streams, cloud};
  sim::sagemaker::TrainingJobs training{simulation, log, cloud, objects, logs};
  std::map<std::string, std::map<std::string, std::string>> training_tags = {};  // by ARN
  std::map<std::string, ssm::Secret> secrets = {};  // parameters of Systems Manager, by name
  ecr::Registry registry = {};
  // Of the AWS account: the clouds of several regions share it.
  std::shared_ptr<sim::iam::Account> iam =
      std::make_shared<sim::iam::Account>(simulation, streams, cloud.config().account_id);
  sim::elastigroup::Elastigroups elastigroups{simulation, log, streams, cloud};
  std::shared_ptr<cloudformation::Account> stacks = {};  // null before its first call
  std::vector<std::string> skipped_resource_types = {};  // that CloudFormation passes over
};

// Whether CloudFormation is at work on a stack.
bool stacks_in_progress(const Backend& backend);

// The instance metadata service as `instance` sees it at 169.254.169.254:80 (IMDSv1 and v2).
Handler imds(Backend& backend, sim::cloud::InstanceId instance);

// Whom an endpoint answers.
enum class Access {
  kSigned,  // who names a key, for the region
  kAnyone   // also who names none, or another region: the service is then told from the Host header
            // ("ec2.us-west-2.amazonaws.com"), and is EC2 where that names none
};

// AWS's regional endpoints on one port, and Elastigroup's API, which is told from its Host header
// (spotinst/spotinst.h). The service of AWS's is told from the SigV4 credential scope, as all
// AWS SDKs send it. `caller` is who signs, as the log names it: an instance ID or "operator".
Handler aws(Backend& backend, std::string caller, Access access = Access::kSigned);
// Of a server with aws() on it: parts of objects and whole ones, as S3 takes them.
LongUploads long_uploads(const sim::cloud::Latencies& latencies);
// What the services but EC2 charge from now on goes on the cloud's bill.
void bill_services(Backend& backend);

}  // namespace fakes
