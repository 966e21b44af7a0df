#include "spec/struct_reader.hpp"

#include "spec/element_type_reader.hpp"

namespace gtune {
namespace {

using Kind = TomlValue::Kind;

StructMemberSpec read_member(const SpecContext& context, const TomlValue& table,
                             const std::string& what) {
  context.expect(table, Kind::table, what);
  context.expect_keys(table, what, {"type", "value", "of", "align"});
  StructMemberSpec member;
  const TomlValue* of = table.find("of");
  if ((of != nullptr) == (table.find("value") != nullptr)) {
    context.fail(table.place, what + " has " +
                                  (of != nullptr ? "both 'of' and" : "neither 'of' nor") +
                                  " 'value'; expected 'value' for a number, 'of' for the address "
                                  "of a buffer");
  }
  const TomlValue* type = table.find("type");
  if (of != nullptr && type != nullptr) {
    context.fail(type->place, what + " has 'of' and 'type'; expected 'of' alone for an address");
  }
  if (of != nullptr) {
    member.of = context.expect(*of, Kind::string, "'of' of " + what).text;
  } else {
    member.type = read_element_type(context, table, what);
    member.value = context.expression(
        *table.find("value"), "'value' of " + what, Depends::on_anything,
        is_floating(member.type) ? ExpressionKind::real : ExpressionKind::integer);
  }
  if (const TomlValue* align = table.find("align")) {
    member.alignment = context.expect(*align, Kind::integer, "'align' of " + what).integer;
    if (member.alignment == 0 || !is_alignment(member.alignment)) {
      context.fail(align->place, "'align' of " + what + " is " + std::to_string(member.alignment) +
                                     "; expected a power of two, 1 to 256");
    }
  }
  return member;
}

}  // namespace

StructSpec read_struct(const SpecContext& context, const TomlValue& table,
                       const std::string& what) {
  context.expect_keys(table, what, {"name", "type", "members", "by_address"});
  StructSpec spec;
  const TomlValue& members = context.require(table, "members", what);
  context.expect(members, Kind::array, "'members' of " + what);
  if (members.items.empty() || members.items.size() > most_struct_members) {
    context.fail(members.place,
                 "'members' of " + what + " has " + std::to_string(members.items.size()) +
                     " entries; expected 1 to " + std::to_string(most_struct_members));
  }
  for (const TomlValue& item : members.items) {
    spec.members.push_back(read_member(
        context, item, "member " + std::to_string(spec.members.size() + 1) + " of " + what));
  }
  const TomlValue* by_address = table.find("by_address");
  spec.by_address = by_address != nullptr &&
                    context.expect(*by_address, Kind::boolean, "'by_address' of " + what).boolean;
  if (!spec.by_address && size_of(spec) > most_argument_bytes) {
    context.fail(members.place, what + " has " + std::to_string(size_of(spec)) +
                                    " bytes; expected at most " +
                                    std::to_string(most_argument_bytes) + " by value");
  }
  return spec;
}

}  // namespace gtune
