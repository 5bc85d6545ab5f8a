// Claims: figures of papers that we reproduce, one file of claims/ per paper. A claim says how its figure is computed
// (its kind and arguments), what is expected and who says so, and how far we may be off. docs/claims.md is the form of a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/training/workload.h"
#include "collective/algorithm.h"
#include "machine/loader.h"
#include "result/answer.h"
#include "schedule/arithmetic.h"
#include "schedule/contract.h"

namespace muster {

struct Simulations;

/// How what we computed must relate to what is expected.
enum class Relation { equal, at_least, at_most };

struct Tolerance {
  double value = 0;
  bool relative = false;  ///< a fraction of the expected value
};

/// How a time is found: by the source's formula, by the paper's model on the schedule, by simulation, or as we predict it, also
/// where schedules would be too large to be written out.
enum class Basis { formula, model, simulation, prediction };

/// Which one of the values at many sizes is compared, or their mean.
enum class Take { largest, smallest, mean };

struct ClaimShape {
  std::int32_t width = 1;
  std::int32_t height = 1;
  std::int64_t nodes = 0;  ///< of a hyperx instead; 0: it is none
  bool operator==(const ClaimShape&) const = default;
};

/// What the command line says of a run beside its size and algorithm.
struct ClaimSetting {
  std::vector<std::pair<std::string, std::string>> options;  ///< of the machine's family: "sync" and "handshake"
  Overrides overrides;                                       ///< of the machine's file
};

struct Claim {
  std::string id;
  std::string section;
  std::string statement;
  std::string source;  ///< of what is expected; one of claim_sources()
  std::string kind;    ///< one of claim_kinds()
  Collective collective = Collective::reduce;
  std::string algorithm;
  std::vector<std::string> machines;  ///< empty: the file's
  std::string workload;               ///< training_speedup: its name
  double faster = 1;                  ///< training_speedup: how many times as fast NPUs compute
  std::int64_t batch = 0;             ///< training_speedup, training_wait: samples per NPU; 0: as the workload says
  std::string part;                   ///< time_part: its name
  std::string other;                  ///< ratio, difference: what `algorithm` is compared with
  std::string bound;                  ///< bound_ratio: its name; empty: the largest that is proven
  std::vector<std::string> among;     ///< winner, order, crossover, ratio_to_best, colors: the candidates
  std::string from, to;               ///< crossover: the winners before and after it
  std::vector<ClaimShape>
      shapes;  ///< rows (`pes`), grids or nodes; empty: of clusters, which have the shape of their files
  std::vector<std::int64_t> counts;  ///< elements of the vector; crossover, order: the least and the most
  std::int64_t step = 1;             ///< crossover, order: from one count to the next
  Basis by = Basis::formula;
  Take take = Take::largest;
  Parameters parameters;        ///< of the algorithm, where the default will not do
  Parameters other_parameters;  ///< of `other`
  ElementType type = ElementType::f32;
  ClaimSetting setting;
  ClaimSetting other_setting;                     ///< of `other`; what it leaves out is as in `setting`
  std::string other_machine;                      ///< of `other`; empty: the same
  int calls = 1;                                  ///< by simulation: so many follow each other, and the last one counts
  std::optional<NodeId> rank;                     ///< hops: of this one; none: of all
  std::string shot;                               ///< kinds of shots: the name of an example
  std::map<std::string, std::string> keys;        ///< of its file, replaced
  std::map<std::string, std::string> other_keys;  ///< of the shot that it is compared with
  std::string value;                              ///< shot_value, stencil_value: its name
  std::int64_t cells = 1000;                      ///< stencil_value: along z
  double expected = 0;                            ///< kinds that compute a number
  std::vector<std::string> expected_names;        ///< kinds that compute names
  Relation relation = Relation::equal;
  Tolerance tolerance;
  bool holds = true;  ///< false: a known difference, with its explanation
  std::string explanation;
  Simulations* simulations = nullptr;  ///< while it is checked: those of ClaimData
};

struct ClaimFile {
  std::string name;  ///< of the file, without .toml
  std::string paper;
  std::string machine;
  std::vector<Claim> claims;
};

/// Who says what is expected: the paper itself; somebody who put numbers into the paper's lemma; we ourselves.
const std::vector<std::string>& claim_sources();

/// How a kind of claim is computed, and which arguments it takes.
struct ClaimKind {
  /// Of `pes` or `grids`, and `counts`: one of each; any number; one shape and a range of counts; none, but several clusters
  /// and a workload; none, but a shot; none, but the name of a value.
  enum class Sizes { one, many, range, training, shot, stencil };
  std::string name;
  std::vector<std::string> keys;      ///< needed beside the common ones
  std::vector<std::string> optional;  ///< that it may take
  Sizes sizes = Sizes::one;
  bool names = false;         ///< its answer is names, not a number
  std::string unit;           ///< behind a number: " cycles", "x", ...
  Basis by = Basis::formula;  ///< unless the claim says otherwise
};
const std::vector<ClaimKind>& claim_kinds();

ClaimFile load_claims(const std::filesystem::path& file);
/// The same from text; `file` is used in messages and for the name.
ClaimFile parse_claims(std::string_view text, const std::string& file);

/// Every claim file of a data folder (its claims/*.toml), by name.
std::vector<std::filesystem::path> claim_files(const std::filesystem::path& data);

/// A machine by its name, with values that replace those of its file.
struct ClaimMachine {
  std::string name;
  Overrides overrides;
  auto operator<=>(const ClaimMachine&) const = default;
};
/// The machines that a claim is about. If `other` runs on others, they come behind, in the same order.
std::vector<ClaimMachine> machines_of(const Claim& claim, const ClaimFile& file);
/// Whether they do.
bool has_other_machines(const Claim& claim);
/// What is changed of the machine that `other` runs on. Values for one machine say nothing about another.
Overrides other_overrides(const Claim& claim);

/// What a claim names that lies in files of its own.
struct ClaimData {
  const training::Workload* workload = nullptr;
  std::string shot;                    ///< the text of its file
  Simulations* simulations = nullptr;  ///< shared with the other claims that are checked; null: none are
};

/// Computes one claim on its machines, in the order of machines_of(), with its workload or shot where it names one.
ClaimAnswer check_claim(const Claim& claim, const ClaimFile& file, const std::vector<Machine>& machines,
                        const ClaimData& data = {});

}  // namespace muster
