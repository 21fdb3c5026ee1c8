// With the same seed guests get the same randomness from every source. With another seed they get
// different randomness.
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

#include "sim/guest/process/host_for_test.h"
#include "sim/guest/process/levels_for_test.h"
#include "sim/guest/time/lockstep.h"

namespace sim::guest {
namespace {

using test::HostWorld;

// Each line prints the name and the value of one source. A missing program prints nothing.
constexpr const char* kDrawn = R"sh(
say() {
  command -v "$2" >/dev/null || return
  printf '%s ' "$1"; shift; "$@" 2>&1 | tr '\n' ' '; echo
}
python() { python3 -c "import ctypes,os,random,socket,uuid
a = ctypes.CDLL(None); a.getauxval.restype = ctypes.c_void_p
s = lambda kind=socket.SOCK_STREAM: socket.socket(socket.AF_INET, kind)
print($1)"; }
say urandom od -An -N8 -tx8 /dev/urandom
say random od -An -N8 -tx8 /dev/random
say long sh -c 'head -c 3M /dev/urandom | sha256sum'
say dd sh -c 'dd if=/dev/urandom bs=3M count=1 2>/dev/null | sha256sum'
say redirected sh -c 'tr -dc a-z </dev/urandom | head -c 16'
say mktemp mktemp -u
say shuf sh -c 'seq 100 | shuf | tr "\n" ,'
say shuf-source sh -c 'seq 100 | shuf --random-source=/dev/urandom | tr "\n" ,'
say uuidgen uuidgen
say uuid cat /proc/sys/kernel/random/uuid
say uuid-again cat /proc/sys/kernel/random/uuid
say openssl openssl rand -hex 8
say bash bash -c 'echo $RANDOM $SRANDOM'
say perl perl -e 'my %h = map { $_ => 1 } 1 .. 20; print join(",", keys %h), " ", rand'
say awk awk 'BEGIN { srand(); print rand() }'
say python python "os.urandom(8).hex(), random.random(), uuid.uuid4(), hash('a'), id(a) > 0"
say AT_RANDOM python "ctypes.string_at(a.getauxval(25), 16).hex()"
say bound python "[(t.bind(('127.0.0.1', 0)), t.getsockname()[1]) for t in [s()]]"
say listening python "[(t.listen(), t.getsockname()[1]) for t in [s()]]"
say connected python "[(t.connect(('169.254.169.254', 80)), t.getsockname()[1]) for t in [s()]]"
say sent python "[(t.sendto(b'', ('127.0.0.1', 9)), t.getsockname()[1])
  for t in [s(socket.SOCK_DGRAM)]]"
say abstract python "[(t.bind(''), t.getsockname()) for t in [socket.socket(socket.AF_UNIX)]]"
)sh";

std::map<std::string, std::string> drawn(std::uint64_t seed) {
  HostWorld w(Level::kRoot, lockstep_permitted(), {}, {}, {}, {}, {}, {}, seed);
  const auto id = w.launch(kDrawn);
  EXPECT_TRUE(w.wait("guest.exit"));
  std::map<std::string, std::string> out;
  std::istringstream lines(w.console(id.value));
  for (std::string name, value; lines >> name && std::getline(lines, value);) out[name] = value;
  return out;
}

TEST(Randomness, IsTheSameOfOneSeedAndAnotherOfAnotherSeed) {
  if (const std::string why = obstacle(Level::kRoot); !why.empty()) GTEST_SKIP() << why;
  if (access("/dev/fuse", R_OK | W_OK) != 0) GTEST_SKIP() << "no /dev/fuse";
  const auto first = drawn(1), other = drawn(2);
  EXPECT_EQ(first, drawn(1));
  EXPECT_GE(first.size(), 15U);
  for (const auto& [name, value] : first) {
    EXPECT_EQ(value.find("rror"), value.npos) << name << value;
    if (name == "awk") continue;  // mawk seeds itself with the time
    EXPECT_NE(value, other.at(name)) << name;
  }
  EXPECT_NE(first.at("uuid"), first.at("uuid-again"));
  EXPECT_NE(first.at("long"), first.at("dd"));
}

TEST(Randomness, OfTwoMachinesDiffers) {
  if (const std::string why = obstacle(Level::kRoot); !why.empty()) GTEST_SKIP() << why;
  if (access("/dev/fuse", R_OK | W_OK) != 0) GTEST_SKIP() << "no /dev/fuse";
  HostWorld w(Level::kRoot, lockstep_permitted());
  const std::string script = "od -An -N8 -tx8 /dev/urandom";
  const auto a = w.launch(script), b = w.launch(script);
  ASSERT_TRUE(w.wait("guest.exit", 2));
  EXPECT_NE(w.console(a.value), w.console(b.value));
}

class RandomFilesInGuest : public testing::TestWithParam<Level> {};

// Counted in bytes: a FIFO would cut dd(1)'s, and a file would end.
TEST_P(RandomFilesInGuest, GiveAsMuchAsIsAskedForAndTakeWhatIsWritten) {
  test::in_world_at(
      GetParam(), [] { return HostWorld(GetParam()); },
      [](HostWorld& w) {
        const auto id = w.launch(
            "dd if=/dev/urandom bs=5M count=2 2>/dev/null | wc -c; echo seed >/dev/urandom && echo "
            "written\n"
            "timeout 5 cat /dev/random | head -c 2000000 | wc -c\n"
            "[ $(cat /dev/urandom | head -c 64 | sort -u | wc -c) -gt 32 ] && echo varies\n");
        ASSERT_TRUE(w.wait("guest.exit"));
        EXPECT_EQ(w.console(id.value), "10485760\nwritten\n2000000\nvaries\n");
      });
}

INSTANTIATE_TEST_SUITE_P(Levels, RandomFilesInGuest,
                         testing::Values(Level::kRoot, Level::kUserNamespaces),
                         [](const auto& level) {
                           return level.param == Level::kRoot ? "root" : "user_namespaces";
                         });

}  // namespace
}  // namespace sim::guest
