#include "base/file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "base/error.h"

namespace muster {
namespace {

TEST(ReadFile, ReturnsEveryByte) {
  const auto file = std::filesystem::path(::testing::TempDir()) / ("muster_file_" + std::to_string(::getpid()));
  for (const std::size_t size : {0U, 1U, 65536U, 100'000U}) {
    std::string text(size, 'x');
    if (size > 2) text[1] = '\0';
    std::ofstream(file, std::ios::binary) << text;
    EXPECT_EQ(read_file(file), text);
  }
  std::filesystem::remove(file);
}

TEST(ReadFile, RefusesWhatIsNotThereAndFolders) {
  EXPECT_THROW((void)read_file("no/such/file"), InputError);
  EXPECT_THROW((void)read_file(::testing::TempDir()), InputError);
}

}  // namespace
}  // namespace muster
