// Each emitted file says what is uncertain about it, and about nothing else.
#include "backend/wafer/csl/uncertain.h"

#include <gtest/gtest.h>

#include "backend/wafer/csl/emit_test_support.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

using samples::program_of;

int uncertain(std::string_view words, const WaferProgram& program, const EmitOptions& options = {}) {
  return count_of("Uncertain: " + std::string(words), emitted(program, options).at("layout.csl"));
}

TEST(Uncertain, IsNothingAboutAChain) {
  for (const std::string machine : {"wse2", "wse3"}) EXPECT_EQ(uncertain("", *program_of(machine, "chain", 8)), 0);
}

TEST(Uncertain, IsWhatAProgramUses) {
  EXPECT_EQ(uncertain("A reset", *program_of("wse2", "tree", 8)), 1);
  EXPECT_EQ(uncertain(".advance_switch", *program_of("wse2", "tree", 8)), 1);
  EXPECT_EQ(uncertain("f16", *program_of("wse2", "chain", 8, 16, {ElementType::f16, Operator::sum})), 1);
  EXPECT_EQ(uncertain("@map", *program_of("wse2", "chain", 8, 16, {ElementType::i32, Operator::sum})), 1);
  EXPECT_EQ(uncertain("The two instructions", *samples::ring("wse3", 3, 18)), 1);
  EXPECT_EQ(uncertain("The id of the caller's task", *program_of("wse2", "chain", 8), {.form = kModuleForm}), 1);
}

TEST(Uncertain, IsAPositionThatChangesBothSidesAndTheUserIsTold) {
  auto program = program_of("wse3", "chain", 4);
  as<Mesh>(program->machine)->switch_both_sides = true;
  auto& route = program->classes[static_cast<std::size_t>(program->class_of[1])].routes.front();
  route.count = 2;
  route.positions[1] = Position{set_of(Direction::north), set_of(Direction::south)};
  EXPECT_EQ(uncertain("switch.changes", *program), 1);
  const auto files = emit_csl(*program, {});
  ASSERT_TRUE(files);
  EXPECT_NE(files.value().front().remark.find("switch.changes"), std::string::npos);
}

TEST(Uncertain, CallsNoFunctionWithinTheAccessOfADescriptor) {
  for (const char* form : {kProgramForm, kModuleForm}) {
    const auto files = emitted(*samples::ring("wse3", 3, 18), {.form = form});
    for (const auto& [name, text] : files) {
      for (std::size_t at = text.find("|i|{"); at != std::string::npos; at = text.find("|i|{", at + 1)) {
        EXPECT_EQ(text.substr(at, text.find('\n', at) - at).find("field("), std::string::npos) << name;
      }
      EXPECT_EQ(count_of("bool", text), 0) << name;
    }
  }
  EXPECT_EQ(count_of("bool", emitted(*scrambled("wse2", 53)).at("pe.csl")), 0);
}

}  // namespace
}  // namespace muster::wafer
