#include "fakes/sts/session_tags.h"

#include "sim/iam/names.h"

namespace fakes::sts {
namespace {

using sim::cloud::ApiError;
using sim::iam::Caller;

void inherit(const Caller& from, Caller& session) {
  for (const std::string& key : from.transitive_tags) session.tags[key] = from.tags.at(key);
  session.transitive_tags = from.transitive_tags;
  session.source_identity = from.source_identity;
}

}  // namespace

void tag_session(const Call& call, const api::sts::op::AssumeRole::Request& request,
                 Caller& session) {
  if (call.identity != nullptr) inherit(*call.identity, session);
  sim::iam::Tags given;
  for (const auto& tag : request.tags) {
    const std::string& key = tag.key.value();
    if (session.transitive_tags.contains(key))
      throw ApiError("InvalidParameterValue",
                     "One of the specified transitive tag keys can't be set because it conflicts "
                     "with a transitive tag key from the calling session.");
    if (!given.emplace(key, tag.value.value()).second)
      throw ApiError("InvalidParameterValue",
                     "Duplicate tag keys found. Please note that Tag keys are case insensitive.");
  }
  sim::iam::check_tags(given);
  for (const std::string& key : request.transitive_tag_keys) {
    if (!given.contains(key))
      throw ApiError("InvalidParameterValue",
                     "The specified transitive tag key must be included in the requested tags.");
    session.transitive_tags.insert(key);
  }
  session.tags.merge(given);
  if (!request.source_identity) return;
  if (!session.source_identity.empty() && session.source_identity != *request.source_identity)
    throw ApiError("ValidationError",
                   "The source identity of a session that another session opens cannot change.");
  sim::iam::check_session_name(*request.source_identity, "sourceIdentity");
  session.source_identity = *request.source_identity;
}

}  // namespace fakes::sts
