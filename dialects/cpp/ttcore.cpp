#include "ttcore.h"

#include "mlir/CAPI/Registration.h"
#include "llvm/ADT/TypeSwitch.h" // for the generated parsers

using namespace mlir;

extern "C" {
void tesseraVerifyTile(const int64_t *shape, intptr_t rank, TesseraErrors errors);
void tesseraVerifySystemDesc(intptr_t chipDescs, const unsigned *indices, intptr_t chips, intptr_t capabilities,
                             intptr_t coords, TesseraErrors errors);
}

namespace tessera::ttcore {

// `[(0, 1), (2, 3)]`
static void printCoreCoords(AsmPrinter &printer, ArrayRef<CoreCoordAttr> coords) {
  printer << '[';
  llvm::interleaveComma(coords, printer, [&](CoreCoordAttr coord) {
    printer << '(' << coord.getY() << ", " << coord.getX() << ')';
  });
  printer << ']';
}

static ParseResult parseCoreCoords(AsmParser &parser, SmallVector<CoreCoordAttr> &coords) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    int64_t y, x;
    if (parser.parseLParen() || parser.parseInteger(y) || parser.parseComma() || parser.parseInteger(x) ||
        parser.parseRParen())
      return failure();
    coords.push_back(CoreCoordAttr::get(parser.getContext(), y, x));
    return success();
  });
}

} // namespace tessera::ttcore

#include "ttcore/Dialect.cpp.inc"
#include "ttcore/Enums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ttcore/Types.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ttcore/Attrs.cpp.inc"

#define GET_OP_CLASSES
#include "ttcore/Ops.cpp.inc"

namespace tessera::ttcore {

LogicalResult TileType::verify(EmitError emitError, ArrayRef<int64_t> shape, DataType) {
  return verifyInRust(emitError,
                      [&](TesseraErrors errors) { tesseraVerifyTile(shape.data(), shape.size(), errors); });
}

LogicalResult SystemDescAttr::verify(EmitError emitError, ArrayRef<CPUDescAttr>, ArrayRef<ChipDescAttr> chipDescs,
                                     ArrayRef<unsigned> indices, ArrayRef<ChipCapabilityAttr> capabilities,
                                     ArrayRef<ChipCoordAttr> coords) {
  return verifyInRust(emitError, [&](TesseraErrors errors) {
    tesseraVerifySystemDesc(chipDescs.size(), indices.data(), indices.size(), capabilities.size(), coords.size(),
                            errors);
  });
}

namespace {
struct Aliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (!isa<SystemDescAttr>(attr))
      return AliasResult::NoAlias;
    os << SystemDescAttr::getMnemonic();
    return AliasResult::OverridableAlias;
  }
};
} // namespace

void TTCoreDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ttcore/Types.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ttcore/Attrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ttcore/Ops.cpp.inc"
      >();
  addInterfaces<Aliases>();
}

} // namespace tessera::ttcore

using namespace tessera::ttcore;

extern "C" {
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(TTCore, ttcore);

MlirStringRef tesseraTTCoreWord(MlirAttribute attribute, MlirStringRef mnemonic) {
  return tessera::wordOf<ArchAttr, DataTypeAttr, ArgumentTypeAttr>(attribute, mnemonic);
}

bool tesseraIsTile(MlirType type) { return isa<TileType>(unwrap(type)); }
void tesseraTileShape(MlirType type, int64_t *height, int64_t *width) {
  auto shape = cast<TileType>(unwrap(type)).getShape();
  *height = shape[0];
  *width = shape[1];
}
MlirStringRef tesseraTileDataType(MlirType type) {
  return wrap(stringifyEnum(cast<TileType>(unwrap(type)).getDataType()));
}

bool tesseraIsSystemDesc(MlirAttribute attribute) { return isa<SystemDescAttr>(unwrap(attribute)); }
intptr_t tesseraSystemDescNumChips(MlirAttribute attribute) {
  return cast<SystemDescAttr>(unwrap(attribute)).getChipDescIndices().size();
}
MlirAttribute tesseraSystemDescChip(MlirAttribute attribute, intptr_t chip) {
  auto desc = cast<SystemDescAttr>(unwrap(attribute));
  return wrap(desc.getChipDescs()[desc.getChipDescIndices()[chip]]);
}
MlirAttribute tesseraChipArch(MlirAttribute chip) { return wrap(cast<ChipDescAttr>(unwrap(chip)).getArch()); }
intptr_t tesseraChipGridRank(MlirAttribute chip) { return cast<ChipDescAttr>(unwrap(chip)).getGrid().size(); }
int64_t tesseraChipGrid(MlirAttribute chip, intptr_t index) {
  return cast<ChipDescAttr>(unwrap(chip)).getGrid()[index];
}
unsigned tesseraChipL1Size(MlirAttribute chip) { return cast<ChipDescAttr>(unwrap(chip)).getL1Size(); }
}
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(TTCore, ttcore, TTCoreDialect)
