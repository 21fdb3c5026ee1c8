// Launch templates and their versions (EC2 user guide, "Store instance launch parameters in Amazon
// EC2 launch templates"). A template stores the parameters of launches and launches nothing itself.
// The comments in cloud.h say what each action throws.
#pragma once

#include <map>
#include <string>

#include "sim/cloud/parts/context.h"
#include "sim/cloud/parts/tagging.h"

namespace sim::cloud {

class LaunchTemplates {
 public:
  LaunchTemplates(Context&, Tagging&);

  // All templates that are not deleted.
  const std::map<LaunchTemplateId, LaunchTemplate>& all() const { return table_; }
  // Throws InvalidLaunchTemplateId.NotFound.
  const LaunchTemplate& find(const LaunchTemplateId&) const;
  // `version` is "3", "$Latest" or "$Default". Throws InvalidLaunchTemplateId.VersionNotFound.
  const LaunchTemplateVersion& version(const LaunchTemplateId&, const std::string& version) const;
  // Adds the tags by which EC2 marks an instance that is launched from a template (EC2 User Guide,
  // "Tag restrictions"): the template's ID, and the number of its version. Without a template it
  // adds none.
  void add_tags(const LaunchSpec& spec, Tags& tags) const;

  LaunchTemplateId create(const std::string& name, const LaunchSpec& data, const Tags&,
                          const std::string& given, const std::string& description);
  // Returns the number of the new version.
  int create_version(const LaunchTemplateId&, const LaunchSpec& data, const std::string& given,
                     const std::string& description);
  void set_default_version(const LaunchTemplateId&, const std::string& version);
  void remove_version(const LaunchTemplateId&, const std::string& version);
  void remove(const LaunchTemplateId&);

 private:
  Context& context_;
  Tagging& tagging_;
  std::map<LaunchTemplateId, LaunchTemplate> table_;
};

}  // namespace sim::cloud
