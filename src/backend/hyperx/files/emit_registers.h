// Registers as files: registers.json, which can be read back (read_registers.h), and registers.h, tables for C and C++.
#pragma once

#include <string>
#include <vector>

#include "backend/emitter.h"
#include "backend/hyperx/files/node_programs.h"

namespace muster::hyperx {

/// Both files. The registers have passed check_form(). What is handed out was read back and found to be the same.
std::vector<EmittedFile> emit_registers(const HyperXProgram& program, const EmitOptions& options);

/// names.h shows the form.
std::string registers_json(const HyperXProgram& program, const NodePrograms& nodes, const std::string& command);
std::string registers_header(const HyperXProgram& program, const NodePrograms& nodes, const std::string& command);

}  // namespace muster::hyperx
