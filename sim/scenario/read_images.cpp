// guest.images: the images from which instances boot, and their form in DescribeImages.
#include <fmt/format.h>

#include <algorithm>

#include "sim/guest/process/progress/line_pattern.h"
#include "sim/scenario/blocks.h"

namespace sim::scenario {
namespace {

constexpr const char* kDefault = "default";
constexpr const char* kImage = "a mapping such as {root: image, users: [ubuntu]}";
constexpr const char* kUsers = "a list of users such as [ubuntu] or [{name: ec2-user, uid: 1000}]";
constexpr std::int64_t kFirstUser = 1000, kLastUser = 60000;  // range of adduser(8)

// True for an ImageId. Machines have folders of this name.
bool is_image_id(std::string_view text) {
  constexpr std::string_view kBegin = "ami-", kDigits = "0123456789abcdef";
  return text.starts_with(kBegin) && text.size() > kBegin.size() && text.size() <= 64 &&
         text.find_first_not_of(kDigits, kBegin.size()) == text.npos;
}

// A user name that useradd(8) accepts.
std::optional<std::string> user_name(const Value& value) {
  const auto name = value.text("a user's name");
  if (!name) return {};
  const auto fits = [](char c) {
    return ('a' <= c && c <= 'z') || ('0' <= c && c <= '9') || c == '_' || c == '-';
  };
  const bool begins = fits(name->front()) && name->front() != '-' && !std::isdigit(name->front());
  if (*name != "root" && name->size() <= 32 && begins && std::ranges::all_of(*name, fits))
    return name;
  value.fail("a user's name: small letters, digits, '-' and '_', not root");
  return {};
}

unsigned free_number(const std::vector<GuestUser>& users) {
  unsigned uid = kFirstUser;
  while (std::ranges::find(users, uid, &GuestUser::uid) != users.end()) ++uid;
  return uid;
}

void read_user(const Value& entry, std::vector<GuestUser>& users) {
  GuestUser user{.name = {}, .uid = free_number(users)};
  Value name = entry;
  if (entry.is_map()) {
    Fields fields(entry);
    if (const auto v = fields.take("uid"))
      user.uid = static_cast<unsigned>(v->integer(kFirstUser, kLastUser).value_or(user.uid));
    const auto v = fields.require("name", "a user's name");
    fields.finish();
    if (!v) return;
    name = *v;
  }
  const auto text = user_name(name);
  if (!text) return;
  user.name = *text;
  for (const GuestUser& other : users) {
    if (other.name == user.name) return name.fail("each user once");
    if (other.uid == user.uid)
      return entry.reject(
          fmt::format("found uid {} a second time, it is {}'s", user.uid, other.name));
  }
  users.push_back(user);
}

// A repository on a host, with a tag: "123456789012.dkr.ecr.us-west-2.amazonaws.com/train:1".
bool is_container_image(const std::string& id) {
  static const guest::LinePattern kRepository(
      "^[a-z0-9]+([.-][a-z0-9]+)*\\.[a-z]+(:[0-9]+)?(/[a-z0-9]+([._-]+[a-z0-9]+)*)+"
      "(:[A-Za-z0-9_][A-Za-z0-9._-]*)?$");
  return id.size() <= 255 && kRepository.find(id);
}

// The fields for DescribeImages.
cloud::Image read_shown(Fields& fields, const std::string& id) {
  cloud::Image image{.name = id};
  if (const auto v = fields.take("name")) image.name = v->text().value_or(id);
  if (const auto v = fields.take("description")) image.description = v->text().value_or("");
  if (const auto v = fields.take("owner"))
    image.owner = v->text("an account's ID, self, amazon or aws-marketplace").value_or("");
  if (image.owner == "self") image.owner.clear();
  if (const auto v = fields.take("architecture"))
    image.architecture = v->word({"x86_64", "arm64"}).value_or(image.architecture);
  if (const auto v = fields.take("creation_date")) image.created = v->time().value_or(Time{});
  return image;
}

// Reads what `docker inspect` prints as Env, WorkingDir and Entrypoint.
guest::ContainerSettings read_container(Fields& fields) {
  guest::ContainerSettings container;
  if (const auto v = fields.take("env")) {
    if (!v->is_map()) {
      v->fail("a mapping such as {SAGEMAKER_PROGRAM: train.py}");
    } else {
      for (const Value& value : Fields(*v).take_all())
        container.environment[value.member_name()] = value.text().value_or("");
    }
  }
  if (const auto v = fields.take("workdir")) {
    container.working_folder = v->text("an absolute path").value_or("/");
    if (!container.working_folder.starts_with('/')) v->fail("an absolute path");
  }
  if (const auto v = fields.take("entrypoint")) {
    if (v->is_list()) {
      for (const Value& word : v->list(""))
        container.entrypoint.push_back(word.text().value_or(""));
    } else if (const auto line = v->text("a list of words, or a line for /bin/sh")) {
      container.entrypoint = {"/bin/sh", "-c", *line};  // Docker's shell form
    }
  }
  return container;
}

GuestImage read_files(Fields& fields, Scenario& s) {
  GuestImage image;
  const auto root = fields.take("root");
  if (root) image.root = folder_beside(*root, s);
  if (const auto v = fields.take("packages")) {
    image.host_packages = v->word({"host", "none"}) != "none";
    if (!image.host_packages && !root)
      v->reject(
          "found none without `root`, expected host, or also `root` with all files of the "
          "image");
  }
  if (const auto v = fields.take("users")) {
    image.users.clear();
    for (const Value& entry : v->list(kUsers)) read_user(entry, image.users);
  }
  return image;
}

}  // namespace

void read_images(const Value& block, Scenario& s) {
  if (!block.is_map()) return block.fail("a mapping from ImageId to " + std::string(kImage));
  Fields fields(block);
  bool any_ami = false, has_default = false;
  for (const Value& entry : fields.take_all()) {
    const std::string& id = entry.member_name();
    if (!entry.is_map()) {
      entry.fail(kImage);
      continue;
    }
    Fields keys(entry);
    GuestImage image = read_files(keys, s);
    if (id == kDefault) {
      s.guest.other_image = std::move(image);
      has_default = true;
    } else if (is_container_image(id)) {
      image.container = read_container(keys);
      s.guest.images[id] = std::move(image);
    } else if (!is_image_id(id)) {
      entry.reject(
          "found a key that is no ImageId, expected one such as ami-0a63f3f0c7e4b2d15, a "
          "container's image such as 123456789012.dkr.ecr.us-west-2.amazonaws.com/train:1, or "
          "default");
    } else {
      any_ami = true;
      s.cloud.images[id] = read_shown(keys, id);
      s.guest.images[id] = std::move(image);
    }
    keys.finish();
  }
  s.cloud.any_image = has_default || !any_ami;
  fields.finish();
}

}  // namespace sim::scenario
