// The four files of an emitted CSL program, each from a template in its own source.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "backend/emitter.h"
#include "backend/wafer/csl/program.h"

namespace muster::wafer {

/// Said wherever an f16 program counts elements.
std::string padding_note(const CslProgram& csl);

/// `text` with every <<name>> replaced. A name without a value, and a value without a name, is a bug.
std::string fill(std::string_view text, std::initializer_list<std::pair<std::string_view, std::string>> values);

/// The comment that opens every file: what the program does, the command that made it, and that it was never compiled.
/// `mark` begins each line: "//" or "#".
std::string csl_header(const CslProgram& csl, const EmitOptions& options, std::string_view mark);

/// Whether the collective combines nothing.
bool only_moves(Collective collective);

/// "param count: u16 = 16;", or a constant where operations work on parts.
std::string csl_count_line(const CslProgram& csl);

std::string csl_layout(const CslProgram& csl, const EmitOptions& options);
std::string csl_processor(const CslProgram& csl, const EmitOptions& options);
std::string csl_host(const CslProgram& csl, const EmitOptions& options);
std::string csl_build(const CslProgram& csl, const EmitOptions& options);

}  // namespace muster::wafer
