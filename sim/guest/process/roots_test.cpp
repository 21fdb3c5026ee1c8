// Root volumes: an instance that boots from an image of another instance has that instance's files.
#include <filesystem>

#include "sim/guest/process/host_for_test.h"

namespace sim::guest {
namespace {

using test::HostWorld;

struct RootWorld : HostWorld {
  explicit RootWorld(Level level) : HostWorld(level, level == Level::kRoot) {}

  // Runs until the first instance's user data has run for a minute.
  void run_a_minute() {
    EXPECT_TRUE(wait("instance.boot"));
    bool over = false;
    simulation.after(60s, [&over] { over = true; });
    host.run([&over] { return over; });
  }

  cloud::InstanceId launch_of(const cloud::ImageId& image, const std::string& script) {
    return cloud
        .run_instances({.image_id = image.value,
                        .instance_type = "p3.2xlarge",
                        .availability_zone = "us-west-2a",
                        .user_data = "#!/bin/bash\n" + script},
                       1)
        .at(0);
  }
  cloud::ImageId image_of(const cloud::InstanceId& instance, bool reboot = false) {
    const auto id =
        cloud.create_image(instance, {.name = "of " + instance.value, .reboot = reboot});
    EXPECT_TRUE(
        host.run([&] { return cloud.images().at(id).state == cloud::ImageState::kAvailable; }));
    return id;
  }
  cloud::VolumeId root_of(const cloud::InstanceId& instance) {
    for (const auto& volume : cloud.attached_to(instance))
      if (cloud.volume(volume).root) return volume;
    return {};
  }
  // The script's output on an instance of the image.
  std::string printed(const cloud::ImageId& image, const std::string& script) {
    const auto exits = count("guest.exit");
    const auto id = launch_of(image, script);
    EXPECT_TRUE(wait("guest.exit", exits + 1)) << lines;
    return console(id.value);
  }
};

constexpr const char* kWrite =
    "mkdir -p /training/data /opt/tool; echo one >/training/data/file; echo two >/root/notes\n"
    "ln -s ../data/file /training/link; ln /training/data/file /training/hard\n"
    "chmod 750 /opt/tool; touch -d @1500000000 /opt/tool\n"
    "rm -r /etc/skel; mkdir /etc/skel; echo mine >/etc/skel/own\n"
    "echo 'LABEL=data /data xfs defaults 0 0' >>/etc/fstab; rm /etc/issue\n"
    "mkdir /tmp/gone; echo gone >/run/gone\n";
constexpr const char* kRead =
    "cat /training/data/file /root/notes; cat /training/hard; readlink /training/link\n"
    "stat -c '%a %Y' /opt/tool; stat -c '%a %h' /training/hard\n"
    "ls -A /etc/skel; tail -n 1 /etc/fstab; ls /etc/issue /tmp/gone /run/gone 2>&1 | wc -l\n";
constexpr const char* kFound =
    "one\ntwo\none\n../data/file\n750 1500000000\n644 2\nown\n"
    "LABEL=data /data xfs defaults 0 0\n3\n";

void expect_files_of_the_first_instance(Level level) {
  RootWorld w(level);
  const auto first = w.launch(kWrite);
  ASSERT_TRUE(w.wait("guest.exit")) << w.lines;
  const cloud::ImageId image = w.image_of(first);
  EXPECT_EQ(w.printed(image, kRead), kFound) << w.whole_console(first.value);
}

class RootVolumes : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = obstacle(Level::kRoot); !why.empty())
      GTEST_SKIP() << "no root sandbox here: " << why;
  }
};

TEST_F(RootVolumes, AnInstanceOfAnImageHasTheFilesOfTheInstanceThatItWasMadeOf) {
  expect_files_of_the_first_instance(Level::kRoot);
}

TEST(RootVolumesInUserNamespace, AnInstanceOfAnImageHasTheFilesOfTheInstanceThatItWasMadeOf) {
  const std::string why = obstacle(Level::kUserNamespaces);
  if (geteuid() != 0 && !why.empty()) GTEST_SKIP() << why;
  EXPECT_TRUE(test::passes_as_user([&] {
    if (obstacle(Level::kUserNamespaces).empty())
      expect_files_of_the_first_instance(Level::kUserNamespaces);
  }));
}

// Each instance adds files to the root. An image has the files that existed when it was made. Users
// remain; names are those of the new machine.
TEST_F(RootVolumes, ImagesOfImagesHaveAllFiles) {
  RootWorld w(Level::kRoot);
  const auto first = w.launch("echo 1 >>/root/log; useradd -m trainer; sleep 1000");
  w.run_a_minute();
  const cloud::ImageId image = w.image_of(first);
  const auto second = w.launch_of(image, "echo 2 >>/root/log");
  ASSERT_TRUE(w.wait("guest.exit"));
  EXPECT_EQ(w.printed(w.image_of(second), "cat /root/log; id -un trainer; hostname | cut -c1-3"),
            "1\n2\ntrainer\nip-\n");
  EXPECT_EQ(w.printed(image, "cat /root/log"), "1\n");
  EXPECT_EQ(
      w.printed(image, "getent hosts $(hostname) | wc -l; grep -c nameserver /etc/resolv.conf"),
      "1\n1\n")
      << "its own name and addresses";
}

// With a reboot the programs end first, and the image has the files that they write at their end.
TEST_F(RootVolumes, AnImageWithARebootHasWhatProgramsWriteAtTheirEnd) {
  RootWorld w(Level::kRoot);
  const auto first = w.launch("trap 'echo saved >/root/checkpoint; exit' TERM; sleep 1000 & wait");
  w.run_a_minute();
  const cloud::ImageId image = w.image_of(first, true);
  EXPECT_EQ(w.count("guest.reboot"), 1U);
  EXPECT_EQ(w.printed(image, "cat /root/checkpoint"), "saved\n");
}

TEST_F(RootVolumes, ARootThatOutlivesItsInstanceMakesAnImage) {
  RootWorld w(Level::kRoot);
  const auto first = w.launch("echo here >/srv/file");
  ASSERT_TRUE(w.wait("guest.exit"));
  const cloud::VolumeId root = w.root_of(first);
  w.cloud.set_delete_on_termination(first, "/dev/sda1", false);
  w.cloud.terminate_instances({first});
  ASSERT_TRUE(w.wait(first, cloud::InstanceState::kTerminated));
  const cloud::SnapshotId snapshot = w.cloud.create_snapshot(root, "", {});
  w.host.run([&] { return w.cloud.snapshot(snapshot).state == cloud::SnapshotState::kCompleted; });
  EXPECT_GT(w.cloud.snapshot(snapshot).stored_bytes, 0);
  w.cloud.delete_volume(root);
  const cloud::ImageId image = w.cloud.register_image(
      {.name = "of a root", .devices = {{.device = "/dev/sda1", .volume = {.from = snapshot}}}});
  const cloud::ImageId copy = w.cloud.copy_image(image.value, {.name = "copy"});
  w.host.run([&] { return w.cloud.images().at(copy).state == cloud::ImageState::kAvailable; });
  w.cloud.deregister_image(image);
  w.cloud.delete_snapshot(snapshot);
  EXPECT_EQ(w.printed(copy, "cat /srv/file"), "here\n");
}

}  // namespace
}  // namespace sim::guest
