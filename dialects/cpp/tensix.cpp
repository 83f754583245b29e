#include "tensix.h"

#include "mlir/CAPI/Registration.h"

#include "tensix/Dialect.cpp.inc"

using namespace mlir;

// The operands of an instruction, by name: `(addr_mode 1, dst 8)`. Which there are is for the verifier to say.

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
  if (operands.empty())
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
