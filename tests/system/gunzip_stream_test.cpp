#include "system/gunzip_stream.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "support/gzip_file.hpp"
#include "support/temporary_folder.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using test::write_gzipped;

std::string contents_of(const fs::path& file) {
  GunzipStream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string complaint(const fs::path& file) {
  try {
    (void)contents_of(file);
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ExitCode::failed);
    return error.what();
  }
  return "";
}

/// Longer than a block of the stream.
std::string long_text() {
  std::string text;
  for (int i = 0; text.size() < 200000; ++i) text += std::to_string(i * i) + "\n";
  return text;
}

TEST(GunzipStream, ReadsAFileGzippedOrNot) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "file";
  for (const std::string& text : {std::string(), std::string("one line\n"), long_text()}) {
    std::ofstream(file) << text;
    EXPECT_EQ(contents_of(file), text);
    EXPECT_FALSE(GunzipStream(file).is_gzipped());
    write_gzipped(file, text);
    EXPECT_EQ(contents_of(file), text);
    EXPECT_TRUE(GunzipStream(file).is_gzipped());
  }
}

TEST(GunzipStream, SaysThatAFileIsDamaged) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "file.gz";
  write_gzipped(file, long_text());
  std::ifstream in(file, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  std::string changed = whole;
  changed[whole.size() / 2] ^= 0x55;
  for (const std::string& bytes : {whole.substr(0, 11), whole.substr(0, whole.size() / 2),
                                   whole.substr(0, whole.size() - 1), changed}) {
    std::ofstream(file, std::ios::binary) << bytes;
    EXPECT_EQ(complaint(file), file.string() + ": damaged: it does not decompress to its end");
  }
}

TEST(GunzipStream, SaysWhyAFileCannotBeRead) {
  const TemporaryFolder folder;
  const fs::path none = folder.path() / "none";
  EXPECT_EQ(complaint(none), none.string() + ": cannot be read: No such file or directory");
  EXPECT_EQ(complaint(folder.path()), folder.path().string() + ": cannot be read: it is a folder");
}

}  // namespace
}  // namespace gtune
