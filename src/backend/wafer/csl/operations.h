// The operations of one class of processors as CSL's instructions, one after another.
#pragma once

#include "backend/wafer/csl/program.h"

namespace muster::wafer {

/// The instructions of a processor, or what it does that CSL cannot say (without the PE: the caller knows it).
Outcome<CslOperations> csl_operations(const WaferProgram& program, const ProcessorClass& processor);

/// Whether an action receives a color; sends data on one; sends a control wavelet on one.
bool takes(CslAction action);
bool sends(CslAction action);
bool is_control(CslAction action);
/// Whether it sends beside what it receives.
bool exchanges(CslAction action);

/// "color 0 <- input + color 1, advancing", with hardware colors.
std::string describe(const CslOperation& operation, const WaferProgram& program);

}  // namespace muster::wafer
