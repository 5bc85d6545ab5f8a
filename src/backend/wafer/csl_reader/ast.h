// A CSL file as a tree. Names are resolved when it is parsed: a local one is a slot of its frame, a global one an index
// into the file's declarations.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "backend/wafer/csl_reader/values.h"

namespace muster::wafer::csl {

enum class NodeKind : std::uint8_t {
  // Expressions; `parts` in the order given.
  constant,  ///< `constant`
  local,     ///< `slot`
  global,    ///< `slot`, `name`
  builtin,   ///< `name` with its '@'; arguments
  call,      ///< what is called, then arguments
  index,     ///< an array, then indices
  field,     ///< a struct; `name`
  negate,
  invert,
  negation,  ///< !
  address,
  dereference,
  binary,             ///< `op`; left, right
  both,               ///< and: left, right
  either,             ///< or: left, right
  choice,             ///< if: condition, then, else
  selection,          ///< switch: subject, prongs
  prong,              ///< values, then the body; `flag`: else
  record,             ///< `names`; values
  tuple,              ///< values
  array_literal,      ///< type, then elements
  array_type,         ///< dimensions, then the element type; `constant`: the type, if prepare() knows it
  pointer_type,       ///< element type
  many_pointer_type,  ///< element type
  function_type,
  enum_type,  ///< `names`; underlying type or null, then values or null
  access,     ///< |i|{n} -> a[i]: extents, then the indexed array; `slot`: of the first variable
  // Statements; expressions are statements too.
  block,          ///< statements; `name`: its label. As an expression: the value of the break that names it
  declare,        ///< `slot`, `name`; type or null, value or null; `flag`: var
  assign,         ///< `op` if `flag`; target or null, value
  branch,         ///< if: condition, then, else or null
  loop_while,     ///< condition, continue or null, body; `name`: label
  loop_for,       ///< what is walked, body; `slot`: of the element, `second`: of the index or -1; `name`: label
  jump_break,     ///< `name`: label or nothing; value or null
  jump_continue,  ///< `name`
  jump_return,    ///< value or null
};

enum class BinaryOp : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  remainder,
  shift_left,
  shift_right,
  bit_and,
  bit_or,
  bit_xor,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal
};

struct Node {
  NodeKind kind = NodeKind::constant;
  BinaryOp op = BinaryOp::add;
  bool flag = false;
  bool is_plain = false;  ///< set by prepare(), see there
  std::int32_t slot = -1;
  std::int32_t second = -1;
  Location location;
  Value constant;
  std::vector<Node*> parts;
  Names names;
  std::string name;
};

enum class DeclarationKind : std::uint8_t { parameter, constant, variable, function, task };

struct Parameter {
  std::string name;
  const Node* type = nullptr;
};

struct Declaration {
  DeclarationKind kind = DeclarationKind::constant;
  std::string name;
  Location location;
  const Node* type = nullptr;  ///< of a function: of its result
  const Node* value = nullptr;
  const Node* body = nullptr;         ///< of a function; null if it is extern
  std::vector<Parameter> parameters;  ///< of a function: its first slots
  std::int32_t slots = 0;             ///< of the frame
  bool imports = false;               ///< its value asks for a module
  bool is_pure = false;               ///< a function whose result depends on its arguments alone; set by prepare()
};

/// A block at the top: comptime or layout.
struct TopBlock {
  const Node* body = nullptr;
  std::int32_t slots = 0;
};

struct File {
  std::string name;
  std::string text;
  std::deque<Node> nodes;
  std::vector<Declaration> declarations;
  std::map<std::string, std::int32_t, std::less<>> by_name;
  std::vector<TopBlock> comptime_blocks;
  std::vector<TopBlock> layouts;
};

/// Once all names are resolved: finds what need not be evaluated step by step. Array types of known size become constants.
/// Expressions of numbers alone (plain.h) are marked: the whole expression, not its parts.
void prepare(File& file);

/// Parses a file; throws InputError with the location, what was expected and what was found.
std::unique_ptr<File> parse(std::string name, std::string text, const Limits& limits);

}  // namespace muster::wafer::csl
