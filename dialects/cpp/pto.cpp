#include "pto.h"

#include "mlir/CAPI/Registration.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "pto/Dialect.cpp.inc"
#include "pto/Enums.cpp.inc"

using namespace mlir;

extern "C" {
void tesseraVerifyPtoTile(const int64_t *shape, intptr_t rank, const int64_t *valid, intptr_t validRank,
                          TesseraErrors errors);
void tesseraVerifyPtoBuffer(int64_t bytes, MlirStringRef space, TesseraErrors errors);
void tesseraVerifyPtoPipe(int64_t slotNum, int64_t slotSize, TesseraErrors errors);
}

namespace tessera::pto {

// Parses a keyword of an enumeration whose cases are numbered from 0. The error lists all keywords.
template <typename Enum>
static ParseResult parseWord(AsmParser &parser, Enum &value, uint32_t last) {
  SMLoc location = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  SmallVector<StringRef> words;
  for (uint32_t number = 0; number <= last; ++number) {
    words.push_back(stringifyEnum(static_cast<Enum>(number)));
    if (words.back() != word)
      continue;
    value = static_cast<Enum>(number);
    return success();
  }
  return parser.emitError(location) << "expected one of " << llvm::join(words, ", ") << "; got '" << word << "'";
}

// `mat, layout = nz, valid = 30x20`: omitted parts have their defaults.
static ParseResult parsePlace(AsmParser &parser, Space &space, Layout &layout, SmallVector<int64_t> &valid) {
  if (parseWord(parser, space, getMaxEnumValForSpace()))
    return failure();
  layout = Layout::Nd;
  bool hasLayout = false;
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc location = parser.getCurrentLocation();
    if (!hasLayout && valid.empty() && succeeded(parser.parseOptionalKeyword("layout"))) {
      hasLayout = true;
      if (parser.parseEqual() || parseWord(parser, layout, getMaxEnumValForLayout()))
        return failure();
    } else if (valid.empty() && succeeded(parser.parseOptionalKeyword("valid"))) {
      if (parser.parseEqual() || parseDimensions(parser, valid))
        return failure();
      if (valid.empty())
        return parser.emitError(location) << "expected the valid rows and columns, such as 30x20";
    } else {
      return parser.emitError(location) << "expected 'layout' or 'valid', once each and in this order";
    }
  }
  return success();
}

static void printPlace(AsmPrinter &printer, Space space, Layout layout, ArrayRef<int64_t> valid) {
  printer << stringifySpace(space);
  if (layout != Layout::Nd)
    printer << ", layout = " << stringifyLayout(layout);
  if (valid.empty())
    return;
  printer << ", valid = ";
  printDimensions(printer, valid);
}

} // namespace tessera::pto

#define GET_TYPEDEF_CLASSES
#include "pto/Types.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "pto/Attrs.cpp.inc"

#define GET_OP_CLASSES
#include "pto/Ops.cpp.inc"

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

LogicalResult TileType::verify(EmitError emitError, RankedTensorType contents, Space, Layout, ArrayRef<int64_t> valid) {
  return verifyInRust(emitError, [&](TesseraErrors errors) {
    ArrayRef<int64_t> shape = contents.getShape();
    tesseraVerifyPtoTile(shape.data(), shape.size(), valid.data(), valid.size(), errors);
  });
}

LogicalResult BufferType::verify(EmitError emitError, int64_t bytes, Space space) {
  return verifyInRust(emitError, [&](TesseraErrors errors) {
    tesseraVerifyPtoBuffer(bytes, wrap(stringifySpace(space)), errors);
  });
}

LogicalResult PipeType::verify(EmitError emitError, Direction, int64_t slotNum, int64_t slotSize, Split) {
  return verifyInRust(emitError, [&](TesseraErrors errors) { tesseraVerifyPtoPipe(slotNum, slotSize, errors); });
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

// The keyword of an enumeration attribute with this mnemonic; empty for another attribute.
MlirStringRef tesseraPTOWord(MlirAttribute attribute, MlirStringRef mnemonic) {
  using namespace tessera::pto;
  return tessera::wordOf<KindAttr, FidelityAttr, DstAttr, tessera::pto::UnitAttr, PrecisionAttr, BroadcastAttr,
                         PlatformAttr, PlacementAttr, SplitAttr>(attribute, mnemonic);
}

// The shape and elements of a tile as a tensor type, and its other parts; null if it is not a tile.
// Keywords are static. The valid extents, empty if all are, live as long as the context.
MlirType tesseraPtoTile(MlirType type, MlirStringRef *space, MlirStringRef *layout, const int64_t **valid,
                        intptr_t *validRank) {
  auto tile = llvm::dyn_cast<tessera::pto::TileType>(unwrap(type));
  if (!tile)
    return MlirType{nullptr};
  *space = wrap(stringifySpace(tile.getSpace()));
  *layout = wrap(stringifyLayout(tile.getLayout()));
  *valid = tile.getValid().data();
  *validRank = tile.getValid().size();
  return wrap(Type(tile.getContents()));
}

// The size of a buffer and the keyword of its space; false for another type.
bool tesseraPtoBuffer(MlirType type, int64_t *bytes, MlirStringRef *space) {
  auto buffer = llvm::dyn_cast<tessera::pto::BufferType>(unwrap(type));
  if (!buffer)
    return false;
  *bytes = buffer.getBytes();
  *space = wrap(stringifySpace(buffer.getSpace()));
  return true;
}

// The parts of a pipe; false for another type.
bool tesseraPtoPipe(MlirType type, MlirStringRef *direction, int64_t *slotNum, int64_t *slotSize,
                    MlirStringRef *split) {
  auto pipe = llvm::dyn_cast<tessera::pto::PipeType>(unwrap(type));
  if (!pipe)
    return false;
  *direction = wrap(stringifyDirection(pipe.getDirection()));
  *slotNum = pipe.getSlotNum();
  *slotSize = pipe.getSlotSize();
  *split = wrap(stringifySplit(pipe.getSplit()));
  return true;
}
}
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(PTO, pto, tessera::pto::PTODialect)
