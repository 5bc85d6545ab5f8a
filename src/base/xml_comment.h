// Commands in comments of XML.
#pragma once

#include <string>
#include <string_view>

namespace muster {

/// The command as a comment may hold it: two hyphens must not stand side by side there. With '' between them, or within quotes,
/// a shell reads the same words.
std::string xml_comment(std::string_view command);

}  // namespace muster
