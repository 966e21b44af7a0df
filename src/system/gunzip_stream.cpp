#include "system/gunzip_stream.hpp"

#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <streambuf>
#include <string>

namespace gtune {

class GunzipStream::Buffer : public std::streambuf {
 public:
  explicit Buffer(const std::filesystem::path& file)
      : m_name(file.string()), m_file(gzopen(file.c_str(), "rb")) {}
  ~Buffer() override {
    if (m_file != nullptr) gzclose_r(m_file);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  [[nodiscard]] bool is_open() const { return m_file != nullptr; }
  [[nodiscard]] bool is_gzipped() const { return gzdirect(m_file) == 0; }

 protected:
  int_type underflow() override {
    const int got = gzread(m_file, m_block.data(), static_cast<unsigned>(m_block.size()));
    int code = Z_OK;
    (void)gzerror(m_file, &code);
    if (got < 0 || code == Z_BUF_ERROR) {
      throw UserError(ExitCode::failed, m_name + ": damaged: it does not decompress to its end");
    }
    if (got == 0) return traits_type::eof();
    setg(m_block.data(), m_block.data(), m_block.data() + got);
    return traits_type::to_int_type(m_block.front());
  }

 private:
  std::string m_name;
  gzFile m_file;
  std::array<char, std::size_t{1} << 16U> m_block{};
};

GunzipStream::GunzipStream(const std::filesystem::path& file, ExitCode otherwise)
    : std::istream(nullptr), m_buffer(std::make_unique<Buffer>(file)) {
  if (!m_buffer->is_open()) {
    throw UserError(otherwise, file.string() + ": cannot be read: " + std::strerror(errno));
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    throw UserError(otherwise, file.string() + ": cannot be read: it is a folder");
  }
  rdbuf(m_buffer.get());
  exceptions(badbit);  // what the buffer throws is thrown on
}

GunzipStream::~GunzipStream() = default;

bool GunzipStream::is_gzipped() const { return m_buffer->is_gzipped(); }

}  // namespace gtune
