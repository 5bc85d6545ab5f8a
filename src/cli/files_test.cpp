#include "cli/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "base/error.h"

namespace muster {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("muster-files-" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string read(const fs::path& file) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  static void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }
  /// Everything below the test's folder, temporary remains included.
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::recursive_directory_iterator(folder_), {}));
  }

  fs::path folder_;
};

TEST_F(Files, MakeTheFolderAndItsParents) {
  write_files(folder_ / "a" / "b", {{"x.csl", "one"}, {"y.csl", "two"}});
  EXPECT_EQ(read(folder_ / "a" / "b" / "x.csl"), "one");
  EXPECT_EQ(read(folder_ / "a" / "b" / "y.csl"), "two");
  EXPECT_EQ(entries(), 4U);
}

TEST_F(Files, ReplaceOldFilesAndKeepOthers) {
  fs::create_directories(folder_ / "out");
  write(folder_ / "out" / "x.csl", "// Muster: old\n");
  write(folder_ / "out" / "mine.txt", "mine");
  EXPECT_EQ(write_files(folder_ / "out/", {{"x.csl", "new"}, {"y.csl", "more"}}), std::vector<std::string>{"x.csl"});
  EXPECT_EQ(read(folder_ / "out" / "x.csl"), "new");
  EXPECT_EQ(read(folder_ / "out" / "mine.txt"), "mine");
  EXPECT_EQ(entries(), 4U);
}

TEST_F(Files, OfOthersAreReplacedOnlyByForce) {
  fs::create_directories(folder_ / "out");
  write(folder_ / "out" / "x.csl", "// Muster: old\n");
  write(folder_ / "out" / "y.csl", "precious, not by Muster: at all\n");
  const std::vector<EmittedFile> files{{"x.csl", "new"}, {"y.csl", "new"}};
  EXPECT_THROW(write_files(folder_ / "out", files), InputError);
  EXPECT_EQ(read(folder_ / "out" / "x.csl"), "// Muster: old\n");
  EXPECT_EQ(read(folder_ / "out" / "y.csl"), "precious, not by Muster: at all\n");
  EXPECT_EQ(write_files(folder_ / "out", files, Foreign::replace), (std::vector<std::string>{"x.csl", "y.csl"}));
  EXPECT_EQ(read(folder_ / "out" / "y.csl"), "new");
}

TEST_F(Files, ThatAreScriptsAndSchedulesOfMusterAreKnownAsSuch) {
  fs::create_directories(folder_ / "out");
  write(folder_ / "out" / "build.sh", "#!/usr/bin/env bash\n# Muster: reduce\n");
  write(folder_ / "out" / "schedule.json", "{\n  \"schema\": 1,\n  \"kind\": \"muster-schedule\",\n");
  EXPECT_EQ(write_files(folder_ / "out", {{"build.sh", "1"}, {"schedule.json", "2"}}).size(), 2U);
}

TEST_F(Files, MakeScriptsRunnable) {
  write_files(folder_ / "out", {{"build.sh", "#!/bin/sh\n"}, {"x.csl", "one"}});
  EXPECT_EQ(::access((folder_ / "out" / "build.sh").c_str(), X_OK), 0);
  EXPECT_EQ(fs::status(folder_ / "out" / "x.csl").permissions() & fs::perms::owner_exec, fs::perms::none);
}

TEST_F(Files, OfAProgramMayBeInSubfolders) {
  fs::create_directories(folder_ / "lib/deep");
  fs::create_directories(folder_ / ".hidden");
  for (const std::string name : {"layout.csl", "lib/deep/a.csl", ".hidden/b.csl", "lib/notes.txt"}) {
    write(folder_ / name, "text of " + name);
  }
  const FileFormat format{.name = "csl", .extension = ".csl", .main_file = "layout.csl"};
  for (const std::string end : {"", "/", "/."}) {
    std::map<std::string, std::string> read;
    for (const EmittedFile& file : read_folder(folder_.string() + end, format)) read[file.name] = file.text;
    const std::map<std::string, std::string> expected{{"layout.csl", "text of layout.csl"},
                                                      {"lib/deep/a.csl", "text of lib/deep/a.csl"}};
    EXPECT_EQ(read, expected) << end;
  }
  for (int i = 0; i < 1000; ++i) write(folder_ / "lib" / (std::to_string(i) + ".csl"), "");
  EXPECT_THROW(read_folder(folder_, format), InputError);
}

TEST_F(Files, RefuseAFileInPlaceOfTheFolder) {
  write(folder_ / "out", "precious");
  EXPECT_THROW(write_files(folder_ / "out", {{"x.csl", "new"}}), InputError);
  EXPECT_EQ(read(folder_ / "out"), "precious");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(Files, RefuseAFolderInPlaceOfAFileBeforeTheyChangeAnything) {
  fs::create_directories(folder_ / "out" / "y.csl");
  write(folder_ / "out" / "x.csl", "old");
  EXPECT_THROW(write_files(folder_ / "out", {{"x.csl", "new"}, {"y.csl", "new"}}), InputError);
  EXPECT_EQ(read(folder_ / "out" / "x.csl"), "old");
  EXPECT_EQ(entries(), 3U);
}

TEST_F(Files, ALinkIsFollowedAndAPipeIsWrittenInto) {
  fs::create_directories(folder_);
  write_named_file(folder_ / "file", "old", "--csv");
  fs::create_symlink(folder_ / "file", folder_ / "link");
  write_named_file(folder_ / "link", "new", "--csv");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(read(folder_ / "file"), "new");

  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = read(pipe); });
  write_named_file(pipe, "through", "--trace");
  reader.join();
  EXPECT_EQ(got, "through");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

}  // namespace
}  // namespace muster
