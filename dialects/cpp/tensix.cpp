#include "tensix.h"

#include "mlir/CAPI/Registration.h"

#include "tensix/Dialect.cpp.inc"

using namespace mlir;

// The operands of an instruction, by name: `(addr_mode 1, dst 8)`. The verifier
// checks the names.

static ParseResult parseOperands(OpAsmParser &parser, NamedAttrList &operands) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::OptionalParen, [&]() {
    StringRef name;
    int64_t value;
    if (parser.parseKeyword(&name) || parser.parseInteger(value))
      return failure();
    operands.append(name, parser.getBuilder().getI64IntegerAttr(value));
    return success();
  });
}

static void printOperands(OpAsmPrinter &printer, Operation *, DictionaryAttr operands) {
  if (!operands || operands.empty())
    return;
  printer << " (";
  llvm::interleaveComma(operands, printer, [&](NamedAttribute operand) {
    printer << operand.getName().getValue() << ' ';
    if (auto value = llvm::dyn_cast<IntegerAttr>(operand.getValue()))
      printer << value.getValue();
    else
      printer << operand.getValue();
  });
  printer << ')';
}

// The operands as an attribute of their own, absent if there are none.

static ParseResult parseConstants(OpAsmParser &parser, DictionaryAttr &constants) {
  NamedAttrList operands;
  if (parseOperands(parser, operands))
    return failure();
  if (!operands.empty())
    constants = operands.getDictionary(parser.getContext());
  return success();
}

static void printConstants(OpAsmPrinter &printer, Operation *op, DictionaryAttr constants) {
  printOperands(printer, op, constants);
}

// The name of an operand, as a keyword.

static ParseResult parseField(OpAsmParser &parser, StringAttr &field) {
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  field = parser.getBuilder().getStringAttr(name);
  return success();
}

static void printField(OpAsmPrinter &printer, Operation *, StringAttr field) { printer << field.getValue(); }

// `first`, `imm 17`. The verifier checks the kinds.

static ParseResult parseArgument(OpAsmParser &parser, StringAttr &kind, IntegerAttr &number) {
  int64_t value;
  if (parseField(parser, kind))
    return failure();
  OptionalParseResult parsed = parser.parseOptionalInteger(value);
  if (!parsed.has_value())
    return success();
  number = parser.getBuilder().getI64IntegerAttr(value);
  return *parsed;
}

static void printArgument(OpAsmPrinter &printer, Operation *op, StringAttr kind, IntegerAttr number) {
  printField(printer, op, kind);
  if (number)
    printer << ' ' << number.getValue();
}

#define GET_OP_CLASSES
#include "tensix/Ops.cpp.inc"

namespace tessera::tensix {

void TensixDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tensix/Ops.cpp.inc"
      >();
}

} // namespace tessera::tensix

extern "C" {
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Tensix, tensix);
}
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Tensix, tensix, tessera::tensix::TensixDialect)
