// What several processes agree on, with two that are played by one.
#include "app/seismic/processes.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace muster::seismic {
namespace {

/// The first of two processes; what the other one has to say is known beforehand.
class WithAnother final : public Processes {
 public:
  explicit WithAnother(std::string says) : says_(std::move(says)) {}
  [[nodiscard]] int count() const override { return 2; }
  std::vector<std::string> all_gather(const std::string& text) override { return {text, says_}; }

 private:
  std::string says_;
};

TEST(Processes, AloneThrowWhatIsThrown) {
  Processes alone;
  EXPECT_THROW(together(alone, [] { throw std::bad_alloc(); }), std::bad_alloc);
  EXPECT_NO_THROW(together(alone, [] {}));
}

TEST(Processes, FailWithTheOthers) {
  WithAnother processes("iits disk is full");
  EXPECT_FALSE(processes.have_failed_together());
  EXPECT_THROW(together(processes, [] {}), InputError);
  EXPECT_TRUE(processes.have_failed_together());
  WithAnother no_answer("nit is not finite");
  EXPECT_THROW(together(no_answer, [] {}), NothingFits);
  WithAnother fine("");
  EXPECT_NO_THROW(together(fine, [] {}));
}

TEST(Processes, TellWhatTheFirstOfThemFoundWrong) {
  WithAnother processes("iits disk is full");
  try {
    together(processes, [] { answer_no("a field is not finite"); });
    FAIL();
  } catch (const NothingFits& error) {
    EXPECT_STREQ(error.what(), "a field is not finite");
  }
}

}  // namespace
}  // namespace muster::seismic
