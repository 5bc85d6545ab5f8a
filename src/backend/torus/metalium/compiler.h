// The host's C++ compiler, which turns files for TT-Metalium into shared objects, with the stand-in's headers (share/metalium).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace muster::torus {

/// A shared object in use.
class LoadedObject {
 public:
  explicit LoadedObject(const std::filesystem::path& file);
  ~LoadedObject();
  LoadedObject(LoadedObject&& other) noexcept;
  LoadedObject(const LoadedObject&) = delete;
  LoadedObject& operator=(const LoadedObject&) = delete;
  LoadedObject& operator=(LoadedObject&&) = delete;

  /// Null if it has none of that name.
  [[nodiscard]] void* symbol(const char* name) const;

 private:
  void* handle_ = nullptr;
};

struct CompileRequest {
  std::filesystem::path source;
  std::string text = {};                      ///< the source itself, where `source` is no file but a name
  std::filesystem::path headers = {};         ///< of the stand-in
  std::vector<std::string> definitions = {};  ///< "NAME=VALUE"
};

/// Compiles and loads a file, and leaves nothing behind, however the process ends. The compiler is CXX of the environment, or g++. Throws
/// InputError: there is none; or the first error of the file with its line, where a call that the stand-in does not have is named.
LoadedObject compile(const CompileRequest& request);

}  // namespace muster::torus
