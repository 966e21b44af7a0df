#pragma once

#include <zlib.h>

#include <filesystem>
#include <string>

namespace gtune::test {

inline void write_gzipped(const std::filesystem::path& file, const std::string& text) {
  gzFile out = gzopen(file.c_str(), "wb");
  gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
  gzclose(out);
}

}  // namespace gtune::test
