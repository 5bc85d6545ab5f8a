// Emitted files in a folder, which may be changed before they are run.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "backend/torus/metalium/emit.h"
#include "backend/torus/metalium/kernel_host.h"
#include "base/source_dir.h"

namespace muster::torus {

class EmittedFolder {
 public:
  explicit EmittedFolder(const TorusProgram& program) : torus_(program.torus()) {
    const auto files = emit_metalium(program, {.target = "metalium", .command = "muster emit"});
    EXPECT_TRUE(files) << (files ? "" : files.reason());
    if (!files) return;
    for (const EmittedFile& file : files.value()) texts_[file.name] = file.text;
  }
  /// Plants a fault: replaces the first `old` in a file.
  EmittedFolder& change(std::string_view file, const std::string& old, const std::string& by) {
    std::string& text = texts_[std::string(file)];
    const std::size_t where = text.find(old);
    EXPECT_NE(where, std::string::npos) << old;
    if (where != std::string::npos) text.replace(where, old.size(), by);
    return *this;
  }
  KernelsRun run() const {
    std::string name = (std::filesystem::temp_directory_path() / "muster-test-XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    for (const auto& [file, text] : texts_) std::ofstream(std::filesystem::path(name) / file) << text;
    try {
      KernelsRun result = run_kernels(torus_, {.folder = name, .headers = source_dir() + "/share/metalium"}, 1);
      std::filesystem::remove_all(name);
      return result;
    } catch (...) {
      std::filesystem::remove_all(name);
      throw;
    }
  }

 private:
  Torus torus_;
  std::map<std::string, std::string> texts_;
};

}  // namespace muster::torus
