// The image from which an instance boots: files over the host's or alone, users, their homes, sudo.
#include <fstream>

#include "sim/guest/process/host_for_test.h"
#include "sim/guest/sandbox/accounts.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;
using test::HostWorld;

// A folder for an image's files; all users may read it.
class ImageFolder {
 public:
  ImageFolder() : path_(HostWorld::make_folder()) { fs::permissions(path_, fs::perms(0755)); }
  ~ImageFolder() { fs::remove_all(path_); }
  ImageFolder(const ImageFolder&) = delete;
  ImageFolder& operator=(const ImageFolder&) = delete;

  fs::path write(const std::string& name, const std::string& text, int mode = 0644) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
    fs::permissions(path_ / name, fs::perms(mode));
    return path_ / name;
  }
  // Adds a program of the host, and the libraries that it is linked to.
  void take_program(const fs::path& program) const {
    copy(program);
    FILE* list = popen(("ldd " + program.string() + " | grep -o '/[^ ]*'").c_str(), "r");
    char line[512];
    while (list != nullptr && fgets(line, sizeof line, list) != nullptr)
      copy(std::string(line, strcspn(line, "\n")));
    if (list != nullptr) pclose(list);
  }
  const fs::path& path() const { return path_; }

 private:
  void copy(const fs::path& file) const {
    fs::create_directories(path_ / file.parent_path().relative_path());
    fs::copy_file(file, path_ / file.relative_path(), fs::copy_options::overwrite_existing);
  }
  fs::path path_;
};

// The script's output on an instance of the image.
std::string printed(Level level, const Image& image, const std::string& script) {
  HostWorld w(level, false, {}, {}, {{"ami-1", image}});
  const auto id = w.launch(script);
  EXPECT_TRUE(w.wait("guest.exit")) << w.lines;
  return w.console(id.value);
}

// The output of a container of the image. `container` has the folder "mounted" at /opt/ml.
std::string said_in_container(const Image& image, cloud::Container container) {
  HostWorld w(Level::kRoot, false, {}, {}, {{"ami-1", image}});
  const auto id = w.cloud.run_instances({.image_id = "ami-1",
                                         .instance_type = "p3.2xlarge",
                                         .managed_by = "sagemaker",
                                         .price_factor = 1},
                                        1)[0];
  container.hostname = "algo-1";
  container.folder = w.host.container_folder(id);
  container.mounted_at = "/opt/ml";
  container.mounts = {"model"};
  fs::create_directories(container.folder.path / "model");
  std::string text;
  bool ended = false;
  w.host.run([&] { return w.cloud.instance(id).state == cloud::InstanceState::kRunning; });
  EXPECT_TRUE(w.host.run_container(
      w.cloud.instance(id), container,
      {.said = [&](std::string_view line) { text += std::string(line) + "\n"; },
       .exited = [&](int) { ended = true; }}));
  w.host.run([&] { return ended; });
  return text;
}

std::string why_no_root() { return obstacle(Level::kRoot); }

class RootImage : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_root(); !why.empty())
      GTEST_SKIP() << "no root sandbox here: " << why;
  }
  ImageFolder folder_;
};
class RootSudo : public RootImage {
 protected:
  void SetUp() override {
    RootImage::SetUp();
    if (!fs::exists("/usr/bin/sudo")) GTEST_SKIP() << "no sudo here";
  }
};

void expect_in_user_namespace(void (*test)(const fs::path& image)) {
  const std::string why = obstacle(Level::kUserNamespaces);
  if (geteuid() != 0 && !why.empty()) GTEST_SKIP() << why;
  ImageFolder folder;
  folder.write("home/ubuntu/code/train.sh", "#!/bin/sh\necho training\n", 0755);
  folder.write("usr/local/bin/tool", "#!/bin/sh\necho a tool\n", 0755);
  EXPECT_TRUE(test::passes_as_user([&] {
    if (obstacle(Level::kUserNamespaces).empty()) test(folder.path());
  }));
}

TEST_F(RootImage, FilesBelowAHomeAreItsUsersAllOthersAreRoots) {
  folder_.write("home/ubuntu/code/train.sh", "#!/bin/sh\necho training\n", 0750);
  folder_.write("home/other/file", "");
  folder_.write("usr/local/bin/tool", "#!/bin/sh\necho a tool\n", 0755);
  folder_.write("etc/tool.conf", "");
  folder_.write("dltraining/notes", "");
  fs::create_symlink("code/train.sh", folder_.path() / "home/ubuntu/train");
  for (const auto& entry : fs::recursive_directory_iterator(folder_.path()))
    ASSERT_EQ(lchown(entry.path().c_str(), 12345, 12345), 0);
  EXPECT_EQ(
      printed(Level::kRoot, {.root = folder_.path()},
              "cd /home/ubuntu; stat -c '%U:%G %a %n' . code code/train.sh /usr/local/bin/tool "
              "/etc/tool.conf /dltraining/notes ../other/file\n"
              "stat -c '%U %F' train; readlink train; tool; ./train; echo x >> code/train.sh; "
              "ls /usr/bin/env; stat -c %U code/train.sh\n"),
      "ubuntu:ubuntu 755 .\nubuntu:ubuntu 755 code\nubuntu:ubuntu 750 code/train.sh\n"
      "root:root 755 /usr/local/bin/tool\nroot:root 644 /etc/tool.conf\n"
      "root:root 644 /dltraining/notes\nroot:root 644 ../other/file\n"
      "ubuntu symbolic link\ncode/train.sh\na tool\ntraining\n/usr/bin/env\nubuntu\n");
  struct stat as {};
  ASSERT_EQ(stat((folder_.path() / "home/ubuntu/code/train.sh").c_str(), &as), 0);
  EXPECT_EQ(as.st_uid, 12345U);
  EXPECT_EQ(fs::file_size(folder_.path() / "home/ubuntu/code/train.sh"), 24U);
}

// The image has a crontab and a daily script. The jobs of this machine must not run.
TEST_F(RootImage, TheImagesCronJobsAreThereAndRun) {
  if (access("/usr/sbin/cron", X_OK) != 0) GTEST_SKIP() << "cron is not installed";
  folder_.write("var/spool/cron/crontabs/ubuntu", "*/10 * * * * echo $LOGNAME >>~/ticks\n");
  folder_.write("etc/cron.daily/clean", "#!/bin/sh\n", 0755);
  folder_.write("etc/cron.d/own", "@reboot root echo booted >>/tmp/ticks\n");
  EXPECT_EQ(printed(Level::kRoot, {.root = folder_.path()},
                    "crontab -u ubuntu -l; sudo -u ubuntu crontab -l; sleep 610; cat /tmp/ticks "
                    "~ubuntu/ticks\n"
                    "ls /etc/cron.daily /etc/cron.d; stat -c %a /etc/cron.daily/clean\n"),
            "*/10 * * * * echo $LOGNAME >>~/ticks\n*/10 * * * * echo $LOGNAME >>~/ticks\n"
            "booted\nubuntu\n/etc/cron.d:\nown\n\n/etc/cron.daily:\nclean\n755\n");
}

// Only the mounts of the service hide files of the image.
TEST_F(RootImage, AContainerHasItsImagesFilesBesideWhatIsMounted) {
  folder_.write("opt/ml/code/train.py", "code\n");
  folder_.write("opt/ml/model/old", "hidden\n");
  EXPECT_EQ(said_in_container({.root = folder_.path()},
                              {.arguments = {"sh", "-c", "cd /opt/ml; ls code model; pwd -P"}}),
            "code:\ntrain.py\n\nmodel:\n/opt/ml\n");
}

TEST_F(RootImage, AContainerStartsAsItsImageDefines) {
  folder_.write("opt/app/bin/start", "#!/bin/sh\necho $PWD $MODE $MORE \"$@\"\n", 0755);
  const Image image{.root = folder_.path(),
                    .container = {.environment = {{"MODE", "image"},
                                                  {"MORE", "image"},
                                                  {"PATH", "/opt/app/bin:/usr/bin:/bin"}},
                                  .working_folder = "/srv/work",
                                  .entrypoint = {"start", "--fast"}}};
  EXPECT_EQ(said_in_container(image, {.arguments = {"train"}, .environment = {{"MORE", "job"}}}),
            "/srv/work image job --fast train\n");
  EXPECT_EQ(said_in_container(image, {.entrypoint = {"echo"}, .arguments = {"own"}}), "own\n");
}

TEST_F(RootImage, AProgramKeepsItsSetUserIdAndItsNewOwner) {
  const auto file = folder_.write("usr/local/bin/raise", "", 0755);
  ASSERT_EQ(chown(file.c_str(), 12345, 12345), 0);
  fs::permissions(file, fs::perms(04755));
  EXPECT_EQ(
      printed(Level::kRoot, {.root = folder_.path()}, "stat -c '%U %a' /usr/local/bin/raise\n"),
      "root 4755\n");
}

TEST_F(RootImage, AnInstanceBootsFromTheImageOfItsLaunch) {
  folder_.write("etc/image", "the second\n");
  HostWorld w(Level::kRoot, false, {}, {},
              {{"ami-1", {}}, {"ami-2", {.root = folder_.path(), .users = {{"ec2-user", 1000}}}}});
  const auto first = w.launch("cat /etc/image; id -un 1000\n");
  ASSERT_TRUE(w.wait("guest.exit", 1));
  const auto second = w.cloud.run_instances(
      {.image_id = "ami-2",
       .instance_type = "p3.2xlarge",
       .availability_zone = "us-west-2a",
       .user_data =
           "#!/bin/sh\ncat /etc/image; id -un 1000; id -u ubuntu 2>/dev/null || echo none\n"},
      1)[0];
  ASSERT_TRUE(w.wait("guest.exit", 2));
  EXPECT_EQ(w.console(first.value), "cat: /etc/image: No such file or directory\nubuntu\n");
  EXPECT_EQ(w.console(second.value), "the second\nec2-user\nnone\n");
}

TEST_F(RootImage, EachUserHasAHomeOfItsOwnAndNoPassword) {
  folder_.write("etc/skel/.bashrc", "from the skeleton\n");
  folder_.write("home/ubuntu/.bashrc", "from the image\n");
  EXPECT_EQ(
      printed(Level::kRoot, {.root = folder_.path(), .users = {{"ubuntu", 1000}, {"joe", 1200}}},
              "cat ~ubuntu/.bashrc ~joe/.bashrc; stat -c '%U %a %n' ~joe ~joe/.bashrc\n"
              "setpriv --reuid joe --regid joe --init-groups sh -c 'touch ~joe/x && id -u && "
              "touch ~ubuntu/x'\n"
              "grep -c '^joe:\\*:' /etc/shadow; id -Gn ubuntu | grep -o sudo\n"
              "setpriv --reuid joe --regid joe --init-groups cat /etc/shadow\n"),
      "from the image\nfrom the skeleton\njoe 755 /home/joe\njoe 644 /home/joe/.bashrc\n1200\n"
      "touch: cannot touch '/home/ubuntu/x': Permission denied\n1\nsudo\n"
      "cat: /etc/shadow: Permission denied\n");
}

TEST_F(RootImage, WithoutTheHostsPackagesThereIsNothingButTheImage) {
  folder_.take_program("/bin/sh");
  folder_.take_program("/bin/ls");
  folder_.write("etc/os-release", "NAME=own\n");
  for (const char* link : {"bin", "lib", "lib64"}) {
    if (!fs::is_symlink(std::string("/") + link)) continue;
    fs::create_directories(folder_.path() / "usr" / link);
    fs::copy(folder_.path() / link, folder_.path() / "usr" / link, fs::copy_options::recursive);
    fs::remove_all(folder_.path() / link);
    fs::create_symlink(std::string("usr/") + link, folder_.path() / link);
  }
  HostWorld w(Level::kRoot, false, {}, {},
              {{"ami-1", {.root = folder_.path(), .host_packages = false}}});
  const auto id = w.launch_with(
      "#!/bin/sh\nls /usr/bin /etc/os-release; ls / | head -1\n"
      "[ -r /proc/self/status ] && echo > /dev/null && echo here\n"
      "ls -d /home/ubuntu /var/lib/spotsim/commands\n");
  ASSERT_TRUE(w.wait("guest.exit")) << w.lines;
  EXPECT_EQ(w.console(id.value),
            "/etc/os-release\n\n/usr/"
            "bin:\ncloud-init\ncloud-init-per\nhostnamectl\njournalctl\nls\nsh\nsystemctl\n"
            "timedatectl\nudevadm\n"
            "/var/lib/cloud/instance/scripts/part-001: 2: head: not found\nhere\n/home/ubuntu\n"
            "/var/lib/spotsim/commands\n");
}

TEST_F(RootImage, AFolderInTheWayOfAHostsLinkIsRefused) {
  if (!fs::is_symlink("/bin")) GTEST_SKIP() << "/bin is no link here";
  folder_.write("bin/tool", "");
  EXPECT_NE(objection_to({.root = folder_.path()}).find("found a folder bin"), std::string::npos);
  EXPECT_EQ(objection_to({.root = folder_.path(), .host_packages = false}), "");
}

TEST_F(RootImage, AptFindsWhatIsInstalledAndNoArchiveButTheImages) {
  if (!fs::exists("/usr/bin/apt-get")) GTEST_SKIP() << "no apt here";
  folder_.write("etc/apt/sources.list", "# of the image\n");
  EXPECT_EQ(printed(Level::kRoot, {.root = folder_.path()},
                    "apt-get update >/dev/null && apt-get install -qq bash >/dev/null; echo $?\n"
                    "apt-get install -qq no-such-package; echo $?\n"
                    "cat /etc/apt/sources.list\n"),
            "0\nE: Unable to locate package no-such-package\n100\n# of the image\n");
}

TEST_F(RootSudo, ChangesTheUserAndResetsTheEnvironment) {
  EXPECT_EQ(
      printed(
          Level::kRoot, {},
          "export SECRET=1 HOME=/somewhere\n"
          "sudo -H -u ubuntu bash -c 'id -un; echo $HOME $USER $LOGNAME ${SECRET-unset} "
          "$SUDO_USER $JOB_EVENTS; sudo id -un; touch ~/x && stat -c %U ~/x; touch /opt/x'\n"
          "SECRET=2 sudo -E -u ubuntu sh -c 'echo $SECRET'; sudo -u ubuntu A=b sh -c 'echo $A'\n"
          "sudo -u nobody2 true; echo $?\n"),
      "ubuntu\n/home/ubuntu ubuntu ubuntu unset root /run/job-events\nroot\nubuntu\n"
      "touch: cannot touch '/opt/x': Permission denied\n2\nb\n"
      "sudo: unknown user nobody2\nsudo: error initializing audit plugin sudoers_audit\n1\n");
}

TEST_F(RootSudo, FindsItsCommandsInSecurePath) {
  folder_.write("opt/tools/mine", "#!/bin/sh\n", 0755);
  EXPECT_EQ(printed(Level::kRoot, {.root = folder_.path()},
                    "export PATH=/opt/tools:$PATH; mine && sudo mine\n"
                    "sudo -u ubuntu sh -c 'command -v poweroff'\n"
                    "sudo -i -u ubuntu sh -c 'command -v poweroff; echo $JOB_EVENTS; pwd'\n"),
            "sudo: mine: command not found\n/var/lib/spotsim/commands/poweroff\n"
            "/var/lib/spotsim/commands/poweroff\n/run/job-events\n/home/ubuntu\n");
}

TEST_F(RootSudo, ItsRulesPassVisudo) {
  if (!fs::exists("/usr/sbin/visudo")) GTEST_SKIP() << "no visudo here";
  EXPECT_EQ(printed(Level::kRoot, {}, "visudo -c >/dev/null 2>&1; echo $?\n"), "0\n");
}

TEST_F(RootImage, TheFoldersOfPeoplesOwnCanBeGivenAway) {
  EXPECT_EQ(printed(Level::kRoot, {}, "chown -R ubuntu /opt /srv /usr/local 2>&1; echo $?\n"),
            "0\n");
}

TEST(UserNamespaceImage, LiesOverTheHostsFiles) {
  expect_in_user_namespace([](const fs::path& image) {
    EXPECT_EQ(printed(Level::kUserNamespaces, {.root = image, .users = {{"ubuntu", 1000}}},
                      "tool; cd /home/ubuntu; code/train.sh; echo x > code/new; cat code/new\n"
                      "ls -A .bashrc; ls /usr/bin/env\n"),
              "a tool\ntraining\nx\n.bashrc\n/usr/bin/env\n");
  });
}

TEST(UserNamespaceImage, IsWrittenToWhereRootWrites) {
  expect_in_user_namespace([](const fs::path& image) {
    EXPECT_EQ(printed(Level::kUserNamespaces, {.root = image, .users = {{"ubuntu", 1000}}},
                      "set -e; chown -R ubuntu:ubuntu /home/ubuntu; chown 1234:1234 /opt\n"
                      "su - ubuntu -c pwd; runuser -u ubuntu -- id -u\n"
                      "useradd -m -s /bin/sh ada; id -nG ada; ls -d /home/ada\n"
                      "echo '# more' >>/etc/profile; touch /usr/local/bin/mine /var/lib/mine\n"
                      "tail -n 1 /etc/profile; cd /tmp; touch a; tar --owner=1005 -cf a.tar a\n"
                      "rm a; tar xf a.tar 2>/dev/null; ls a\n"),
              "/home/ubuntu\n0\nada\n/home/ada\n# more\na\n");
  });
}

TEST(UserNamespaceImage, AptFindsWhatIsInstalled) {
  if (!fs::exists("/usr/bin/apt-get")) GTEST_SKIP() << "no apt here";
  expect_in_user_namespace([](const fs::path&) {
    EXPECT_EQ(printed(Level::kUserNamespaces, {},
                      "apt-get update >/dev/null && apt-get install -qq bash >/dev/null; echo $?\n"
                      "apt-get install -qq no-such-package; echo $?\n"),
              "0\nE: Unable to locate package no-such-package\n100\n");
  });
}

TEST(UserNamespaceSudo, ResetsTheEnvironmentAndKeepsTheRights) {
  expect_in_user_namespace([](const fs::path& image) {
    EXPECT_EQ(
        printed(
            Level::kUserNamespaces, {.root = image, .users = {{"ubuntu", 1000}}},
            "export SECRET=1; sudo -H -u ubuntu bash -c 'echo $HOME $USER $LOGNAME "
            "${SECRET-unset} $SUDO_USER $JOB_EVENTS; cd; code/train.sh; id -u'\n"
            "sudo -Eu ubuntu sh -c 'echo $SECRET'; sudo -nu ubuntu A=\"b 'c\" sh -c 'echo \"$A\"'\n"
            "sudo -iu ubuntu pwd; sudo -i -u ubuntu echo '$HOME' \"a  b\"\n"
            "sudo --user=ubuntu -- sh -c 'exit 5'; echo $?; sudo nosuch; echo $?\n"
            "sudo -u nobody2 true; echo $?; PATH=$PATH:/nowhere; sudo printenv PATH | grep -c "
            "nowhere\n"),
        "/home/ubuntu ubuntu ubuntu unset root /run/job-events\ntraining\n0\n1\nb 'c\n"
        "/home/ubuntu\n/home/ubuntu a  b\n5\nsudo: nosuch: command not found\n1\n"
        "sudo: unknown user nobody2\n1\n0\n");
  });
}

}  // namespace
}  // namespace sim::guest
