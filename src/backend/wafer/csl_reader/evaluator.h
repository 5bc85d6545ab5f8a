// Runs CSL: at compile time (constants, layout and comptime blocks), and the tasks of a processor as far as what they do
// does not depend on the data that arrives. Everything that touches the machine goes to a Host.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/wafer/csl_reader/ast.h"
#include "backend/wafer/csl_reader/builtins.h"
#include "machine/machine.h"

namespace muster::wafer::csl {

class Evaluator;

/// A file with its parameters: the values of its declarations, each found when it is first asked for.
class Instance {
 public:
  Instance(const File& file, Value parameters);
  [[nodiscard]] const File& file() const { return file_; }

 private:
  friend class Evaluator;
  enum class State : std::uint8_t { untouched, under_way, known };
  const File& file_;
  Value parameters_;  ///< a struct, or undefined
  std::vector<Value> globals_;
  std::vector<State> states_;
};

/// What a program asks of the machine.
class Host {
 public:
  virtual ~Host() = default;
  /// A builtin that is not about values alone.
  virtual Value builtin(Evaluator& evaluator, Instance& instance, const Node& call,
                        std::span<const Value> arguments) = 0;
  /// A call of a function of a vendor's module.
  virtual Value library(Evaluator& evaluator, const Node& call, const std::string& path,
                        std::span<const Value> arguments) = 0;
  /// Whether what the variable holds is not known when the program runs: the host's data, or what has arrived.
  [[nodiscard]] virtual bool is_data(const Variable& /*variable*/) const { return false; }
};

/// The files of a program, parsed when they are first asked for.
class Files {
 public:
  Files(std::map<std::string, std::string> texts, Limits limits) : texts_(std::move(texts)), limits_(limits) {}
  /// Throws InputError at `place` if there is no such file.
  const File& get(const std::string& name, const Place& place);
  [[nodiscard]] const Limits& limits() const { return limits_; }

 private:
  std::map<std::string, std::string> texts_;
  Limits limits_;
  std::map<std::string, std::unique_ptr<File>> parsed_;
};

class Evaluator {
 public:
  /// The machine says which architecture it is, and which queues and task ids there are. It outlives the evaluator.
  Evaluator(Files& files, const Mesh& mesh, Host& host);

  /// A new instance of a file. Every given parameter must exist, and every parameter without default be given.
  Instance& instantiate(const File& file, Value parameters, const Place& place);
  /// Runs a block at the top of the file.
  void run(Instance& instance, const TopBlock& block);
  /// Calls a function or task.
  Value call(Instance& instance, const Declaration& function, std::span<const Value> arguments, const Place& place);
  /// The value of a declaration, and a variable's for change.
  const Value& global(Instance& instance, std::int32_t index, const Place& place);
  Value& variable(const Variable& variable, const Place& place);
  /// All declarations of a file, so that mistakes in unused ones are found too.
  void evaluate_all(Instance& instance);
  /// The type that a declaration states, null if it states none; of a function: with its parameters.
  TypePtr declared_type(Instance& instance, const Declaration& declaration);

  /// The value as one of the type, or an error at `place`.
  Value coerce(Value value, const Type& type, const Place& place) const;
  Value zero_of(const TypePtr& type, const Place& place);
  [[nodiscard]] Files& files() { return files_; }
  /// Something is done that a program does only so often: it may go on for as many steps more.
  void allow(std::int64_t steps);
  /// Whether tasks run now, not the compiler.
  void set_running(bool running) { running_ = running; }

 private:
  struct Frame {
    Instance* instance = nullptr;
    std::size_t base = 0;
  };
  struct Indices {
    std::size_t count = 0;
    std::array<std::int64_t, 4> at{};
  };
  enum class Flow : std::uint8_t { next, leave, again, done };

  // Expressions.
  Value evaluate(const Node& node, const Frame& frame);
  Value evaluate_slow(const Node& node, const Frame& frame);
  /// The value of a name without a copy; anything else is evaluated into `holder`.
  const Value& peek(const Node& node, const Frame& frame, Value& holder);
  Value binary(const Node& node, const Frame& frame);
  Value unary(const Node& node, const Frame& frame);
  Value index(const Node& node, const Frame& frame);
  Value field(const Node& node, const Frame& frame);
  Value field_of(const Value& base, const std::string& name, const Place& place);
  Value call_node(const Node& node, const Frame& frame);
  Value block_value(const Node& node, const Frame& frame);
  Value select(const Node& node, const Frame& frame, bool wants_value, Flow& flow);
  Value record(const Node& node, const Frame& frame);
  Value array_literal(const Node& node, const Frame& frame);
  Value array_type_of(const Node& node, const Frame& frame);
  Value enum_type_of(const Node& node, const Frame& frame);
  Value access(const Node& node, const Frame& frame);
  Value address(const Node& node, const Frame& frame);
  TypePtr type_at(const Node& node, const Frame& frame);
  bool truth(const Node& node, const Frame& frame);
  std::int64_t integer(const Node& node, const Frame& frame);
  Indices indices(const Node& node, const Frame& frame);
  static std::int64_t offset(const Array& array, const Indices& indices, const Place& place);

  // Statements.
  Flow execute(const Node& node, const Frame& frame);
  Flow execute_block(const Node& node, const Frame& frame);
  Flow execute_while(const Node& node, const Frame& frame);
  Flow execute_for(const Node& node, const Frame& frame);
  bool loop_goes_on(Flow& flow, const Node& loop);
  void declare(const Node& node, const Frame& frame);
  void assign(const Node& node, const Frame& frame);
  void store(const Node& target, const Frame& frame, Value value);
  Value& locate(const Node& node, const Frame& frame);

  // Builtins.
  Value builtin(const Node& node, const Frame& frame);
  Value value_builtin(Builtin id, const Node& node, const Frame& frame, std::vector<Value>& arguments);
  Value constructor(Builtin id, const Node& node, const std::vector<Value>& arguments);
  Value reflection(Builtin id, const Node& node, const std::vector<Value>& arguments);
  Value import_module(const Node& node, const Frame& frame, const std::vector<Value>& arguments);

  void check_known(const Variable& variable, const Place& place) const;
  void step(const Place& place);
  void use_cells(std::int64_t count, const Place& place);

  Files& files_;
  const Mesh& mesh_;
  Host& host_;
  std::vector<std::unique_ptr<Instance>> instances_;
  std::vector<Value> stack_;
  std::int64_t steps_ = 0;
  std::int64_t allowed_;  ///< steps
  std::int64_t cells_ = 0;
  int depth_ = 0;
  int calls_ = 0;
  bool running_ = false;
  Value result_;                ///< of the return or break under way
  const Node* jump_ = nullptr;  ///< the break or continue under way
};

/// Descriptors: @get_dsd and what changes them.
Value make_descriptor(const Value& kind, const Value& settings, const Place& place);
Value change_descriptor(Builtin builtin, std::span<const Value> arguments, const Place& place);

/// An integer argument within bounds.
std::int64_t integer_in(const Value& value, std::int64_t least, std::int64_t most, std::string_view what,
                        const Place& place);
/// The text of a string argument.
const std::string& text_of(const Value& value, std::string_view what, const Place& place);
/// `left op right` for numbers, booleans and whatever can be compared.
Value combine(BinaryOp op, const Value& left, const Value& right, const Place& place);

}  // namespace muster::wafer::csl
