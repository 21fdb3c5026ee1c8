// What `spotsim init` reads from a script: a search of its text, without running it.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace sim::cli {

struct ScriptFacts {
  std::set<std::string> buckets;  // of all URIs s3://BUCKET/…
  // Objects that the script downloads with `aws s3 cp`, by URI, if a file of that name lies beside
  // the script.
  std::map<std::string, std::string> uploads;
  std::string copies;  // prefix to which the script copies files at last; empty: none
  std::string folder;  // absolute folder of its last `cd`; empty: none
};

// `beside`: the script's folder. Variables that the script sets to plain text are replaced.
ScriptFacts facts_of(const std::string& script, const std::filesystem::path& beside);

}  // namespace sim::cli
