#include "fakes/logs/actions.h"
#include "fakes/service.h"

namespace fakes {

const Service& logs_service() {
  using namespace logs;
  static const ActionRow rows[] = {
      action<op::CreateLogGroup, create_group>(),
      action<op::CreateLogStream, create_stream>(),
      action<op::DeleteLogGroup, delete_group>(),
      action<op::DeleteLogStream, delete_stream>(),
      action<op::DeleteRetentionPolicy, delete_retention>(),
      action<op::DescribeLogGroups, describe_groups>(),
      action<op::DescribeLogStreams, describe_streams>(),
      action<op::FilterLogEvents, filter_events>(),
      action<op::GetLogEvents, get_events>(),
      action<op::ListTagsForResource, list_tags_for_resource>(),
      action<op::ListTagsLogGroup, list_tags_of_group>(),
      action<op::PutLogEvents, put_events>(),
      action<op::PutRetentionPolicy, put_retention>(),
      action<op::TagLogGroup, tag_group>(),
      action<op::TagResource, tag_resource>(),
      action<op::UntagLogGroup, untag_group>(),
      action<op::UntagResource, untag_resource>(),
  };
  static const Service service{.model = api::logs::kService, .actions = rows};
  return service;
}

}  // namespace fakes
