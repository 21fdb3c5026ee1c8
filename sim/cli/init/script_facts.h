// What `spotsim init` reads from a script: a search of its text, without running it.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace sim::cli {

// Files that the script copies to a bucket.
struct CopyToBucket {
  std::string source;  // a file or folder, absolute if the folder is known; "$…" may be in it
  bool one_file = true;
  std::string prefix;  // "s3://BUCKET/…"; empty: unknown
};

struct ScriptFacts {
  std::set<std::string> buckets;  // of all URIs s3://BUCKET/…
  // Objects that the script downloads with `aws s3 cp`, by URI, if a file of that name lies beside
  // the script.
  std::map<std::string, std::string> uploads;
  std::vector<CopyToBucket> copies;  // in order
  std::string folder;                // absolute, in which the script is at its end; empty: unknown
};

// `beside`: the script's folder. Variables that the script sets to plain text are replaced.
ScriptFacts facts_of(const std::string& script, const std::filesystem::path& beside);

// The prefixes to which the script copies this checkpoint: those of copies of its folder, else of
// folders around it, else of any files. An empty prefix stands for an unknown one. A relative path
// is one in the script's folder; an empty one is unknown.
std::set<std::string> copies_of(const std::string& checkpoint, const ScriptFacts& facts);

}  // namespace sim::cli
