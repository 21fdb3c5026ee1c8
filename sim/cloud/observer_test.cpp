#include "sim/cloud/observer.h"

#include <gtest/gtest.h>

#include "sim/cloud/world_for_test.h"

namespace sim::cloud {
namespace {

// Records each call, and the cloud's state at that time.
class Ear : public Observer {
 public:
  Ear(std::string name, std::string& heard) : name_(std::move(name)), heard_(heard) {}

  void changed() override { heard_ += name_ + ": changed\n"; }
  void instance_state(const Instance& instance, std::optional<InstanceState> from) override {
    hear(std::string(from ? cloud::name(*from) : "new") + " to " +
         std::string(cloud::name(instance.state)) + (instance.running_at ? ", ran" : "") +
         (instance.shutting_down_at ? ", went" : "") + (instance.terminated_at ? ", gone" : ""));
  }
  void booted(const Instance&) override { hear("booted"); }
  void noticed(const Instance& instance, const std::string& reason) override {
    hear("noticed " + reason + " " +
         format_duration(instance.interruption_at.value() -
                         instance.interruption_notice_at.value()));
  }
  void interrupted(const Instance&, const std::string& reason, bool notice) override {
    hear("interrupted " + reason + (notice ? " with" : " without") + " notice");
  }
  void volume_state(const Volume& volume, std::optional<VolumeState>) override {
    hear("volume " + std::string(cloud::name(volume.state)));
  }
  void snapshot_deleted(const Snapshot& snapshot) override {
    hear(snapshot.deleted_at ? "snapshot deleted" : "snapshot not deleted");
  }
  void tags_created(const std::string& id, const Tags& tags) override {
    hear(id.substr(0, id.find('-')) + " tagged " + tags.begin()->first);
  }
  void charged(const LineItem& item) override { hear("charged " + item.unit); }

 private:
  void hear(const std::string& what) { heard_ += name_ + ": " + what + "\n"; }

  std::string name_;
  std::string& heard_;
};

TEST(Observers, AreCalledInOrder) {
  CloudWorld w;
  std::string heard;
  Ear first("1", heard), second("2", heard);
  w.cloud.observe(first);
  w.cloud.observe(second);
  w.cloud.create_volume({"us-west-2a", 1, "gp2", {}, {{"a", "b"}}});
  EXPECT_EQ(heard,
            "1: changed\n2: changed\n1: volume creating\n2: volume creating\n"
            "1: changed\n2: changed\n1: vol tagged a\n2: vol tagged a\n");
}

TEST(Observers, ReceiveWhatTheRecordsShow) {
  CloudWorld w;
  std::string heard;
  Ear ear("", heard);
  w.cloud.observe(ear);
  const auto request = w.spot();
  w.cloud.interrupt(w.request(request).instance, Cloud::Notice::kGiven, "no-capacity");
  w.run(10min);
  std::string of_the_instance;
  for (std::size_t at = 0, end; at < heard.size(); at = end + 1) {
    end = heard.find('\n', at);
    const std::string line = heard.substr(at, end - at + 1);
    if (line != ": changed\n") of_the_instance += line;
  }
  EXPECT_EQ(of_the_instance,
            ": new to pending\n: pending to running, ran\n: booted\n"
            ": interrupted no-capacity with notice\n: noticed no-capacity 2m\n"
            ": running to shutting-down, ran, went\n: charged seconds\n"
            ": shutting-down to terminated, ran, went, gone\n");
}

}  // namespace
}  // namespace sim::cloud
