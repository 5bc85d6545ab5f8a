#include <filesystem>

#include "app/seismic/shot_file/reader.h"

namespace muster::seismic {

Shot read_shot(std::string_view text, const std::string& file, const std::map<std::string, std::string>& overrides) {
  const TomlDocument document(text, file, overrides, "--set");
  const TomlTable root = document.root();
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  Shot shot;
  shot.name = std::filesystem::path(file).stem().string();
  if (root.has("title")) shot.title = root.string("title");
  read_grid(root, shot);
  read_model(root, folder, shot);
  read_boundaries(root, shot);
  read_time(root, overrides, shot);
  read_repetition(root, shot);
  read_sources(root, folder, shot);
  read_receivers(root, shot);
  read_adjoint(root, folder, shot);
  read_outputs(root, shot);
  document.finish();
  return shot;
}

}  // namespace muster::seismic
