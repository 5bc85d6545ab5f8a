// A program of a network-on-chip as a complete program for TT-Metalium: a host file, a kernel for the dataflow processors, a kernel for
// the compute processor, and tables.
//
// A core's calls are a table in its memory, which the kernels walk: one entry, one call of the API. Straight code with numbers from
// run-time arguments would be shorter for a handful of calls. But a ring of 64 cores makes about a thousand calls per core: their
// numbers do not fit into 341 arguments, nor their code into the memory for kernels, and each of the 64 cores would need kernels of its
// own, which TT-Metalium compiles one after another. With tables there are two kernels, whatever the program is, and they can be read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/emitter.h"
#include "backend/torus/program.h"

namespace muster::torus {

/// Of TT-Metalium, whose API the files are written for.
inline constexpr std::string_view kMetaliumRelease = "v0.62";

// The files.
inline constexpr std::string_view kHostFile = "host.cpp";
inline constexpr std::string_view kDataflowFile = "dataflow.cpp";
inline constexpr std::string_view kComputeFile = "compute.cpp";
inline constexpr std::string_view kCallsFile = "calls.h";
inline constexpr std::string_view kTablesFile = "tables.h";

/// The files; or which budget of the cores was exceeded, what was needed and what is allowed.
Outcome<std::vector<EmittedFile>> emit_metalium(const TorusProgram& program, const EmitOptions& options);

/// Where the files take longer than the simulation says, a sentence each.
std::vector<std::string> metalium_remarks(const TorusProgram& program);

}  // namespace muster::torus
