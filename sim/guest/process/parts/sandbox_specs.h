// What each machine starts with: its image, files, environment and first program.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "sim/cloud/container.h"
#include "sim/guest/disks/device_names.h"
#include "sim/guest/process/parts/consoles.h"
#include "sim/guest/process/parts/host_context.h"
#include "sim/guest/process/parts/internet.h"
#include "sim/guest/process/parts/machine_network.h"
#include "sim/guest/sandbox/image.h"
#include "sim/guest/sandbox/sandbox.h"

namespace sim::guest {

inline constexpr const char* kOperatorName = "operator";  // the name of the operator's machine

// The part of ProcessHost that describes sandboxes. It turns the scenario's images and an
// instance's launch into a SandboxSpec, from which Sandbox::start() makes the machine.
class SandboxSpecs {
 public:
  SandboxSpecs(HostContext&, const Internet&, const MachineNetwork&, Consoles&);

  // Makes the folders, commands, repositories and images that all machines share. Throws
  // std::runtime_error if an image cannot be used.
  void prepare();

  // The operator's machine runs a shell script in the scenario's folder, which may be empty.
  SandboxSpec of_operator(const std::string& script, const std::filesystem::path& scenario) const;
  // An instance runs its user data, as cloud-init does (boot_spec.cpp). `restored` is the folder
  // with a saved root, as in GuestRoot.
  SandboxSpec of_instance(const cloud::Instance&, const RootDisk&,
                          const std::filesystem::path& restored) const;
  // An instance that a service manages runs a container. Its image is configured (has_image()).
  SandboxSpec of_container(const cloud::Instance&, const cloud::Container&) const;

  // A sandbox for a program that makes a memory image and ends (WarmPrograms). It is like that of
  // the given instance, or like the operator's if `instance` is empty.
  SandboxSpec of_image_taker(const cloud::InstanceId&) const;
  // The path of warm::image_taker() in guests, and its folder.
  std::string image_taker() const;
  std::filesystem::path image_taker_folder() const;
  // The same folder on this machine.
  std::filesystem::path warm_folder() const;
  // The folder of the machine's image. Empty if it has only the host's programs.
  std::filesystem::path image_folder(const cloud::InstanceId&) const;

  // Whether the scenario names the image of this instance.
  bool has_image(const cloud::Instance& instance) const {
    return context_.config.images.contains(instance.spec.image_id);
  }
  // The names that the image's rules add to a device.
  DiskLinks links_of(const cloud::Instance&) const;

 private:
  void prepare_images();
  const ImageLayers& layers_of(const cloud::Instance&) const;
  const Image& image_of(const cloud::Instance&) const;
  SandboxSpec common(const std::string& name, const std::string& hostname) const;
  void add_boot(const cloud::Instance&, SandboxSpec&) const;
  void set_image(const cloud::Instance&, SandboxSpec&) const;

  HostContext& context_;
  const Internet& internet_;
  const MachineNetwork& network_;
  Consoles& consoles_;
  std::string git_config_;
  std::map<std::string, ImageLayers> images_;
  ImageLayers other_image_;
};

}  // namespace sim::guest
