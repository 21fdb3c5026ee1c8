#include "sim/cli/explore/explore_junit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <pugixml.hpp>
#include <stdexcept>

namespace sim::cli {
namespace {

pugi::xml_node add_case(pugi::xml_node suite, const std::string& suite_name,
                        const std::string& name) {
  pugi::xml_node test = suite.append_child("testcase");
  test.append_attribute("classname") = suite_name.c_str();
  test.append_attribute("name") = name.c_str();
  return test;
}

}  // namespace

void write_explore_junit(const explore::Findings& findings, const std::string& name,
                         const std::vector<std::filesystem::path>& scenarios,
                         const std::filesystem::path& file) {
  pugi::xml_document document;
  pugi::xml_node suite = document.append_child("testsuites").append_child("testsuite");
  const std::string suite_name = "explore " + name;
  suite.append_attribute("name") = suite_name.c_str();
  suite.append_attribute("tests") =
      static_cast<unsigned>(findings.singles.size() + findings.failures.size());
  suite.append_attribute("failures") = static_cast<unsigned>(findings.failures.size());
  for (const auto& [kind, coverage] : findings.singles)
    add_case(suite, suite_name,
             fmt::format("{}: {} of {} points tried", kind, coverage.tried, coverage.points));
  for (std::size_t i = 0; i < findings.failures.size(); ++i) {
    const explore::Failure& failure = findings.failures[i];
    pugi::xml_node broken = add_case(suite, suite_name, failure.breach.sentence);
    pugi::xml_node why = broken.append_child("failure");
    why.append_attribute("message") = ("found " + failure.breach.found).c_str();
    why.text().set(fmt::format("{}\nspotsim run {}", fmt::join(failure.tried.plan, "\n"),
                               scenarios.at(i).string())
                       .c_str());
  }
  if (!document.save_file(file.c_str(), "  "))
    throw std::runtime_error("cannot write " + file.string());
}

}  // namespace sim::cli
