#include "sim/guest/process/progress/job_events.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <vector>

#include "sim/events/event.h"
#include "sim/events/lines_for_test.h"

namespace sim::guest {
namespace {

// The events that result from a guest's line.
std::vector<Event> said(const std::string& line) {
  int ends[2];
  if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
  JobEvents events(base::FileDescriptor(ends[0]), "i-1");
  const base::FileDescriptor guest(ends[1]);
  const std::string text = line + "\n";
  EXPECT_EQ(write(guest.get(), text.data(), text.size()), std::ssize(text));
  std::vector<Event> heard;
  EventLog log;
  hear_lines(log, [&](const Event& event, std::string_view) { heard.push_back(event); });
  events.drain(Time{}, log);
  return heard;
}

TEST(JobEvents, LineOfAProgramBecomesItsEvent) {
  const auto heard = said(R"({"source":"trainer","event":"step","step":7,"instance_id":"i-2"})");
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].kind, "trainer.step");
  EXPECT_EQ(heard[0].fields["step"], 7);
  EXPECT_EQ(heard[0].fields["instance_id"], "i-1") << "whose line it is, is not the guest's to say";
}

std::string objection(const std::string& line) {
  const auto heard = said(line);
  if (heard.size() != 1 || heard[0].kind != "guest.bad-event") return "none";
  return heard[0].fields["why"].get<std::string>();
}

TEST(JobEvents, AMisspeltLineIsReportedWithWhatIsExpected) {
  EXPECT_EQ(
      objection(R"({"source":"trainer","event":"finnished","step":7})"),
      "found the event \"finnished\" (probably \"finished\"), expected one of "
      "checkpoint-begin, checkpoint-durable, checkpoint-failed, checkpoint-rejected, "
      "checkpoint-snapshot, checkpoint-written, crash, diverged, finished, start, step, stop");
  EXPECT_EQ(objection(R"({"source":"trainr","event":"step","step":7})"),
            "found the source \"trainr\", expected \"trainer\" for the event \"step\"");
  EXPECT_EQ(objection(R"({"source":"trainer","event":"step","stp":7})"),
            "found nothing in \"step\", expected a whole number");
  EXPECT_EQ(objection(R"({"source":"trainer","event":"start","step":"7"})"),
            "found \"7\" in \"step\", expected a whole number");
  for (const char* good :
       {R"({"source":"trainer","event":"finished"})", R"({"source":"loader","event":"epoch"})",
        R"({"source":"train","event":"epoch-end"})"})
    EXPECT_EQ(objection(good), "none") << good;
}

TEST(JobEvents, AnInvalidLineIsReportedWithWhatIsExpected) {
  EXPECT_EQ(objection("step 7"), "expected a JSON object on one line");
  EXPECT_EQ(objection(R"({"source":"trainer"})"),
            "expected a word (a-z, 0-9, - and _) in \"event\"");
  EXPECT_EQ(objection(R"({"source":"run","event":"end"})"),
            "found the source \"run\", which is the simulator's own");
}

TEST(JobEvents, GuestCannotForgeWhatTheSimulatorWrites) {
  for (const char* line :
       {R"({"source":"instance","event":"state","from":1})", R"({"source":"run","event":"end"})",
        R"({"source":"spot-request","event":"status"})",
        R"({"source":"volume","event":"state"})"}) {
    const auto heard = said(line);
    ASSERT_EQ(heard.size(), 1u) << line;
    EXPECT_EQ(heard[0].kind, "guest.bad-event") << line;
  }
}

TEST(JobEvents, TakesNoMoreThanItsBound) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
  JobEvents events(base::FileDescriptor(ends[0]), "i-1", {}, {}, 100);
  const base::FileDescriptor guest(ends[1]);
  std::vector<std::string> heard;
  EventLog log;
  hear_lines(log, [&](const Event& event, std::string_view) { heard.push_back(event.kind); });
  const std::string line = "{\"source\":\"trainer\",\"event\":\"step\",\"step\":1}\n";
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(write(guest.get(), line.data(), line.size()), std::ssize(line));
    events.drain(Time{}, log);
  }
  const std::vector<std::string> expected{"trainer.step", "trainer.step", "guest.output-full"};
  EXPECT_EQ(heard, expected);
}

}  // namespace
}  // namespace sim::guest
