// From a machine file's text to a Machine.
#include "machine/loader.h"

#include "base/error.h"
#include "base/file.h"
#include "base/one_line.h"
#include "base/toml_reader.h"
#include "machine/family.h"
#include "machine/keys.h"

namespace muster {
namespace {

Machine read_machine(std::string_view text, const std::string& file, const Overrides& overrides) {
  const TomlDocument document(text, file, overrides);
  const TomlTable root = document.root();
  std::vector<std::string> names;
  for (const Family* const family : families()) names.emplace_back(family->name());
  require_family(root);
  const std::string family_name = root.choice("family", names);
  Machine machine;
  machine.name = std::filesystem::path(file).stem().string();
  for (const Family* const family : families()) {
    if (family->name() == family_name) machine.network = family->read(root);
  }
  machine.summary = root.string("summary");
  if (machine.summary.empty()) root.refuse("summary", "must not be empty");
  document.finish();
  return machine;
}

std::string typed(const Overrides& overrides) {
  std::vector<std::string> all;
  for (const auto& [key, value] : overrides) all.push_back(one_line(fmt::format("--param {}={}", key, value)));
  return fmt::format("{}", fmt::join(all, " "));
}

}  // namespace

Machine parse_machine(std::string_view text, const std::string& file, const Overrides& overrides) {
  try {
    return read_machine(text, file, overrides);
  } catch (const InputError& error) {
    const std::string message = error.what();
    if (overrides.empty() || message.starts_with("--param")) throw;
    // The message names the file. This call throws if the file alone is wrong; otherwise an override is.
    (void)read_machine(text, file, {});
    reject("{} (with {})", message, typed(overrides));
  }
}

Machine load_machine(const std::filesystem::path& file, const Overrides& overrides) {
  return parse_machine(read_file(file), file.string(), overrides);
}

}  // namespace muster
