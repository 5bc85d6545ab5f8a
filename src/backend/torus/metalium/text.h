// The texts of the files, one function each.
#pragma once

#include <cstdint>
#include <string>

#include "backend/emitter.h"
#include "backend/torus/program.h"

namespace muster::torus {

/// calls.h: what an entry of the table is. Host and kernels include it.
std::string calls_text(const std::string& head);
/// dataflow.cpp
std::string dataflow_text(const std::string& head, const Arithmetic& arithmetic);
/// compute.cpp, for the program's type and operator.
std::string compute_text(const std::string& head, const Arithmetic& arithmetic);
/// Whether tiles of the type are combined in 32-bit registers, which the host configures.
bool needs_wide_registers(ElementType type);
/// tables.h: the calls of all cores, where the vectors lie, what cores hold before and owe after.
std::string tables_text(const std::string& head, const TorusProgram& program);
/// host.cpp
std::string host_text(const std::string& head, const TorusProgram& program);

/// Bytes of a core that the calls of all three processors, their tokens and a tile of kSettled take.
std::int64_t table_bytes(const TorusProgram& program);

}  // namespace muster::torus
