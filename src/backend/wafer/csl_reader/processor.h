// Runs the program of one processor without its data: which vector instructions it starts, and which of them wait for
// the end of which others. What a program does may depend on its parameters and variables, not on what arrives.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "backend/wafer/commands.h"
#include "backend/wafer/csl_reader/evaluator.h"
#include "backend/wafer/csl_reader/layout.h"
#include "machine/mesh.h"
#include "schedule/arithmetic.h"

namespace muster::wafer::csl {

/// An array of the program.
struct Memory {
  std::string name;  ///< as the host knows it, else as the file spells it, with the file's name before it
  bool exported = false;
  std::int64_t elements = 0;
  TypePtr type;  ///< of an element
};

/// Elements of a memory, as a descriptor walks them.
struct MemoryWalk {
  std::int32_t memory = 0;
  std::int64_t first = 0;
  std::int64_t stride = 1;
  bool operator==(const MemoryWalk&) const = default;
};

struct Instruction {
  Location location;
  std::optional<Operator> op;   ///< nothing: a move
  std::optional<float> number;  ///< that its last vector is multiplied with; with no op, its only one
  bool stream_first = false;    ///< of a stream and a vector in memory, the stream is the left operand
  std::int64_t extent = 0;
  std::vector<MemoryWalk> sources;  ///< memory that it reads
  std::vector<int> takes;           ///< colors that it receives
  std::optional<MemoryWalk> stores;
  int sends = -1;  ///< the color
  bool advances = false;
  bool packs_two = false;              ///< its fabric ends do
  std::optional<ControlCode> control;  ///< it sends one control wavelet, and nothing else
  CommandList commands = 0;            ///< instead of `control`: a control wavelet with this list
  int bits = 32;                       ///< of an element
  bool asynchronous = false;
  std::int32_t task = -1;  ///< that started it; -1: the host's call
  std::int32_t run = 0;    ///< a number for every run of a task: instructions of one run start together
};

/// A program may negate whole arrays before its first instruction and after its last.
struct Negations {
  std::map<std::int32_t, Location> before;  ///< by memory
  std::map<std::int32_t, Location> after;
};

struct ProcessorTrace {
  std::vector<Instruction> instructions;  ///< in the order in which they start
  /// after[i][j]: instruction i starts when j is done, whatever the order of events.
  std::vector<std::vector<bool>> after;
  std::vector<Memory> memories;
  Negations negations;
  std::set<std::string> advertised;  ///< the names of its symbols that the host knows
  std::int64_t steps = 1;            ///< how often all of it is repeated, with input and output exchanged in between
  bool begins_exchanged = false;     ///< the first repetition has them exchanged
};

struct ProcessorOptions {
  const Mesh& mesh;
  const std::map<std::string, ExportedName>& names;  ///< that the layout exports
  std::string entry;      ///< the function that the host calls; empty: the only one that is exported
  bool computes = false;  ///< products with numbers are part of the program, not a processor's own affair
};

/// A program with a parameter `steps` is read as one repetition, if with 2 and 3 steps it does that again with the buffers exchanged, and
/// begins when all of the one before has ended; and what it computes is part of it.
/// Throws InputError: with what the program does that cannot be read, or that would go wrong.
ProcessorTrace run_processor(Files& files, const std::string& file, const Value& parameters, const Location& location,
                             const ProcessorOptions& options);

}  // namespace muster::wafer::csl
