// For tests: a gang as users run it, with mpirun, spottrain-mpi and files.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/files/folder_for_test.h"

namespace spottrain {

class Gang : public testing::Test {
 protected:
  void SetUp() override {
#ifndef SPOTTRAIN_MPI
    GTEST_SKIP() << "built without MPI";
#else
    // Open MPI's options for tests as root, and for more ranks than processors.
    for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                             "OMPI_MCA_rmaps_base_oversubscribe", "OMPI_MCA_mpi_yield_when_idle"}) {
      setenv(name, "1", 1);
    }
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);  // MPI keeps some memory to its end
    ASSERT_EQ(
        run(SPOTTRAIN_MPI " synthesize " + (folder_ / "data").string() + " --train 60 --test 20"),
        0);
#endif
  }
  int run(const std::string& command) const {
    const std::string to = " >/dev/null 2>" + (folder_ / "errors").string();
    return WEXITSTATUS(std::system((command + to).c_str()));
  }
  // The last command's output on stderr.
  std::string errors() const { return base::file_content(folder_ / "errors"); }
  int together(int ranks, const std::string& command) const {
#ifdef SPOTTRAIN_MPI
    return run(MPIEXEC " -n " + std::to_string(ranks) + " " SPOTTRAIN_MPI " " + command);
#else
    return -1;
#endif
  }
  int train(int ranks, const std::string& name, const std::string& more) const {
    return together(ranks, "train --batch 12 --epochs 2 --augment flip --data " +
                               (folder_ / "data").string() + " --checkpoints " +
                               (folder_ / name).string() + " " + more);
  }
  base::FolderForTest folder_;
};

}  // namespace spottrain
