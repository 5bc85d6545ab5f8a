// Runs CSL: at compile time (constants, layout and comptime blocks), and the tasks of a processor as far as what they do
// does not depend on the data that arrives. Everything that touches the machine goes to a Host.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backend/wafer/csl_reader/ast.h"
#include "backend/wafer/csl_reader/budget.h"
#include "backend/wafer/csl_reader/builtins.h"
#include "machine/machine.h"
#include "machine/mesh.h"

namespace muster::wafer::csl {

class Evaluator;

/// A file with its parameters: the values of its declarations, each found when it is first asked for.
class Instance {
 public:
  /// `created`: where the file is imported or given to a PE; `copy`: how often it was before.
  Instance(const File& file, Value parameters, const Location& created, std::int32_t copy);
  [[nodiscard]] const File& file() const { return file_; }
  [[nodiscard]] std::int32_t copy() const { return copy_; }

 private:
  friend class Evaluator;
  enum class State : std::uint8_t { untouched, under_way, known };
  const File& file_;
  Value parameters_;  ///< a struct, or undefined
  Location created_;
  std::int32_t copy_ = 0;
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

/// What a file at `location` calls `name`: relative to its own folder (the vendor's "Modules"). Throws InputError if that is
/// outside of the program's folder.
std::string file_beside(const std::string& name, const Location& location);

/// The files of a program, parsed when they are first asked for.
class Files {
 public:
  Files(std::map<std::string, std::string> texts, Limits limits) : texts_(std::move(texts)), limits_(limits) {}
  /// Throws InputError at `location` if there is no such file. `name`: from the folder of the layout.
  const File& get(const std::string& name, const Location& location);
  [[nodiscard]] const Limits& limits() const { return limits_; }

 private:
  std::map<std::string, std::string> texts_;
  Limits limits_;
  std::map<std::string, std::unique_ptr<File>> parsed_;
};

/// The return, break or continue in progress.
struct Jump {
  const Node* node = nullptr;  ///< the break or continue; null once it has arrived
  Value value;                 ///< that a return or break gives
};

/// A program under evaluation: its files and their values. The language itself is in evaluate.h.
class Evaluator {
 public:
  /// The machine says which architecture it is, and which queues and task ids there are. It outlives the evaluator.
  Evaluator(Files& files, const Mesh& mesh, Host& host);

  /// A new instance of a file. Every given parameter must exist; one that is not given and has no default must not be used.
  Instance& instantiate(const File& file, Value parameters, const Location& location);
  /// In the order in which they were made: the program's own file first.
  [[nodiscard]] Instance& instance(std::size_t index) { return *instances_[index]; }
  [[nodiscard]] std::size_t instance_count() const { return instances_.size(); }
  /// The files that a file imports, before anything is asked of them.
  void evaluate_imports(Instance& instance);
  /// Runs a block at the top of the file.
  void run(Instance& instance, const TopBlock& block);
  /// The comptime blocks of all instances, in the order of their imports.
  void run_comptime_blocks();
  /// Calls a function or task.
  Value call(Instance& instance, const Declaration& function, std::span<const Value> arguments,
             const Location& location);
  /// The value of a declaration, and a variable's for change.
  const Value& global(Instance& instance, std::int32_t index, const Location& location);
  /// The same where it has been evaluated; null elsewhere.
  [[nodiscard]] static const Value* known_global(const Instance& instance, std::int32_t index) {
    const auto i = static_cast<std::size_t>(index);
    return instance.states_[i] == Instance::State::known ? &instance.globals_[i] : nullptr;
  }
  Value& variable(const Variable& variable, const Location& location);
  /// All declarations of a file, so that mistakes in unused ones are found too.
  void evaluate_all(Instance& instance);
  /// The type that a declaration states, null if it states none; of a function: with its parameters.
  TypePtr declared_type(Instance& instance, const Declaration& declaration);

  [[nodiscard]] Files& files() { return files_; }
  [[nodiscard]] const Mesh& mesh() const { return mesh_; }
  [[nodiscard]] Host& host() { return host_; }
  [[nodiscard]] Budget& budget() { return budget_; }
  [[nodiscard]] Jump& jump() { return jump_; }
  [[nodiscard]] Value& local(std::size_t index) { return stack_[index]; }
  /// Whether tasks run now, not the compiler.
  void set_running(bool running) { running_ = running; }
  [[nodiscard]] bool is_running() const { return running_; }

 private:
  class Locals;
  Value value_of(Instance& instance, const Declaration& declaration, const Location& location);
  Value call_anew(Instance& instance, const Declaration& function, std::span<const Value> arguments,
                  const Location& location);
  static bool is_unset(const Instance& instance, const Declaration& declaration);

  Files& files_;
  const Mesh& mesh_;
  Host& host_;
  std::vector<std::unique_ptr<Instance>> instances_;
  std::vector<Value> stack_;  ///< locals of all calls and blocks that run
  Budget budget_;
  bool running_ = false;
  Jump jump_;

  /// Results of pure functions of integers at compile time: a layout asks for the same again and again.
  using Arguments = std::vector<std::int64_t>;
  std::map<std::pair<const Instance*, const Declaration*>, std::map<Arguments, Value>> results_;
  Arguments arguments_;  ///< of the current call
};

/// The value as one of the type, or an error at `location`.
Value coerce(Value value, const Type& type, const Location& location);
/// The same for a value that the compiler knows: an integer fits any type that holds it.
Value coerce_known(Value value, const Type& type, const Location& location);
/// The value as one of the type that another value has.
Value coerce_like(Value value, const Value& old, const Location& location);
/// What a variable of the type holds at first.
Value zero_of(const TypePtr& type, Budget& budget, const Location& location);

/// Descriptors: @get_dsd and what changes them.
Value make_descriptor(const Value& kind, const Value& settings, const Location& location);
Value change_descriptor(Builtin builtin, std::span<const Value> arguments, const Location& location);

/// An integer argument within bounds.
std::int64_t integer_in(const Value& value, std::int64_t least, std::int64_t most, std::string_view what,
                        const Location& location);
/// The text of a string argument.
const std::string& text_of(const Value& value, std::string_view what, const Location& location);
/// `left op right` for integers.
Number combine_integers(BinaryOp op, const Number& left, const Number& right, const Location& location);
/// `left op right` for numbers, booleans and whatever can be compared.
Value combine(BinaryOp op, const Value& left, const Value& right, const Location& location);

}  // namespace muster::wafer::csl
