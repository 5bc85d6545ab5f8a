// What a shot file says about an adjoint run: where its gathers are.
#include <algorithm>
#include <array>

#include "app/seismic/observed.h"
#include "app/seismic/shot_file/reader.h"
#include "base/counted.h"
#include "base/one_line.h"

namespace muster::seismic {
namespace {

const std::array<std::string, 2> kModes{"forward", "adjoint"};
const std::array<std::string, 3> kPlaceholders{"{shot}", "{receivers}", "{field}"};

void check_placeholders(const TomlTable& table, const std::string& path) {
  for (std::size_t at = path.find('{'); at != std::string::npos; at = path.find('{', at + 1)) {
    const std::string word = path.substr(at, path.find('}', at) - at + 1);
    if (std::ranges::count(kPlaceholders, word) > 0) continue;
    table.refuse("gathers",
                 fmt::format("'{}' stands for nothing; use {{shot}}, {{receivers}} and {{field}}", one_line(word, 40)));
  }
}

/// Where there are several of something, their files must differ in it.
void check_named(const TomlTable& table, const std::string& path, const std::string& placeholder, std::size_t count,
                 std::string_view what) {
  if (count < 2 || path.find(placeholder) != std::string::npos) return;
  table.refuse("gathers", fmt::format("'{}' is one file for {} {}; put {} where their names differ", one_line(path),
                                      grouped(static_cast<std::int64_t>(count)), what, placeholder));
}

void check_names(const TomlTable& table, const Shot& shot) {
  const std::string& path = shot.adjoint.gathers;
  check_placeholders(table, path);
  std::size_t fields = 0;
  for (const ReceiverSet& set : shot.receivers) fields = std::max(fields, set.fields.size());
  check_named(table, path, "{shot}", static_cast<std::size_t>(shot.repetition.count), "shots");
  check_named(table, path, "{receivers}", shot.receivers.size(), "sets of receivers");
  check_named(table, path, "{field}", fields, "fields");
}

}  // namespace

void read_adjoint(const TomlTable& root, const std::filesystem::path& folder, Shot& shot) {
  if (root.has("mode") && root.choice("mode", kModes) == "adjoint") shot.mode = Mode::adjoint;
  const TomlTable table = root.table("adjoint");
  // A forward run of the same file looks at nothing but the key.
  if (shot.mode == Mode::forward && !table.has("gathers")) return;
  shot.adjoint.gathers = table.string("gathers");
  if (shot.mode == Mode::forward) return;
  if (shot.receivers.empty())
    root.refuse("receivers", "is missing; an adjoint run begins with what receivers recorded");
  check_names(table, shot);
  shot.adjoint.gathers = (folder / shot.adjoint.gathers).string();
  shot.adjoint.fingerprint = observed_fingerprint(shot);
}

}  // namespace muster::seismic
