#include "spec/texture_reader.hpp"

#include <stdexcept>

namespace gtune {
namespace {

using Kind = TomlValue::Kind;

class TextureReader {
 public:
  TextureReader(const SpecContext& context, const TomlValue& table, const std::string& what)
      : m_context(context), m_table(table), m_what(what) {}

  TextureSpec read() {
    m_context.expect_keys(m_table, m_what,
                          {"name", "type", "of", "extent", "channels", "filter", "address",
                           "normalized_coordinates", "normalized_values", "linear_memory"});
    TextureSpec texture = read_texels();
    read_word("filter", "point or linear", texture.filter, &texture_filter_from_string);
    read_word("address", "wrap, clamp, mirror or border", texture.address,
              &texture_address_from_string);
    texture.normalized_coordinates = flag("normalized_coordinates");
    texture.normalized_values = flag("normalized_values");
    texture.linear_memory = flag("linear_memory");
    if (texture.linear_memory) require_plain(texture);
    const bool repeats =
        texture.address == TextureAddress::wrap || texture.address == TextureAddress::mirror;
    if (repeats && !texture.normalized_coordinates) {
      m_context.fail(m_table.find("address")->place,
                     key("address") + " is '" + m_table.find("address")->text +
                         "', which needs normalized_coordinates = true");
    }
    return texture;
  }

  TextureSpec read_surface() {
    m_context.expect_keys(m_table, m_what, {"name", "type", "of", "extent", "channels"});
    TextureSpec surface = read_texels();
    surface.is_surface = true;
    return surface;
  }

 private:
  /// tex1Dfetch takes an integer and returns that element.
  void require_plain(const TextureSpec& texture) {
    const std::string whose = m_what + " is of linear memory";
    if (texture.extent.size() != 1) {
      m_context.fail(m_table.place, whose + "; expected one dimension");
    }
    if (texture.filter == TextureFilter::linear) {
      m_context.fail(m_table.find("filter")->place,
                     whose + ", which has no filter; expected filter = \"point\"");
    }
    if (texture.normalized_coordinates) {
      m_context.fail(m_table.find("normalized_coordinates")->place,
                     whose + ", which is read by index; expected no normalized_coordinates");
    }
  }

  TextureSpec read_texels() {
    TextureSpec texture;
    texture.of =
        m_context.expect(m_context.require(m_table, "of", m_what), Kind::string, key("of")).text;
    read_extent(texture);
    read_channels(texture);
    return texture;
  }

  [[nodiscard]] std::string key(const std::string& name) const {
    return "'" + name + "' of " + m_what;
  }

  void read_extent(TextureSpec& texture) {
    const TomlValue& list = m_context.require(m_table, "extent", m_what);
    m_context.expect(list, Kind::array, key("extent"));
    if (list.items.empty() || list.items.size() > most_texture_dimensions) {
      m_context.fail(list.place, key("extent") + " has " + std::to_string(list.items.size()) +
                                     " dimensions; expected width, height and depth, 1 to 3");
    }
    for (const TomlValue& item : list.items) {
      texture.extent.push_back(m_context.expression(item, key("extent"), Depends::on_anything));
    }
  }

  void read_channels(TextureSpec& texture) {
    const TomlValue* channels = m_table.find("channels");
    if (channels == nullptr) return;
    texture.channels = m_context.expect(*channels, Kind::integer, key("channels")).integer;
    if (texture.channels == 1 || texture.channels == 2 || texture.channels == 4) return;
    m_context.fail(channels->place, key("channels") + " is " + std::to_string(texture.channels) +
                                        "; expected 1, 2 or 4 elements of a texel");
  }

  template <typename T>
  void read_word(const char* name, const char* expected, T& out, T (*from)(std::string_view)) {
    const TomlValue* word = m_table.find(name);
    if (word == nullptr) return;
    m_context.expect(*word, Kind::string, key(name));
    try {
      out = from(word->text);
    } catch (const std::invalid_argument&) {
      m_context.fail(word->place, key(name) + " is '" + word->text + "'; expected " + expected);
    }
  }

  bool flag(const char* name) {
    const TomlValue* value = m_table.find(name);
    return value != nullptr && m_context.expect(*value, Kind::boolean, key(name)).boolean;
  }

  const SpecContext& m_context;
  const TomlValue& m_table;
  const std::string& m_what;
};

}  // namespace

TextureSpec read_texture(const SpecContext& context, const TomlValue& table,
                         const std::string& what) {
  return TextureReader(context, table, what).read();
}

TextureSpec read_surface(const SpecContext& context, const TomlValue& table,
                         const std::string& what) {
  return TextureReader(context, table, what).read_surface();
}

void require_texels(const SpecContext& context, const TomlValue& table, const TextureSpec& texture,
                    ElementType type) {
  const std::string whose =
      "'" + texture.of + "' has elements of type " + std::string(to_string(type)) + ", ";
  if (size_of(type) == sizeof(double) || type == ElementType::bf16) {
    context.fail(table.find("of")->place, whose +
                                              "which no texture or surface has; expected f16, "
                                              "f32 or integers of 8, 16 or 32 bits");
  }
  const bool may_be_normalized = !is_floating(type) && size_of(type) <= sizeof(std::int16_t);
  if (texture.normalized_values && !may_be_normalized) {
    context.fail(table.find("normalized_values")->place,
                 whose + "which cannot be normalized; expected integers of 8 or 16 bits");
  }
  const bool gives_floats = is_floating(type) || texture.normalized_values;
  if (texture.filter == TextureFilter::linear && !gives_floats) {
    context.fail(table.find("filter")->place,
                 whose +
                     "which cannot be filtered; expected filter = \"point\", or "
                     "normalized_values = true for integers of 8 or 16 bits");
  }
}

}  // namespace gtune
