#include "sim/cloud/parts/launch_templates.h"

#include <algorithm>
#include <charconv>

#include "sim/cloud/error.h"
#include "sim/cloud/parts/lookup.h"

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

const LaunchTemplateVersion& version_of(const LaunchTemplate& of, const std::string& version) {
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

LaunchTemplates::LaunchTemplates(Context& context, Tagging& tagging)
    : context_(context), tagging_(tagging) {
  tagging.add({.id_prefix = "lt-", .tags = [this](const std::string& id) -> Tags& {
                 return look_up(table_, LaunchTemplateId{id}).tags;
               }});
}

const LaunchTemplate& LaunchTemplates::find(const LaunchTemplateId& id) const {
  return look_up(table_, id);
}

const LaunchTemplateVersion& LaunchTemplates::version(const LaunchTemplateId& id,
                                                      const std::string& version) const {
  return version_of(find(id), version);
}

LaunchTemplateId LaunchTemplates::create(const std::string& name, const LaunchSpec& data,
                                         const Tags& tags, const std::string& given,
                                         const std::string& description) {
  check_name(name);
  for (const auto& [id, other] : table_) {
    if (other.name == name)
      throw ApiError("InvalidLaunchTemplateName.AlreadyExistsException",
                     "Launch template name already in use.");
  }
  check_tags(tags, {});
  check_tags(data.tags, {});
  const LaunchTemplateId id = context_.ids.launch_template();
  LaunchTemplate& made = table_[id];
  made = {.id = id, .name = name, .tags = tags, .created_at = context_.now()};
  made.versions[1] = {
      .data = data, .given = given, .description = description, .created_at = context_.now()};
  context_.tell(&Observer::launch_template_created, made);
  tagging_.announce(id.value, tags);
  return id;
}

int LaunchTemplates::create_version(const LaunchTemplateId& id, const LaunchSpec& data,
                                    const std::string& given, const std::string& description) {
  LaunchTemplate& of = look_up(table_, id);
  check_tags(data.tags, {});
  const int number = ++of.latest_version;
  of.versions[number] = {.number = number,
                         .data = data,
                         .given = given,
                         .description = description,
                         .created_at = context_.now()};
  context_.tell(&Observer::changed);
  return number;
}

void LaunchTemplates::set_default_version(const LaunchTemplateId& id, const std::string& version) {
  LaunchTemplate& of = look_up(table_, id);
  of.default_version = version_of(of, version).number;
  context_.tell(&Observer::changed);
}

void LaunchTemplates::remove_version(const LaunchTemplateId& id, const std::string& version) {
  LaunchTemplate& of = look_up(table_, id);
  const int number = version_of(of, version).number;
  if (number == of.default_version)
    throw ApiError("OperationNotPermitted",
                   "You cannot delete the default version of a launch template.");
  of.versions.erase(number);
  context_.tell(&Observer::changed);
}

void LaunchTemplates::remove(const LaunchTemplateId& id) {
  find(id);
  table_.erase(id);
  context_.tell(&Observer::launch_template_deleted, id);
}

void LaunchTemplates::add_tags(const LaunchSpec& spec, Tags& tags) const {
  const auto made_of = table_.find(spec.launch_template);
  if (made_of == table_.end()) return;
  const LaunchTemplate& own = made_of->second;
  const std::string& version = spec.launch_template_version;
  tags["aws:ec2launchtemplate:id"] = own.id.value;
  tags["aws:ec2launchtemplate:version"] =
      version == "$Latest"    ? std::to_string(own.versions.rbegin()->first)
      : version == "$Default" ? std::to_string(own.default_version)
                              : version;
}

}  // namespace sim::cloud
