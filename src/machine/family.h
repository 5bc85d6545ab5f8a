// The description of a family of machines. Higher layers use this interface and never a concrete family; a new family is one
// class derived from it and one line in registry.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/flag_texts.h"
#include "base/numbers.h"
#include "base/toml_reader.h"
#include "machine/keys.h"
#include "machine/machine.h"
#include "result/fact.h"
#include "result/time_base.h"

namespace muster {

struct TimingKey;

/// The words of a family, for messages and tables.
struct FamilyWords {
  std::string_view rank;                 ///< "PE", "core", "NPU"
  std::string_view shape_unit;           ///< what the shape counts: "PE", "node", "NPU"
  std::string_view shape_key;            ///< of the shape in JSON: "grid", "nodes", "dimensions"
  std::string_view shape_title;          ///< of a table's column: "grid", "nodes", "NPUs"
  bool shape_is_number = false;          ///< in JSON; else a list of sizes
  std::string_view channel = "channel";  ///< the virtual channels of a link: "color", "collective id"
  std::string_view swept = {};           ///< the parameter of algorithms that a sweep shows for each size: "chunks"
};

class Family {
 public:
  Family() = default;
  virtual ~Family() = default;
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;

  /// As machine files write it.
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual FamilyWords words() const = 0;
  /// The types of elements that its processors compute with.
  [[nodiscard]] virtual std::vector<std::string_view> types() const { return {"f32", "f16", "i32"}; }
  /// Reads the family's keys from the root of a file and checks that the values fit together. Throws InputError.
  [[nodiscard]] virtual Network read(const TomlTable& root) const = 0;
  /// What its machine files may say, those of the root first, then table by table.
  [[nodiscard]] virtual std::span<const MachineKey> keys() const = 0;
  /// The values of a machine's file that its times depend on, in the order of the file, with others to try instead; none
  /// where times of the family are not modelled.
  [[nodiscard]] virtual std::vector<TimingKey> timing_keys(const Machine& machine) const;

  // Nodes, links and routes: the contracts of routing.h. Nodes are in range.
  [[nodiscard]] virtual NodeId ranks(const Network& network) const = 0;
  [[nodiscard]] virtual NodeId nodes(const Network& network) const = 0;
  [[nodiscard]] virtual bool combines(const Network& network, NodeId node) const = 0;
  [[nodiscard]] virtual bool stores(const Network& network, NodeId node) const { return combines(network, node); }
  [[nodiscard]] virtual bool has_link(const Network& network, NodeId from, NodeId to) const = 0;
  [[nodiscard]] virtual std::vector<NodeId> route(const Network& network, NodeId from, NodeId to) const = 0;
  [[nodiscard]] virtual std::int64_t hops(const Network& network, NodeId from, NodeId to) const = 0;
  /// Whether every default route uses only existing links; otherwise the verifier checks each.
  [[nodiscard]] virtual bool default_routes_are_whole(const Network& /*network*/) const { return true; }
  [[nodiscard]] virtual std::int64_t buffered_words(const Network& network) const = 0;
  [[nodiscard]] virtual std::string node_text(const Network& network, NodeId node) const = 0;
  /// A rank as users write it: "(3,0)" if ranks have coordinates, otherwise its number.
  [[nodiscard]] virtual std::string rank_text(const Network& network, NodeId rank) const;
  /// The rank of coordinates that a user typed, "3,0"; throws InputError where the family has none.
  [[nodiscard]] virtual NodeId rank_at(const Machine& machine, const std::string& text, const NumberRule& rule) const;

  /// Whether the ranks are a row or a column, in the order of their numbers.
  [[nodiscard]] virtual bool is_line(const Network& /*network*/) const { return false; }
  /// Some ranks from the first one to the middle of the machine, which is the last: ranks beyond it mirror others. Only the
  /// first where all ranks are alike, or none is known to be.
  [[nodiscard]] virtual std::vector<NodeId> ranks_to_the_middle(const Network& /*network*/) const { return {0}; }

  [[nodiscard]] virtual TimeBase time_base(const Network& network) const = 0;
  /// Of one rank; nothing: not limited.
  [[nodiscard]] virtual std::optional<Bytes> memory_per_rank(const Network& /*network*/) const { return std::nullopt; }

  /// Sizes of the shape in use, as JSON has them.
  [[nodiscard]] virtual std::vector<std::int64_t> shape(const Network& network) const = 0;
  /// As people write it: "512x1", "4x4 nodes", "16x8x8".
  [[nodiscard]] virtual std::string shape_text(const Network& network) const;
  /// As the flags of the shape take it: "512x1", "16".
  [[nodiscard]] virtual std::string shape_flag_text(const Network& network) const;

  /// The flags that are for this family: of its shape, its options, and keys of its machine file.
  [[nodiscard]] virtual std::span<const std::string_view> flags() const = 0;
  [[nodiscard]] bool takes(std::string_view flag) const;
  /// Those of them that stand for a key of the machine file: --accounting.
  [[nodiscard]] virtual std::vector<std::string_view> key_flags() const { return {}; }
  /// The machine in the shape that the flags ask for. Throws InputError where a shape is needed and missing, or does not fit.
  [[nodiscard]] virtual Machine shaped(Machine machine, const FlagTexts& /*flags*/) const { return machine; }
  /// The machine in each of several shapes, for a sweep: flags take lists and ranges there.
  [[nodiscard]] virtual std::vector<Machine> shapes(const Machine& machine, const FlagTexts& /*flags*/) const {
    return {machine};
  }
  /// The options of this family from the flags, checked.
  [[nodiscard]] virtual Options options(const Machine& /*machine*/, const FlagTexts& /*flags*/) const { return {}; }
  /// The first rank that takes part: the root if none is given.
  [[nodiscard]] virtual NodeId first_rank(const Machine& /*machine*/, const Options& /*options*/) const { return 0; }
  /// Throws InputError if options that did not come from flags do not fit the machine.
  virtual void check_options(const Machine& /*machine*/, const Options& /*options*/) const {}
  /// The part of a budget that the options keep free for the user's own program: "3 reserved colors"; empty: none.
  [[nodiscard]] virtual std::string reserved_text(const Options& /*options*/) const { return ""; }
  /// What a question shows of the machine's shape and of the options, and the keys of its facts.
  [[nodiscard]] virtual FamilyFacts facts(const Machine& /*machine*/, const Options& /*options*/) const { return {}; }
  [[nodiscard]] virtual std::vector<std::string_view> fact_keys() const { return {}; }
};

/// What FamilyOf<T> needs beside it: rank_count, node_count, linked, default_route and default_hops of a T.
template <class T>
class FamilyOf : public Family {
 public:
  [[nodiscard]] NodeId ranks(const Network& network) const override { return rank_count(own(network)); }
  [[nodiscard]] NodeId nodes(const Network& network) const override { return node_count(own(network)); }
  [[nodiscard]] bool has_link(const Network& network, NodeId from, NodeId to) const override {
    return linked(own(network), from, to);
  }
  [[nodiscard]] std::vector<NodeId> route(const Network& network, NodeId from, NodeId to) const override {
    return default_route(own(network), from, to);
  }
  [[nodiscard]] std::int64_t hops(const Network& network, NodeId from, NodeId to) const override {
    return default_hops(own(network), from, to);
  }

 protected:
  static const T& own(const Network& network) { return *network.as<T>(); }
  static const T& own(const Machine& machine) { return own(machine.network); }
};

/// Every family, in the order of registry.cpp.
std::span<const Family* const> families();

/// The families that have this flag; empty: all.
std::vector<const Family*> families_with(std::string_view flag);

/// Throws InputError: "wormhole-n150 is a torus, and there are no algorithms for a torus yet; use a cluster or a mesh", where `what` is
/// "are no algorithms" and `has_it` the families that have some.
[[noreturn]] void reject_missing(const Machine& machine, std::string_view what,
                                 std::span<const std::string_view> has_it);
/// The same for a flag or a command: "--csl: piuma is a hyperx; --csl needs a mesh".
[[noreturn]] void reject_family(const Machine& machine, std::string_view what,
                                std::span<const std::string_view> has_it);

}  // namespace muster
