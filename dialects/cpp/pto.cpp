#include "pto.h"

#include "mlir/CAPI/Registration.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "pto/Dialect.cpp.inc"
#include "pto/Enums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "pto/Types.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "pto/Attrs.cpp.inc"

#define GET_OP_CLASSES
#include "pto/Ops.cpp.inc"

using namespace mlir;

namespace tessera::pto {

void PTODialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "pto/Ops.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "pto/Types.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "pto/Attrs.cpp.inc"
      >();
}

// The syntax of every function-like operation of MLIR.

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto type = [](Builder &builder, ArrayRef<Type> inputs, ArrayRef<Type> results,
                 function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(inputs, results);
  };
  return function_interface_impl::parseFunctionOp(parser, result, /*allowVariadic=*/false,
                                                  getFunctionTypeAttrName(result.name), type,
                                                  getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
                                           getArgAttrsAttrName(), getResAttrsAttrName());
}

} // namespace tessera::pto

extern "C" {
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(PTO, pto);

// The word of an enumeration attribute, if it is of the kind `mnemonic`; else empty.
MlirStringRef tesseraPTOWord(MlirAttribute attribute, MlirStringRef mnemonic) {
  using namespace tessera::pto;
  return tessera::wordOf<KindAttr, FidelityAttr, DstAttr, tessera::pto::UnitAttr, BroadcastAttr>(attribute,
                                                                                               mnemonic);
}

// The tensor type that says what a tile holds, and its memory space; null if the type is no tile.
MlirType tesseraPtoTile(MlirType type, int *space) {
  auto tile = llvm::dyn_cast<tessera::pto::TileType>(unwrap(type));
  if (!tile)
    return MlirType{nullptr};
  *space = static_cast<int>(tile.getSpace());
  return wrap(Type(tile.getContents()));
}
}
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(PTO, pto, tessera::pto::PTODialect)
