#include "fakes/ec2/image_catalogue.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <sstream>
#include <string_view>

namespace fakes::ec2 {
namespace {

constexpr std::string_view kAmazon = "amazon", kCanonical = "099720109477";

struct PublicImage {
  std::string_view name, description, owner, architecture, created;
  // Names of parameters below /aws/service/, separated by spaces. They had this ID until the next
  // release.
  std::string_view parameters = {};
};

constexpr PublicImage kImages[] = {
    {"amzn2-ami-hvm-2.0.20191024.3-x86_64-gp2", "Amazon Linux 2 AMI 2.0.20191024.3 x86_64 HVM gp2",
     kAmazon, "x86_64", "2019-10-26T01:53:43Z", "ami-amazon-linux-latest/amzn2-ami-hvm-x86_64-gp2"},
    {"amzn2-ami-hvm-2.0.20191024.3-arm64-gp2", "Amazon Linux 2 LTS Arm64 AMI 2.0.20191024.3 gp2",
     kAmazon, "arm64", "2019-10-26T01:55:12Z", "ami-amazon-linux-latest/amzn2-ami-hvm-arm64-gp2"},
    {"amzn2-ami-hvm-2.0.20251110.1-x86_64-gp2", "Amazon Linux 2 AMI 2.0.20251110.1 x86_64 HVM gp2",
     kAmazon, "x86_64", "2025-11-13T00:00:00Z", "ami-amazon-linux-latest/amzn2-ami-hvm-x86_64-gp2"},
    {"al2023-ami-2023.9.20251110.1-kernel-6.1-x86_64",
     "Amazon Linux 2023 AMI 2023.9.20251110.1 x86_64 HVM kernel-6.1", kAmazon, "x86_64",
     "2025-11-13T00:00:00Z",
     "ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64 "
     "ami-amazon-linux-latest/al2023-ami-kernel-6.1-x86_64"},
    {"al2023-ami-2023.9.20251110.1-kernel-6.1-arm64",
     "Amazon Linux 2023 AMI 2023.9.20251110.1 arm64 HVM kernel-6.1", kAmazon, "arm64",
     "2025-11-13T00:00:00Z",
     "ami-amazon-linux-latest/al2023-ami-kernel-default-arm64 "
     "ami-amazon-linux-latest/al2023-ami-kernel-6.1-arm64"},
    {"ubuntu/images/hvm-ssd/ubuntu-bionic-18.04-amd64-server-20191021",
     "Canonical, Ubuntu, 18.04 LTS, amd64 bionic image build on 2019-10-21", kCanonical, "x86_64",
     "2019-10-22T00:24:23Z",
     "canonical/ubuntu/server/18.04/stable/current/amd64/hvm/ebs-gp2/ami-id "
     "canonical/ubuntu/server/bionic/stable/current/amd64/hvm/ebs-gp2/ami-id"},
    {"ubuntu/images/hvm-ssd/ubuntu-jammy-22.04-amd64-server-20251015",
     "Canonical, Ubuntu, 22.04, amd64 jammy image", kCanonical, "x86_64", "2025-10-15T00:00:00Z",
     "canonical/ubuntu/server/22.04/stable/current/amd64/hvm/ebs-gp2/ami-id "
     "canonical/ubuntu/server/jammy/stable/current/amd64/hvm/ebs-gp2/ami-id"},
    {"ubuntu/images/hvm-ssd/ubuntu-jammy-22.04-arm64-server-20251015",
     "Canonical, Ubuntu, 22.04, arm64 jammy image", kCanonical, "arm64", "2025-10-15T00:00:00Z",
     "canonical/ubuntu/server/22.04/stable/current/arm64/hvm/ebs-gp2/ami-id "
     "canonical/ubuntu/server/jammy/stable/current/arm64/hvm/ebs-gp2/ami-id"},
    {"ubuntu/images/hvm-ssd-gp3/ubuntu-noble-24.04-amd64-server-20251022",
     "Canonical, Ubuntu, 24.04, amd64 noble image", kCanonical, "x86_64", "2025-10-22T00:00:00Z",
     "canonical/ubuntu/server/24.04/stable/current/amd64/hvm/ebs-gp3/ami-id "
     "canonical/ubuntu/server/noble/stable/current/amd64/hvm/ebs-gp3/ami-id"},
    {"Deep Learning AMI (Ubuntu 18.04) Version 25.3",
     "MXNet-1.5.1, TensorFlow-2.0.0 & 1.15.0, PyTorch-1.3.0, Keras-2.2, Neuron, & others", kAmazon,
     "x86_64", "2019-11-02T00:00:00Z"},
    {"Deep Learning Base OSS Nvidia Driver GPU AMI (Amazon Linux 2023) 20251107",
     "Supported EC2 instances: G4dn, G5, G6, Gr6, G6e, P4d, P4de, P5, P5e, P5en, P6-B200", kAmazon,
     "x86_64", "2025-11-07T00:00:00Z",
     "deeplearning/ami/x86_64/base-oss-nvidia-driver-gpu-amazon-linux-2023/latest/ami-id"},
    {"Deep Learning Base OSS Nvidia Driver GPU AMI (Ubuntu 22.04) 20251107",
     "Supported EC2 instances: G4dn, G5, G6, Gr6, G6e, P4d, P4de, P5, P5e, P5en, P6-B200", kAmazon,
     "x86_64", "2025-11-07T00:00:00Z",
     "deeplearning/ami/x86_64/base-oss-nvidia-driver-gpu-ubuntu-22.04/latest/ami-id"},
    {"Deep Learning OSS Nvidia Driver AMI GPU PyTorch 2.8 (Ubuntu 24.04) 20251107",
     "Supported EC2 instances: G4dn, G5, G6, Gr6, G6e, P4d, P4de, P5, P5e, P5en, P6-B200", kAmazon,
     "x86_64", "2025-11-07T00:00:00Z",
     "deeplearning/ami/x86_64/oss-nvidia-driver-gpu-pytorch-2.8-ubuntu-24.04/latest/ami-id"},
};

std::string id_of(std::string_view name, const std::string& region) {
  const std::string text = fmt::format("{}/{}", region, name);
  return fmt::format("ami-0{:016x}", XXH3_64bits(text.data(), text.size()));
}

// If any ID may be launched, the scenario or a client may use images that are not in the catalogue.
// Such an image is described after its first launch.
void add_launched(std::map<std::string, sim::cloud::Image>& images, const Backend& backend) {
  for (const auto& [id, instance] : backend.cloud.instances()) {
    const std::string& image = instance.spec.image_id;
    if (!image.starts_with("ami-") || backend.cloud.images().contains({image})) continue;
    images.try_emplace(image, sim::cloud::Image{.name = image,
                                                .description = "Known by its launches",
                                                .owner = "amazon",
                                                .created = instance.launched_at});
  }
}

}  // namespace

std::map<std::string, sim::cloud::Image> public_images(const Backend& backend) {
  std::map<std::string, sim::cloud::Image> out;
  const auto& config = backend.cloud.config();
  if (!config.any_image) return out;
  for (const PublicImage& image : kImages) {
    const sim::Time created = sim::parse_time(image.created).value();
    if (created > backend.simulation.now()) continue;
    out[id_of(image.name, config.region)] = {.name = std::string(image.name),
                                             .description = std::string(image.description),
                                             .owner = std::string(image.owner),
                                             .architecture = std::string(image.architecture),
                                             .created = created};
  }
  add_launched(out, backend);
  return out;
}

bool is_image(const Backend& backend, const std::string& id) {
  const auto& config = backend.cloud.config();
  if (!id.starts_with("ami-")) return false;
  return config.any_image || config.images.contains(id) || backend.cloud.images().contains({id});
}

std::map<std::string, ImageReleases> image_parameters(const Backend& backend) {
  std::map<std::string, ImageReleases> out;
  const auto images = public_images(backend);
  for (const PublicImage& image : kImages) {
    const auto found = images.find(id_of(image.name, backend.cloud.config().region));
    if (found == images.end()) continue;
    std::istringstream names{std::string(image.parameters)};
    for (std::string name; names >> name;)
      out["/aws/service/" + name].push_back({found->first, found->second.created});
  }
  return out;
}

std::string resolved_image_id(const Backend& backend, const std::string& image_id) {
  constexpr std::string_view kAlias = "resolve:ssm:";
  if (!image_id.starts_with(kAlias)) return image_id;
  const NamedParameter named = named_parameter(backend, image_id.substr(kAlias.size()));
  if (const auto* const own = backend.parameters.find(named.name))
    if (const auto* const version = own->selected(named.selector)) return version->value;
  const auto parameters = image_parameters(backend);
  const auto found = parameters.find(named.name);
  if (found != parameters.end())
    if (const auto version = version_of(found->second, named.selector))
      return found->second[*version - 1].image_id;
  throw sim::cloud::ApiError(
      "InvalidParameterValue",
      fmt::format("Invalid value '{}' for ImageId: there is no such Systems Manager parameter, "
                  "expected one of the account, or a public parameter such as "
                  "/aws/service/ami-amazon-linux-latest/amzn2-ami-hvm-x86_64-gp2",
                  image_id));
}

NamedParameter named_parameter(const Backend& backend, std::string text) {
  const auto& config = backend.cloud.config();
  const auto arn_for = [&](std::string_view account) {
    return fmt::format("arn:aws:ssm:{}:{}:parameter", config.region, account);
  };
  const std::string arn = arn_for(""), own = arn_for(config.account_id);
  const bool is_own = text.starts_with(own);
  if (text.starts_with(arn)) text.erase(0, arn.size());
  if (is_own) text.erase(0, own.size());
  const std::size_t colon = std::min(text.find(':'), text.size());
  NamedParameter named{text.substr(0, colon), text.substr(colon)};
  // The ARN of "name" is that of "/name", too.
  if (is_own && backend.parameters.find(named.name) == nullptr) named.name.erase(0, 1);
  return named;
}

std::optional<std::size_t> version_of(const ImageReleases& releases, std::string_view selector) {
  if (selector.empty()) return releases.size();
  for (std::size_t version = 1; version <= releases.size(); ++version)
    if (selector == fmt::format(":{}", version)) return version;
  return std::nullopt;
}

}  // namespace fakes::ec2
