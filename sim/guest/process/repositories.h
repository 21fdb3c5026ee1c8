// Git repositories that guests clone by their public URL: made of local folders, the same commit
// each time.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace sim::guest {

// Makes a bare repository below `where` of each folder's files, with one commit on branch main
// whose hash depends on the files only. Returns the text of a git configuration that redirects the
// URLs to `seen_at`, which is `where` as the guests see it. Throws std::runtime_error.
std::string make_repositories(const std::map<std::string, std::filesystem::path>& folder_of_url,
                              const std::filesystem::path& where,
                              const std::filesystem::path& seen_at);

}  // namespace sim::guest
