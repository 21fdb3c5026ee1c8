// Launch templates and their versions (EC2 user guide, "Store instance launch parameters in Amazon
// EC2 launch templates").
#include <algorithm>
#include <charconv>

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

[[noreturn]] void throw_no_version(const LaunchTemplate& of, const std::string& version) {
  throw ApiError("InvalidLaunchTemplateId.VersionNotFound",
                 "Could not find the specified version " + version +
                     " for the launch template with ID " + of.id.value + ".");
}

LaunchTemplateVersion& version_of(LaunchTemplate& of, const std::string& version) {
  int number = 0;
  const char* const end = version.data() + version.size();
  if (version == "$Latest") {
    number = of.versions.rbegin()->first;
  } else if (version == "$Default") {
    number = of.default_version;
  } else if (const auto read = std::from_chars(version.data(), end, number);
             read.ec != std::errc{} || read.ptr != end) {
    throw_no_version(of, version);
  }
  const auto found = of.versions.find(number);
  if (found == of.versions.end()) throw_no_version(of, version);
  return found->second;
}

}  // namespace

LaunchTemplateId Cloud::create_launch_template(const std::string& name, const LaunchSpec& data,
                                               const Tags& tags, const std::string& given,
                                               const std::string& description) {
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
  made = {.id = id, .name = name, .tags = tags, .created_at = s.now()};
  made.versions[1] = {
      .data = data, .given = given, .description = description, .created_at = s.now()};
  s.tell(&Observer::launch_template_created, made);
  s.tell_tags(id.value, tags);
  return id;
}

int Cloud::create_launch_template_version(const LaunchTemplateId& id, const LaunchSpec& data,
                                          const std::string& given,
                                          const std::string& description) {
  State& s = *state_;
  LaunchTemplate& of = s.find(id);
  s.check_tags(data.tags, {});
  const int number = ++of.latest_version;
  of.versions[number] = {.number = number,
                         .data = data,
                         .given = given,
                         .description = description,
                         .created_at = s.now()};
  s.tell(&Observer::changed);
  return number;
}

const LaunchTemplateVersion& Cloud::launch_template_version(const LaunchTemplateId& id,
                                                            const std::string& version) const {
  return version_of(state_->find(id), version);
}

void Cloud::set_default_version(const LaunchTemplateId& id, const std::string& version) {
  LaunchTemplate& of = state_->find(id);
  of.default_version = version_of(of, version).number;
  state_->tell(&Observer::changed);
}

void Cloud::delete_launch_template_version(const LaunchTemplateId& id, const std::string& version) {
  LaunchTemplate& of = state_->find(id);
  const int number = version_of(of, version).number;
  if (number == of.default_version)
    throw ApiError("OperationNotPermitted",
                   "You cannot delete the default version of a launch template.");
  of.versions.erase(number);
  state_->tell(&Observer::changed);
}

void Cloud::delete_launch_template(const LaunchTemplateId& id) {
  State& s = *state_;
  s.find(id);
  s.launch_templates.erase(id);
  s.tell(&Observer::launch_template_deleted, id);
}

}  // namespace sim::cloud
