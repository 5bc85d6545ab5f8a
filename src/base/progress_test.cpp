#include "base/progress.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

namespace muster {
namespace {

using std::chrono::milliseconds;

/// A clock that stands still until it is moved.
struct Watch {
  ProgressLine::Clock::time_point time{};
  auto reader() {
    return [this] { return time; };
  }
};

TEST(ProgressLine, ShowsNothingForQuickWork) {
  Watch watch;
  std::ostringstream out;
  {
    ProgressLine line("simulating", &out, watch.reader());
    watch.time += milliseconds(400);
    line.show(0.5);
  }
  EXPECT_EQ(out.str(), "");
}

TEST(ProgressLine, DrawsAtMostTenTimesASecondAndErasesItself) {
  Watch watch;
  std::ostringstream out;
  {
    ProgressLine line("simulating", &out, watch.reader());
    watch.time += milliseconds(600);
    line.show(0.25);
    line.show(0.26);
    watch.time += milliseconds(50);
    line.show(0.27);
    watch.time += milliseconds(60);
    line.show(0.5);
  }
  EXPECT_EQ(out.str(), "\r\x1b[Ksimulating  25%\r\x1b[Ksimulating  50%\r\x1b[K");
}

TEST(ProgressLine, SaysWhatIsDoneOnOneLine) {
  Watch watch;
  std::ostringstream out;
  ProgressLine line("", &out, watch.reader());
  watch.time += milliseconds(600);
  line.show("simulating chain");
  EXPECT_EQ(out.str(), "\r\x1b[Ksimulating chain");
  watch.time += milliseconds(600);
  line.show(std::string(200, 'x'));
  EXPECT_LT(out.str().size(), 120U);
}

TEST(ProgressLine, KeepsFractionsInRange) {
  Watch watch;
  std::ostringstream out;
  ProgressLine line("x", &out, watch.reader());
  for (const double fraction : {-1.0, 7.0, std::nan("")}) {
    watch.time += milliseconds(600);
    line.show(fraction);
  }
  EXPECT_EQ(out.str(), "\r\x1b[Kx   0%\r\x1b[Kx 100%\r\x1b[Kx   0%");
}

TEST(ProgressLine, IsSilentWithoutATerminal) {
  Watch watch;
  ProgressLine line("x", nullptr, watch.reader());
  watch.time += milliseconds(600);
  EXPECT_NO_THROW(line.show(0.5));
}

}  // namespace
}  // namespace muster
