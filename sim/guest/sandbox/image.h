// The content from which an instance boots: the host's programs, a folder of files that replace or
// supplement them, and users.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "sim/guest/container_settings.h"
#include "sim/guest/sandbox/level.h"

namespace sim::guest {

struct User {
  std::string name;
  uid_t id = 1000;  // also the ID of its group

  std::string home() const { return "/home/" + name; }
};

struct Image {
  std::filesystem::path root;           // folder of the image's files; empty: none
  bool host_packages = true;            // includes the host's programs
  std::vector<User> users{{"ubuntu"}};  // each has a home and may use sudo
  ContainerSettings container = {};
};

// The layers of an image that guests mount: folders of the host, in order from the topmost.
class ImageLayers {
 public:
  // The default image: the host's programs and the user ubuntu.
  ImageLayers() : ImageLayers(Image{}) {}
  explicit ImageLayers(Image image);

  // Gives the image's files to its users: files in a user's home to that user, all others to root,
  // whatever their owners on the host. Needs level root. Files are not copied: the folder `notes`
  // records their owners, and must exist as long as the guests. Throws std::system_error.
  void assign_owners(const std::filesystem::path& notes);

  // Hides the host's data by a layer in this folder, which hide_host_data() has made.
  void hide_by(std::filesystem::path layer) { hidden_ = std::move(layer); }

  // The names in the guest's root folder.
  std::set<std::string> names() const;
  // The files or folders at PATH, such as "etc/passwd" or "home". If several layers have it, the
  // topmost comes first. Of the host's folders, only those with programs count (host_data.h).
  std::vector<std::filesystem::path> at(const std::string& path) const;

  // The lower folders of an overlay, and the options that it needs.
  std::vector<std::filesystem::path> lower_folders(const std::string& name) const;
  std::string overlay_options(Level level) const;

  const std::vector<User>& users() const { return image_.users; }
  // Whether the guest's folder has only files of the host.
  bool is_host(const std::string& name) const;

 private:
  Image image_;
  std::filesystem::path owners_;  // empty: no owners are recorded
  std::filesystem::path hidden_;  // empty: nothing is hidden
};

// The reason why a folder cannot be the root of an image on this machine. Empty if it can.
std::string objection_to(const Image& image);

}  // namespace sim::guest
