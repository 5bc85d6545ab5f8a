#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/seismic/file/file_test_support.h"
#include "app/seismic/file/files.h"
#include "app/seismic/file/rsf_header.h"
#include "base/rejection_test_support.h"

namespace muster::seismic {
namespace {

std::span<const std::byte> bytes_of_text(const std::string& text) { return std::as_bytes(std::span(text)); }

Cube cube_from_text(const std::string& text) { return cube_from(Format::rsf, bytes_of_text(text)); }

const std::string kMark(kRsfMark);

TEST(Rsf, BeginsWithText) {
  const std::vector<std::byte> bytes = bytes_in(Format::rsf, small_cube());
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size() - 24);
  EXPECT_EQ(text,
            "# seismic cube written by Muster\nin=\"stdin\"\ndata_format=\"native_float\"\nesize=4\ncontent=\"cube\"\n"
            "field=\"vp\"\nn1=3\nd1=10\no1=0\nlabel1=\"Z (depth)\"\nunit1=\"m\"\nn2=2\nd2=12.5\no2=0\nlabel2=\"Y\"\n"
            "unit2=\"m\"\nn3=1\nd3=20\no3=0\nlabel3=\"X\"\nunit3=\"m\"\n\f\f\x04");
}

TEST(Rsf, TakesTheLastValueOfAKey) {
  const std::string text =
      "sfmath\tmodels: someone@somewhere\tMon\n n1=7 in='a b' # n1=9\n\tn1=2 in=\"stdin\" data_format=ascii_float "
      "n2=1\n" +
      kMark + " 1.5\n-2e3 ";
  EXPECT_EQ(cube_from_text(text).values, (std::vector<float>{1.5, -2000}));
  EXPECT_EQ(cube_from_text(text).extent, (Extent{1, 1, 2}));
}

TEST(Rsf, IsReadFromXdr) {
  const std::string text = "n1=1 in=stdin data_format=xdr_float esize=4\n" + kMark + std::string("\x3F\xC0\0\0", 4);
  EXPECT_EQ(cube_from_text(text).values, std::vector<float>{1.5});
}

TEST(Rsf, IsReadFromTheFileThatItNames) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "rsf_names";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "vp.rsf") << "n1=2 d1=5 in=vp.rsf@\n";
  std::ofstream(folder / "vp.rsf@", std::ios::binary) << std::string("\0\0\x80\x3F\0\0\0\xC0", 8);
  const Cube cube = read_cube(folder / "vp.rsf");
  EXPECT_EQ(cube.values, (std::vector<float>{1, -2}));
  EXPECT_EQ(cube.spacing.z, 5);
  std::filesystem::remove(folder / "vp.rsf@");
  EXPECT_EQ(rejection([&] { (void)read_cube(folder / "vp.rsf"); }),
            (folder / "vp.rsf@").string() + ": cannot be read; is it a file that you may read?");
  std::filesystem::remove_all(folder);
}

TEST(Rsf, IsRefusedWithOneLine) {
  const auto refusal = [](const std::string& text) { return rejection([&] { (void)cube_from_text(text); }); };
  EXPECT_EQ(refusal("hello"), "file: does not say its size (n1=...); is it an RSF file?");
  EXPECT_EQ(refusal("n1=2"), "file: does not say where its data are (in=...)");
  EXPECT_EQ(refusal("n1=2 in=other"), "file: names the file 'other', and there are none");
  EXPECT_EQ(refusal("n1=2 in=stdin"),
            "file: has no data behind its text, although it says in=\"stdin\"; is it complete?");
  EXPECT_EQ(refusal("n1=0 in=stdin\n" + kMark), "file: n1=0 is no whole number of at least 1");
  EXPECT_EQ(refusal("n1=2x in=stdin\n" + kMark), "file: n1=2x is no whole number of at least 1");
  EXPECT_EQ(refusal("n1=2 in=stdin\n" + kMark + "1234"),
            "file: has 4 bytes of data, which are not the 2x1x1 numbers of 4 bytes that its header states");
  EXPECT_EQ(refusal("n1=4000000000 n2=4000000000 n3=4000000000 in=stdin\n" + kMark + "1234"),
            "file: has 4 bytes of data, which are not the 4000000000x4000000000x4000000000 numbers of 4 bytes that its "
            "header states");
  EXPECT_EQ(refusal("n1=1 in=stdin data_format=native_complex\n" + kMark + "1234"),
            "file: has data_format=native_complex; native, xdr and ascii ones of float, double and int are read");
  EXPECT_EQ(refusal("n1=1 in=stdin esize=8\n" + kMark + "1234"), "file: has esize=8, but native_float has 4 bytes");
  EXPECT_EQ(refusal("n1=2 in=stdin data_format=ascii_float\n" + kMark + "1.5 x"),
            "file: cell 0,0,1 is no number, or not there");
  EXPECT_EQ(refusal("n1=1 n2=1 n3=1 n4=2 in=stdin\n" + kMark + "12345678"),
            "file: has 4 axes (1x1x1x2); a cube has three");
}

}  // namespace
}  // namespace muster::seismic
