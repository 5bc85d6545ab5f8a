// The command line as typed: which subcommand, and the text of every flag that was given. What the text means is
// decided in question.h; only arguments.cpp knows the parsing library.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace muster {

/// A flag's values, in the order given; empty if it was not given.
using Values = std::vector<std::string>;

struct Arguments {
  std::string subcommand;
  Values positional;
  Values machine, param, grid, nodes, shape, group, vectors, root;
  Values collective, count, bytes, type, op;
  Values algorithm, set, engine, calls, schedule;
  Values target, out, offset, reserve_colors;
  Values chunks, order, accounting, jitter, slow, slow_link, missing_link, late;
  Values workload, faster, batch, job;
  Values check, template_family, additions, seed;
  Values pes, csv, figure, trace, svg, csl, msccl, registers;
  bool simulate = false;
  bool arrival = false;
  bool sensitivity = false;
  bool advise = false;
  bool force = false;
  bool json = false;
  bool quiet = false;
  bool quick = false;
  bool verbose = false;
  std::string command;  ///< the whole line, quoted for a shell
};

/// Text that was asked for instead of work: help, --help, --version, or no arguments at all.
struct Notice {
  std::string text;
};

/// Throws InputError for unknown subcommands and flags (with the nearest known ones), missing and repeated values.
std::variant<Arguments, Notice> parse_arguments(int argc, const char* const* argv);

}  // namespace muster
