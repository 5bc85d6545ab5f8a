#include "backend/wafer/csl/instructions.h"

#include <algorithm>

namespace muster::wafer {

namespace {

bool combines(const WaferProgram& program) {
  return std::any_of(program.classes.begin(), program.classes.end(), [](const ProcessorClass& c) {
    return std::any_of(c.operations.begin(), c.operations.end(),
                       [](const Operation& o) { return o.operands.size() > 1; });
  });
}

}  // namespace

// Vector instructions by type and operator, as the vendor documents them ("Builtins for DSD Operations"): of those that
// combine, there is no minimum, and none for integers of 32 bits.
std::string combine_instruction(const Arithmetic& arithmetic) {
  const bool half = arithmetic.type == ElementType::f16;
  if (arithmetic.type == ElementType::i32) return "";
  switch (arithmetic.op) {
    case Operator::sum:
      return half ? "@faddh" : "@fadds";
    case Operator::max:
    case Operator::min:  // of negated values
      return half ? "@fmaxh" : "@fmaxs";
    case Operator::prod:
      return half ? "@fmulh" : "@fmuls";
  }
  return "";
}

std::string negate_instruction(const Arithmetic& arithmetic) {
  if (arithmetic.op != Operator::min || arithmetic.type == ElementType::i32) return "";
  return arithmetic.type == ElementType::f16 ? "@fnegh" : "@fnegs";
}

std::string combine_function(const Arithmetic& arithmetic) {
  switch (arithmetic.op) {
    case Operator::sum:
      return "left + right";
    case Operator::max:
      return "if (left < right) right else left";
    case Operator::min:
      return "if (right < left) right else left";
    case Operator::prod:
      return "left * right";
  }
  return "";
}

std::string move_instruction(ElementType type) {
  switch (type) {
    case ElementType::f32:
      return "@fmovs";
    case ElementType::f16:
      return "@fmovh";
    case ElementType::i32:
      return "@mov32";
    case ElementType::bf16:  // no wafer computes with it
      break;
  }
  return "";
}

std::vector<std::string> csl_remarks(const WaferProgram& program) {
  std::vector<std::string> remarks;
  if (!combines(program)) return remarks;
  if (!negate_instruction(program.arithmetic).empty()) {
    remarks.push_back(fmt::format(
        "There is no vector instruction for the minimum of {}: the program takes the maximum of negated values. Each "
        "PE negates its vector before and after; the simulation does not include that, so the program takes longer.",
        type_name(program.arithmetic.type)));
  }
  if (combine_instruction(program.arithmetic).empty()) {
    remarks.push_back(
        fmt::format("There is no vector instruction for the {} of {}: the program calls a function per element (@map). "
                    "The simulation assumes one element per cycle, so the program takes longer.",
                    operator_name(program.arithmetic.op), type_name(program.arithmetic.type)));
  }
  return remarks;
}

}  // namespace muster::wafer
