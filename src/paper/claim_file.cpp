// Reading claims/*.toml: every kind has its own arguments, and whatever is missing, unknown or unfit is refused.
#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/toml_reader.h"
#include "paper/claims.h"
#include "paper/kinds.h"

namespace muster {
namespace {

constexpr IntegerRange kPes{1, 1'000'000};
constexpr IntegerRange kNodes{1, 1'000'000};
constexpr IntegerRange kCounts{1, 1'000'000'000'000};

std::string filled(const TomlTable& table, const char* key) {
  std::string text = table.string(key);
  if (text.empty()) table.refuse(key, "is empty; write one line");
  return text;
}

const ClaimKind& kind_of(const TomlTable& table) {
  std::vector<std::string> names;
  for (const ClaimKind& kind : claim_kinds()) names.push_back(kind.name);
  const std::string name = table.choice("kind", names);
  const auto at = std::find(names.begin(), names.end(), name) - names.begin();
  return claim_kinds()[static_cast<std::size_t>(at)];
}

bool takes(const ClaimKind& kind, const char* key) {
  return std::find(kind.keys.begin(), kind.keys.end(), key) != kind.keys.end();
}

Collective read_collective(const TomlTable& table) {
  return *collective_from_name(table.choice("collective", collective_names()));
}

/// "group=16" or "order=scf", as --set takes it.
Parameters read_parameters(const TomlTable& table, const char* key) {
  Parameters values;
  if (!table.has(key)) return values;
  for (const std::string& text : table.strings(key)) {
    const std::size_t at = std::min(text.find('='), text.size());
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(std::min(text.data() + at + 1, end), end, value);
    if (at == 0 || at + 1 >= text.size() || error != std::errc() || stop != end) {
      const auto named = at == text.size() ? std::nullopt : named_value(text.substr(0, at), text.substr(at + 1));
      if (!named) table.refuse(key, fmt::format("'{}' is not NAME=NUMBER; use e.g. [\"group=16\"]", text));
      value = *named;
    }
    if (!values.emplace(text.substr(0, at), value).second) {
      table.refuse(key, fmt::format("'{}' is set twice; set it once", text.substr(0, at)));
    }
  }
  return values;
}

/// "sync=handshake" or "compute.start=0 cycles", each name once.
std::vector<std::pair<std::string, std::string>> read_assignments(const TomlTable& table, const char* key,
                                                                  const char* example) {
  std::vector<std::pair<std::string, std::string>> all;
  if (!table.has(key)) return all;
  for (const std::string& text : table.strings(key)) {
    const std::size_t at = text.find('=');
    if (at == std::string::npos || at == 0 || at + 1 == text.size()) {
      table.refuse(key, fmt::format("'{}' is not NAME=VALUE; use e.g. [\"{}\"]", text, example));
    }
    const std::string name = text.substr(0, at);
    if (std::any_of(all.begin(), all.end(), [&](const auto& given) { return given.first == name; })) {
      table.refuse(key, fmt::format("'{}' is set twice; set it once", name));
    }
    all.emplace_back(name, text.substr(at + 1));
  }
  return all;
}

ClaimSetting read_setting(const TomlTable& table, const std::string& prefix) {
  ClaimSetting setting;
  setting.options = read_assignments(table, (prefix + "options").c_str(), "sync=handshake");
  const auto overrides = read_assignments(table, (prefix + "param").c_str(), "compute.start=0 cycles");
  setting.overrides = Overrides(overrides.begin(), overrides.end());
  return setting;
}

/// "512x512"
ClaimShape read_grid(const TomlTable& table, const std::string& text) {
  ClaimShape shape;
  const char* const end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, shape.width);
  const bool crossed = width.ec == std::errc{} && width.ptr != end && *width.ptr == 'x';
  const auto height = crossed ? std::from_chars(width.ptr + 1, end, shape.height) : width;
  if (!crossed || height.ec != std::errc{} || height.ptr != end || shape.width < 1 || shape.height < 1) {
    table.refuse("grids", fmt::format("'{}' is not WIDTHxHEIGHT; use e.g. [\"512x512\"]", text));
  }
  return shape;
}

std::vector<ClaimShape> read_shapes(const TomlTable& table) {
  std::vector<ClaimShape> shapes;
  if (table.has("machines")) return shapes;
  if (table.has("nodes")) {
    for (const char* const other : {"pes", "grids"}) {
      if (table.has(other))
        table.refuse("nodes", fmt::format("is given together with '{}'; give one of the two", other));
    }
    for (const std::int64_t nodes : table.integers("nodes", kNodes)) shapes.push_back({.nodes = nodes});
    return shapes;
  }
  if (table.has("grids")) {
    if (table.has("pes")) table.refuse("grids", "is given together with 'pes'; give one of the two");
    for (const std::string& text : table.strings("grids")) shapes.push_back(read_grid(table, text));
    return shapes;
  }
  for (const std::int64_t pes : table.integers("pes", kPes)) shapes.push_back({static_cast<std::int32_t>(pes), 1});
  return shapes;
}

/// Of clusters, each in the shape of its file.
std::vector<std::string> read_machines(const TomlTable& table) {
  for (const char* const other : {"machine", "pes", "grids"}) {
    if (table.has(other))
      table.refuse("machines", fmt::format("is given together with '{}'; give one of the two", other));
  }
  std::vector<std::string> machines = table.strings("machines");
  if (machines.empty()) table.refuse("machines", "is empty; use e.g. [\"themis-2d-sw-sw\"]");
  return machines;
}

void check_sizes(const TomlTable& table, const ClaimKind& kind, const Claim& claim) {
  const char* const shapes = table.has("grids") ? "grids" : table.has("nodes") ? "nodes" : "pes";
  if (claim.shapes.empty() && !table.has("machines")) table.refuse(shapes, "is empty; use e.g. [512]");
  if (claim.counts.empty()) table.refuse("counts", "is empty; use e.g. [256]");
  if (kind.sizes == ClaimKind::Sizes::many) return;
  if (table.has("machines") && claim.machines.size() != 1) {
    table.refuse("machines", fmt::format("kind {} takes one machine; give one", kind.name));
  }
  if (claim.shapes.size() != 1 && table.has("grids")) {
    table.refuse("grids", fmt::format("kind {} takes one grid; use e.g. [\"4x4\"]", kind.name));
  }
  if (claim.shapes.size() != 1 && !table.has("machines")) {
    table.refuse(shapes, fmt::format("kind {} takes one number; use e.g. [512]", kind.name));
  }
  if (kind.sizes == ClaimKind::Sizes::one && claim.counts.size() != 1) {
    table.refuse("counts", fmt::format("kind {} takes one number; use e.g. [256]", kind.name));
  }
  const bool range = claim.counts.size() == 2 && claim.counts[0] <= claim.counts[1];
  if (kind.sizes == ClaimKind::Sizes::range && !range) {
    table.refuse("counts", fmt::format("kind {} takes the least and the most; use e.g. [1, 8192]", kind.name));
  }
}

Basis read_basis(const TomlTable& table) {
  const std::vector<std::string> names{"formula", "model", "simulation", "prediction"};
  const auto found = std::find(names.begin(), names.end(), table.choice("by", names));
  return static_cast<Basis>(found - names.begin());
}

Take read_take(const TomlTable& table) {
  const std::vector<std::string> names{"largest", "smallest", "mean"};
  const std::string name = table.choice("take", names);
  return name == names[0] ? Take::largest : name == names[1] ? Take::smallest : Take::mean;
}

/// What a kind may take, and its own value where nothing is said.
void read_options(const TomlTable& table, const ClaimKind& kind, Claim& claim) {
  const auto given = [&](const char* key) {
    return std::find(kind.optional.begin(), kind.optional.end(), key) != kind.optional.end() && table.has(key);
  };
  claim.by = given("by") ? read_basis(table) : kind.by;
  if (given("take")) claim.take = read_take(table);
  if (given("step")) claim.step = table.integer("step", kCounts);
  if (given("bound")) claim.bound = filled(table, "bound");
  if (given("rank")) claim.rank = static_cast<NodeId>(table.integer("rank", {0, kPes.most}));
}

/// Of a training iteration: what is trained where, under which scheduler.
void read_training(const TomlTable& table, Claim& claim) {
  claim.workload = filled(table, "workload");
  claim.algorithm = filled(table, "algorithm");
  claim.parameters = read_parameters(table, "set");
  claim.machines = read_machines(table);
  if (table.has("take")) claim.take = read_take(table);
  if (table.has("batch")) claim.batch = table.integer("batch", {1, training::kMostBatch});
  if (!table.has("faster")) return;
  claim.faster = table.number("faster");
  if (claim.faster <= 0) table.refuse("faster", fmt::format("{} is not positive", table.described("faster")));
}

/// Of a shot: an example, and keys of its file that are replaced.
void read_shot_claim(const TomlTable& table, const ClaimKind& kind, Claim& claim) {
  claim.shot = filled(table, "shot");
  const auto keys = read_assignments(table, "set", "grid=100x100x100");
  claim.keys = {keys.begin(), keys.end()};
  if (takes(kind, "value")) claim.value = table.choice("value", shot_values());
  if (kind.name != "shot_ratio" && kind.name != "shot_speedup") return;
  const auto others = read_assignments(table, "other_set", "propagator=elastic_iso");
  claim.other_keys = {others.begin(), others.end()};
}

void read_stencil_claim(const TomlTable& table, Claim& claim) {
  claim.value = table.choice("value", stencil_values());
  if (table.has("cells")) claim.cells = table.integer("cells", {1, 1'000'000});
}

void read_arguments(const TomlTable& table, const ClaimKind& kind, Claim& claim) {
  if (kind.sizes == ClaimKind::Sizes::stencil) return read_stencil_claim(table, claim);
  if (kind.sizes == ClaimKind::Sizes::shot) return read_shot_claim(table, kind, claim);
  if (kind.sizes == ClaimKind::Sizes::training) return read_training(table, claim);
  claim.collective = read_collective(table);
  if (takes(kind, "algorithm")) {
    claim.algorithm = filled(table, "algorithm");
    claim.parameters = read_parameters(table, "set");
  }
  if (takes(kind, "other")) {
    claim.other = filled(table, "other");
    claim.other_parameters = read_parameters(table, "other_set");
    claim.other_setting = read_setting(table, "other_");
    if (table.has("other_machine")) claim.other_machine = filled(table, "other_machine");
  }
  if (takes(kind, "part")) claim.part = filled(table, "part");
  if (takes(kind, "among")) claim.among = table.strings("among");
  const std::size_t least = kind.name == "colors" ? 1 : 2;
  if (takes(kind, "among") && claim.among.size() < least) table.refuse("among", "needs more algorithms");
  if (takes(kind, "from")) claim.from = table.choice("from", claim.among);
  if (takes(kind, "to")) claim.to = table.choice("to", claim.among);
  if (table.has("machine")) claim.machines = {filled(table, "machine")};
  if (table.has("machines")) claim.machines = read_machines(table);
  claim.shapes = read_shapes(table);
  claim.counts = table.integers("counts", kCounts);
  check_sizes(table, kind, claim);
  read_options(table, kind, claim);
  claim.setting = read_setting(table, "");
  if (table.has("calls")) claim.calls = static_cast<int>(table.integer("calls", {1, 1000}));
  if (table.has("type")) claim.type = *type_from_name(table.choice("type", type_names()));
}

Tolerance read_tolerance(const TomlTable& table) {
  const bool absolute = table.has("tolerance");
  const bool relative = table.has("tolerance_percent");
  if (absolute && relative)
    table.refuse("tolerance_percent", "is given together with 'tolerance'; give one of the two");
  if (!absolute && !relative) return {};
  const char* const key = absolute ? "tolerance" : "tolerance_percent";
  const double value = table.number(key);
  if (value < 0) table.refuse(key, fmt::format("{} is negative; use 0 or more", value));
  return absolute ? Tolerance{value, false} : Tolerance{value / 100, true};
}

Relation read_relation(const TomlTable& table) {
  if (!table.has("relation")) return Relation::equal;
  const std::vector<std::string> names{"equal", "at least", "at most"};
  const std::string name = table.choice("relation", names);
  return name == names[0] ? Relation::equal : name == names[1] ? Relation::at_least : Relation::at_most;
}

void read_expectation(const TomlTable& table, const ClaimKind& kind, Claim& claim) {
  if (kind.names) {
    claim.expected_names =
        claim.kind == "winner" ? std::vector{table.choice("expected", claim.among)} : table.strings("expected");
    return;
  }
  claim.expected = table.number("expected");
  claim.relation = read_relation(table);
  claim.tolerance = read_tolerance(table);
}

Claim read_claim(const TomlTable& table) {
  Claim claim;
  claim.id = filled(table, "id");
  claim.section = filled(table, "section");
  claim.statement = filled(table, "statement");
  claim.source = table.choice("source", claim_sources());
  const ClaimKind& kind = kind_of(table);
  claim.kind = kind.name;
  read_arguments(table, kind, claim);
  read_expectation(table, kind, claim);
  claim.explanation = table.string("explanation");
  claim.holds = table.boolean("holds");
  if (!claim.holds && claim.explanation.empty()) table.refuse("explanation", "is empty; a known difference needs one");
  return claim;
}

}  // namespace

const std::vector<std::string>& claim_sources() {
  static const std::vector<std::string> sources{"paper", "lemma", "ours"};
  return sources;
}

ClaimFile parse_claims(std::string_view text, const std::string& file) {
  const TomlDocument document(text, file);
  const TomlTable root = document.root();
  ClaimFile result;
  result.name = std::filesystem::path(file).stem().string();
  result.paper = filled(root, "paper");
  if (root.has("machine")) result.machine = filled(root, "machine");
  std::set<std::string> ids;
  for (const TomlTable& table : root.tables("claim")) {
    result.claims.push_back(read_claim(table));
    const std::string& id = result.claims.back().id;
    const Claim& claim = result.claims.back();
    if (result.machine.empty() && claim.shot.empty() && claim.machines.empty()) {
      table.refuse("kind", fmt::format("{} needs a machine; say which, here or at the top", claim.kind));
    }
    if (!ids.insert(id).second) table.refuse("id", fmt::format("'{}' is used twice; give each claim its own", id));
  }
  document.finish();
  return result;
}

ClaimFile load_claims(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) reject("{}: cannot be read", file.string());
  std::ostringstream text;
  text << in.rdbuf();
  return parse_claims(text.str(), file.string());
}

std::vector<std::filesystem::path> claim_files(const std::filesystem::path& data) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(data / "claims", error)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace muster
