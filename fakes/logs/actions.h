// The actions of CloudWatch Logs, by resource.
#pragma once

#include "api/logs.h"
#include "fakes/action.h"

namespace fakes::logs {

namespace op = api::logs::op;

// ---- groups.cpp
op::CreateLogGroup::Response create_group(Call&, const op::CreateLogGroup::Request&);
op::DeleteLogGroup::Response delete_group(Call&, const op::DeleteLogGroup::Request&);
op::DescribeLogGroups::Response describe_groups(Call&, const op::DescribeLogGroups::Request&);
op::PutRetentionPolicy::Response put_retention(Call&, const op::PutRetentionPolicy::Request&);
op::DeleteRetentionPolicy::Response delete_retention(Call&,
                                                     const op::DeleteRetentionPolicy::Request&);

// ---- tags.cpp
op::TagResource::Response tag_resource(Call&, const op::TagResource::Request&);
op::UntagResource::Response untag_resource(Call&, const op::UntagResource::Request&);
op::ListTagsForResource::Response list_tags_for_resource(Call&,
                                                         const op::ListTagsForResource::Request&);
op::TagLogGroup::Response tag_group(Call&, const op::TagLogGroup::Request&);
op::UntagLogGroup::Response untag_group(Call&, const op::UntagLogGroup::Request&);
op::ListTagsLogGroup::Response list_tags_of_group(Call&, const op::ListTagsLogGroup::Request&);

// ---- streams.cpp
op::CreateLogStream::Response create_stream(Call&, const op::CreateLogStream::Request&);
op::DeleteLogStream::Response delete_stream(Call&, const op::DeleteLogStream::Request&);
op::DescribeLogStreams::Response describe_streams(Call&, const op::DescribeLogStreams::Request&);

// ---- events.cpp
op::PutLogEvents::Response put_events(Call&, const op::PutLogEvents::Request&);
op::GetLogEvents::Response get_events(Call&, const op::GetLogEvents::Request&);
op::FilterLogEvents::Response filter_events(Call&, const op::FilterLogEvents::Request&);

}  // namespace fakes::logs
