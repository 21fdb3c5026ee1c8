// The AWS-managed policies, which every account can attach: those that training jobs,
// clusters, their launchers and experiments of FIS use (AWS Managed Policy Reference Guide, as of
// 2026-05).
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sim/iam/entities.h"

namespace sim::iam {

// The policies, one JSON object a line: Path, Name, Version, Created, Updated, Document.
std::string_view aws_managed_policies_jsonl();

// The policies by ARN: "arn:aws:iam::aws:policy/AmazonS3FullAccess". Only default versions are
// known.
const std::map<std::string, Policy>& aws_managed_policies();

}  // namespace sim::iam
