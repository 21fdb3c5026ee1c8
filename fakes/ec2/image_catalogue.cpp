#include "fakes/ec2/image_catalogue.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <string_view>

namespace fakes::ec2 {
namespace {

constexpr std::string_view kAmazon = "amazon", kCanonical = "099720109477";

struct PublicImage {
  std::string_view name, description, owner, architecture, created;
};

constexpr PublicImage kImages[] = {
    {"amzn2-ami-hvm-2.0.20191024.3-x86_64-gp2", "Amazon Linux 2 AMI 2.0.20191024.3 x86_64 HVM gp2",
     kAmazon, "x86_64", "2019-10-26T01:53:43Z"},
    {"amzn2-ami-hvm-2.0.20191024.3-arm64-gp2", "Amazon Linux 2 LTS Arm64 AMI 2.0.20191024.3 gp2",
     kAmazon, "arm64", "2019-10-26T01:55:12Z"},
    {"amzn2-ami-hvm-2.0.20251110.1-x86_64-gp2", "Amazon Linux 2 AMI 2.0.20251110.1 x86_64 HVM gp2",
     kAmazon, "x86_64", "2025-11-13T00:00:00Z"},
    {"al2023-ami-2023.9.20251110.1-kernel-6.1-x86_64",
     "Amazon Linux 2023 AMI 2023.9.20251110.1 x86_64 HVM kernel-6.1", kAmazon, "x86_64",
     "2025-11-13T00:00:00Z"},
    {"al2023-ami-2023.9.20251110.1-kernel-6.1-arm64",
     "Amazon Linux 2023 AMI 2023.9.20251110.1 arm64 HVM kernel-6.1", kAmazon, "arm64",
     "2025-11-13T00:00:00Z"},
    {"ubuntu/images/hvm-ssd/ubuntu-bionic-18.04-amd64-server-20191021",
     "Canonical, Ubuntu, 18.04 LTS, amd64 bionic image build on 2019-10-21", kCanonical, "x86_64",
     "2019-10-22T00:24:23Z"},
    {"ubuntu/images/hvm-ssd/ubuntu-jammy-22.04-amd64-server-20251015",
     "Canonical, Ubuntu, 22.04, amd64 jammy image", kCanonical, "x86_64", "2025-10-15T00:00:00Z"},
    {"ubuntu/images/hvm-ssd/ubuntu-jammy-22.04-arm64-server-20251015",
     "Canonical, Ubuntu, 22.04, arm64 jammy image", kCanonical, "arm64", "2025-10-15T00:00:00Z"},
    {"ubuntu/images/hvm-ssd-gp3/ubuntu-noble-24.04-amd64-server-20251022",
     "Canonical, Ubuntu, 24.04, amd64 noble image", kCanonical, "x86_64", "2025-10-22T00:00:00Z"},
    {"Deep Learning AMI (Ubuntu 18.04) Version 25.3",
     "MXNet-1.5.1, TensorFlow-2.0.0 & 1.15.0, PyTorch-1.3.0, Keras-2.2, Neuron, & others", kAmazon,
     "x86_64", "2019-11-02T00:00:00Z"},
    {"Deep Learning Base OSS Nvidia Driver GPU AMI (Amazon Linux 2023) 20251107",
     "Supported EC2 instances: G4dn, G5, G6, Gr6, G6e, P4d, P4de, P5, P5e, P5en, P6-B200", kAmazon,
     "x86_64", "2025-11-07T00:00:00Z"},
    {"Deep Learning Base OSS Nvidia Driver GPU AMI (Ubuntu 22.04) 20251107",
     "Supported EC2 instances: G4dn, G5, G6, Gr6, G6e, P4d, P4de, P5, P5e, P5en, P6-B200", kAmazon,
     "x86_64", "2025-11-07T00:00:00Z"},
    {"Deep Learning OSS Nvidia Driver AMI GPU PyTorch 2.8 (Ubuntu 24.04) 20251107",
     "Supported EC2 instances: G4dn, G5, G6, Gr6, G6e, P4d, P4de, P5, P5e, P5en, P6-B200", kAmazon,
     "x86_64", "2025-11-07T00:00:00Z"},
};

std::string id_of(std::string_view name, const std::string& region) {
  const std::string text = fmt::format("{}/{}", region, name);
  return fmt::format("ami-0{:016x}", XXH3_64bits(text.data(), text.size()));
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
  return out;
}

}  // namespace fakes::ec2
