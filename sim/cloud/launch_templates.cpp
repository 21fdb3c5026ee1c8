// Launch templates (EC2 user guide, "Store instance launch parameters in Amazon EC2 launch
// templates"), of one version each.
#include <algorithm>

#include "sim/cloud/state.h"

namespace sim::cloud {
namespace {

// EC2 API reference, CreateLaunchTemplate: 3 to 128 of [a-zA-Z0-9().-/_].
void check_name(const std::string& name) {
  constexpr std::string_view kMarks = "().-/_";
  const auto allowed = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kMarks.find(c) != std::string_view::npos;
  };
  if (name.size() >= 3 && name.size() <= 128 && std::ranges::all_of(name, allowed)) return;
  throw ApiError("InvalidLaunchTemplateName.MalformedException",
                 "A launch template name must be between 3 and 128 characters, and may contain "
                 "letters, numbers, and the following characters: - ( ) . / _.");
}

}  // namespace

LaunchTemplateId Cloud::create_launch_template(const std::string& name, const LaunchSpec& data,
                                               const Tags& tags, const std::string& given) {
  State& s = *state_;
  check_name(name);
  for (const auto& [id, other] : s.launch_templates) {
    if (other.name == name)
      throw ApiError("InvalidLaunchTemplateName.AlreadyExistsException",
                     "Launch template name already in use.");
  }
  s.check_tags(tags, {});
  s.check_tags(data.tags, {});
  const LaunchTemplateId id = s.ids.launch_template();
  LaunchTemplate& made = s.launch_templates[id];
  made = {
      .id = id, .name = name, .data = data, .tags = tags, .created_at = s.now(), .given = given};
  s.tell(&Observer::launch_template_created, made);
  s.tell_tags(id.value, tags);
  return id;
}

void Cloud::delete_launch_template(const LaunchTemplateId& id) {
  State& s = *state_;
  s.find(id);
  s.launch_templates.erase(id);
  s.tell(&Observer::launch_template_deleted, id);
}

}  // namespace sim::cloud
