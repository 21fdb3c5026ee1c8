#include "sim/guest/boot/user_data.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "base/text/base64.h"

namespace sim::guest::boot {
namespace {

std::string gzipped(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

CloudConfig config_of(const std::string& yaml) {
  const UserData data = read_user_data("#cloud-config\n" + yaml);
  for (const auto& warning : data.warnings) ADD_FAILURE() << warning.source << ": " << warning.text;
  return data.config;
}

std::string warning_of(const std::string& bytes) {
  const UserData data = read_user_data(bytes);
  return data.warnings.size() == 1 ? data.warnings[0].source + ": " + data.warnings[0].text
                                   : std::to_string(data.warnings.size()) + " warnings";
}

constexpr const char* kMessage =
    "Content-Type: multipart/mixed; boundary=\"==cut==\"\nMIME-Version: 1.0\n\n"
    "--==cut==\nContent-Type: text/cloud-config; charset=\"us-ascii\"\n"
    "Content-Disposition: attachment; filename=\"config.txt\"\n\n#cloud-config\nruncmd: [ls]\n\n"
    "--==cut==\nContent-Type: text/x-shellscript\n"
    "Content-Disposition: attachment; filename=\"second.sh\"\n\n#!/bin/sh\necho second\n"
    "--==cut==\nContent-Type: text/cloud-boothook\n\n#!/bin/sh\necho hook\n"
    "--==cut==\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n"
    "IyEvYmluL3NoCmVjaG8gZmlyc3QK\n--==cut==--\nwhat follows is no part\n";

TEST(UserData, AScriptIsRunAsItIs) {
  const UserData data = read_user_data("#!/bin/bash\necho 1\n");
  ASSERT_EQ(data.scripts.size(), 1U);
  EXPECT_EQ(data.scripts[0].name, "part-001");
  EXPECT_EQ(data.scripts[0].text, "#!/bin/bash\necho 1\n");
  EXPECT_TRUE(data.warnings.empty());
}

TEST(UserData, LineEndsOfWindowsAreTakenOff) {
  EXPECT_EQ(read_user_data("#!/bin/sh\r\necho 1\r\n").scripts.at(0).text, "#!/bin/sh\necho 1\n");
}

TEST(UserData, AMessageHasPartsByTypeAndByFirstLine) {
  for (const std::string& bytes : {std::string(kMessage), gzipped(kMessage)}) {
    const UserData data = read_user_data(bytes);
    EXPECT_TRUE(data.warnings.empty());
    ASSERT_EQ(data.scripts.size(), 2U);  // in the order of their names
    EXPECT_EQ(data.scripts[0].name, "part-004");
    EXPECT_EQ(data.scripts[0].text, "#!/bin/sh\necho first\n");
    EXPECT_EQ(data.scripts[1].name, "second.sh");
    EXPECT_EQ(data.scripts[1].text, "#!/bin/sh\necho second");
    ASSERT_EQ(data.boothooks.size(), 1U);
    EXPECT_EQ(data.boothooks[0].text, "#!/bin/sh\necho hook");
    EXPECT_EQ(data.config.runcmd, "#!/bin/sh\nls\n");
  }
}

TEST(UserData, AZippedPartIsUnzipped) {
  const std::string message =
      "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
      "Content-Type: application/gzip\nContent-Transfer-Encoding: base64\n\n" +
      base::base64_encode(gzipped("#!/bin/sh\necho zipped\n")) + "\n--b--\n";
  EXPECT_EQ(read_user_data(message).scripts.at(0).text, "#!/bin/sh\necho zipped\n");
}

TEST(UserData, ABoothookLosesItsFirstLine) {
  EXPECT_EQ(read_user_data("#cloud-boothook\n#!/bin/sh\necho 1\n").boothooks.at(0).text,
            "#!/bin/sh\necho 1\n");
}

TEST(UserData, WhatIsNoFormatIsWarnedOf) {
  EXPECT_EQ(warning_of("hello\nworld"),
            "__init__.py: Unhandled non-multipart (text/x-not-multipart) userdata: 'b'hello'...'");
  EXPECT_EQ(warning_of("#include\nhttps://example.com/script\n"),
            "__init__.py: Unhandled text/x-include-url: this format of user data does nothing "
            "here");
  EXPECT_EQ(warning_of("#cloud-config\nntp: {enabled: true}\n"),
            "cloud-init: ntp: this key of cloud-config does nothing here");
  EXPECT_NE(warning_of("#cloud-config\nruncmd: [ls\n").find("util.py: Failed loading yaml blob."),
            std::string::npos);
  EXPECT_NE(warning_of("#cloud-config\n- a list\n").find("allows (dict) root types"),
            std::string::npos);
  EXPECT_EQ(warning_of(""), "0 warnings");
}

TEST(CloudConfig, CommandsAreAScript) {
  EXPECT_EQ(config_of("runcmd:\n- echo $HOME > /f\n- [ls, -l, /it's]\n").runcmd,
            "#!/bin/sh\necho $HOME > /f\n'ls' '-l' '/it'\\''s'\n");
  EXPECT_EQ(config_of("bootcmd: [date]\n").bootcmd, "#!/bin/sh\ndate\n");
}

TEST(CloudConfig, FilesHaveEncodingsOwnersAndPermissions) {
  const auto files =
      config_of(
          "write_files:\n"
          "- {path: /a, content: \"a b\", permissions: '0755', owner: 'ubuntu:ubuntu'}\n"
          "- {path: /b, encoding: b64, content: aGVsbG8=, permissions: 0600, append: true}\n"
          "- {path: /c, encoding: gz+b64, content: " +
          base::base64_encode(gzipped("zipped")) +
          "}\n- {path: /d, content: !!binary aGVsbG8=, defer: true}\n- {path: /e}\n")
          .write_files;
  ASSERT_EQ(files.size(), 5U);
  EXPECT_EQ(files[0].content, "a b");
  EXPECT_EQ(files[0].permissions, 0755);
  EXPECT_EQ(files[0].owner, "ubuntu:ubuntu");
  EXPECT_EQ(files[1].content, "hello");
  EXPECT_EQ(files[1].permissions, 0600);
  EXPECT_TRUE(files[1].append);
  EXPECT_EQ(files[2].content, "zipped");
  EXPECT_EQ(files[3].content, "hello");
  EXPECT_TRUE(files[3].defer);
  EXPECT_EQ(files[4].permissions, 0644);
}

TEST(CloudConfig, UsersAreOptionsOfUseradd) {
  const auto config = config_of(
      "groups: [docker, {data: [ubuntu]}]\nusers:\n- default\n"
      "- {name: ada, groups: 'docker, data', shell: /bin/bash, sudo: 'ALL=(ALL) NOPASSWD:ALL',\n"
      "   ssh_authorized_keys: [ssh-ed25519 AAAA ada]}\n");
  ASSERT_EQ(config.users.size(), 1U);
  EXPECT_EQ(config.users[0].useradd,
            (std::vector<std::string>{"--shell", "/bin/bash", "--groups", "docker,data", "-m"}));
  EXPECT_EQ(config.users[0].sudo, std::vector<std::string>{"ALL=(ALL) NOPASSWD:ALL"});
  EXPECT_EQ(config.users[0].ssh_authorized_keys.size(), 1U);
  EXPECT_EQ(config.groups.at("data"), std::vector<std::string>{"ubuntu"});
}

TEST(CloudConfig, MountsHaveSixFields) {
  const auto mounts = config_of("mounts:\n- [xvdf, /data, ext4]\n- [/dev/xvdg, null]\n").mounts;
  ASSERT_EQ(mounts.size(), 1U);
  EXPECT_EQ(mounts[0][0], "/dev/xvdf");
  EXPECT_EQ(mounts[0][2], "ext4");
  EXPECT_EQ(mounts[0][5], "2");
}

TEST(CloudConfig, ALaterPartReplacesAKeyUnlessItIsToJoinLists) {
  const auto runcmd = [](const std::string& how) {
    const std::string part = "\n--b\nContent-Type: text/cloud-config\n";
    return read_user_data("MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n" + part +
                          "\nruncmd: [first]\n" + part + how + "\nruncmd: [second]\n\n--b--\n")
        .config.runcmd;
  };
  EXPECT_EQ(runcmd(""), "#!/bin/sh\nsecond\n");
  EXPECT_EQ(runcmd("Merge-Type: list(append)+dict(recurse_array)+str()\n"),
            "#!/bin/sh\nfirst\nsecond\n");
}

TEST(CloudConfig, APowerStateIsWhatShutdownTakes) {
  const auto state =
      config_of("power_state: {mode: poweroff, delay: 5, condition: [test, -e, /f]}\n").power_state;
  ASSERT_TRUE(state);
  EXPECT_EQ(state->delay, "+5");
  EXPECT_EQ(state->condition, "'test' '-e' '/f' ");
}

// Aliases of aliases would give a billion values, and an alias of its own parent infinitely many.
TEST(CloudConfig, WhatIsTooLargeIsRefused) {
  std::string bomb = "#cloud-config\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 10; ++j) bomb += (j ? ", " : "") + before;
    bomb += "]\n";
  }
  EXPECT_NE(warning_of(bomb).find("too large"), std::string::npos);
  EXPECT_NE(warning_of("#cloud-config\nruncmd: &a [*a]\n").find("too"), std::string::npos);
}

// Whatever the bytes are, there is a result.
TEST(UserDataFuzz, DamagedUserDataHasAResult) {
  const std::vector<std::string> seeds{
      kMessage, gzipped(kMessage), "#!/bin/sh\necho\n",
      "#cloud-config\nwrite_files:\n- {path: /a, content: x, encoding: gz+b64, permissions: 0644}\n"
      "users: [default, {name: u, groups: [a, b]}]\nmounts: [[a, b, c]]\nruncmd: [[a, 'b'], c]\n"
      "groups: {a: [b]}\npower_state: {mode: reboot}\nhostname: h\npackages: [a, [b, c]]\n"};
  std::uint64_t state = 1;
  const auto draw = [&](std::size_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state >> 33) % below;
  };
  constexpr std::string_view kWords[] = {"\n--==cut==\n",
                                         ":",
                                         "[",
                                         "}",
                                         "\"",
                                         "*a",
                                         "&a ",
                                         "\r\n",
                                         "Content-Type: multipart/mixed; boundary=\"==cut==\"\n"};
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = seeds[draw(seeds.size())];
    for (std::size_t n = 1 + draw(6); n > 0; --n) {
      const std::size_t at = draw(bytes.size() + 1);
      const std::size_t what = draw(3);
      if (what == 0 && at < bytes.size())
        bytes[at] = static_cast<char>(draw(256));
      else if (what == 1)
        bytes.insert(at, kWords[draw(std::size(kWords))]);
      else
        bytes.erase(at, draw(20));
    }
    read_user_data(bytes);
  }
}

}  // namespace
}  // namespace sim::guest::boot
