#include "ttnn.h"

#include "mlir/CAPI/AffineMap.h"
#include "mlir/CAPI/Registration.h"
#include "llvm/ADT/TypeSwitch.h" // for the generated parsers

using namespace mlir;

extern "C" {
void tesseraVerifyCoreRange(const uint64_t *corners, TesseraErrors errors);
void tesseraVerifyCoreRangeSet(const MlirAttribute *ranges, intptr_t count, TesseraErrors errors);
void tesseraVerifyMemoryConfig(MlirStringRef bufferType, MlirStringRef memoryLayout, bool sharded,
                               TesseraErrors errors);
void tesseraVerifyTTNNLayout(const int64_t *grid, intptr_t gridRank, MlirAttribute memorySpace,
                             MlirStringRef memoryLayout, bool hasCores, bool ignoresPhysicalLayout,
                             TesseraErrors errors);
}

// An optional enumeration parameter of an attribute, as a bare keyword.
template <>
struct mlir::FieldParser<std::optional<tessera::ttnn::MathFidelity>> {
  static FailureOr<std::optional<tessera::ttnn::MathFidelity>> parse(AsmParser &parser) {
    auto value = FieldParser<tessera::ttnn::MathFidelity>::parse(parser);
    if (failed(value))
      return failure();
    return std::optional(*value);
  }
};

namespace tessera::ttnn {

static AsmPrinter &operator<<(AsmPrinter &printer, std::optional<MathFidelity> fidelity) {
  return printer << stringifyEnum(*fidelity);
}

// `(0,1)`
static void printCore(AsmPrinter &printer, CoreCoordAttr core) {
  printer << '(' << core.getX() << ',' << core.getY() << ')';
}

static ParseResult parseCore(AsmParser &parser, CoreCoordAttr &core) {
  uint64_t x, y;
  if (parser.parseLParen() || parser.parseInteger(x) || parser.parseComma() || parser.parseInteger(y) ||
      parser.parseRParen())
    return failure();
  core = CoreCoordAttr::get(parser.getContext(), x, y);
  return success();
}

} // namespace tessera::ttnn

#include "ttnn/Dialect.cpp.inc"
#include "ttnn/Enums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ttnn/Types.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ttnn/Attrs.cpp.inc"

#define GET_OP_CLASSES
#include "ttnn/Ops.cpp.inc"

namespace tessera::ttnn {

// The keyword of an optional enumeration attribute; empty if it is absent.
template <typename EnumAttr>
static MlirStringRef optionalWord(EnumAttr attr) {
  return wrap(attr ? stringifyEnum(attr.getValue()) : StringRef());
}

LogicalResult CoreRangeAttr::verify(EmitError emitError, CoreCoordAttr start, CoreCoordAttr end) {
  uint64_t corners[] = {start.getX(), start.getY(), end.getX(), end.getY()};
  return verifyInRust(emitError, [&](TesseraErrors errors) { tesseraVerifyCoreRange(corners, errors); });
}

LogicalResult CoreRangeSetAttr::verify(EmitError emitError, ArrayRef<CoreRangeAttr> ranges) {
  auto handles = llvm::map_to_vector(ranges, [](CoreRangeAttr range) { return wrap(range); });
  return verifyInRust(emitError, [&](TesseraErrors errors) {
    tesseraVerifyCoreRangeSet(handles.data(), handles.size(), errors);
  });
}

LogicalResult MemoryConfigAttr::verify(EmitError emitError, BufferTypeAttr bufferType,
                                       TensorMemoryLayoutAttr memoryLayout, ShardSpecAttr shardSpec) {
  return verifyInRust(emitError, [&](TesseraErrors errors) {
    tesseraVerifyMemoryConfig(optionalWord(bufferType), optionalWord(memoryLayout), static_cast<bool>(shardSpec), errors);
  });
}

LogicalResult TTNNLayoutAttr::verify(EmitError emitError, AffineMap, ArrayRef<int64_t> grid, MemRefType memref,
                                     TensorMemoryLayoutAttr memoryLayout, CoreRangeSetAttr cores,
                                     bool ignoresPhysicalLayout) {
  return verifyInRust(emitError, [&](TesseraErrors errors) {
    tesseraVerifyTTNNLayout(grid.data(), grid.size(), wrap(memref.getMemorySpace()), optionalWord(memoryLayout),
                            static_cast<bool>(cores), ignoresPhysicalLayout, errors);
  });
}

namespace {
struct Aliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (isa<TTNNLayoutAttr>(attr))
      os << TTNNLayoutAttr::getMnemonic();
    else if (auto buffer = dyn_cast<BufferTypeAttr>(attr))
      os << stringifyEnum(buffer.getValue());
    else
      return AliasResult::NoAlias;
    return AliasResult::OverridableAlias;
  }
};
} // namespace

OpFoldResult TypecastOp::fold(FoldAdaptor) { return foldInRust(getOperation()); }

void TTNNDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ttnn/Types.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ttnn/Attrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ttnn/Ops.cpp.inc"
      >();
  addInterfaces<Aliases>();
}

} // namespace tessera::ttnn

using namespace tessera::ttnn;

extern "C" {
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(TTNN, ttnn);

MlirStringRef tesseraTTNNWord(MlirAttribute attribute, MlirStringRef mnemonic) {
  return tessera::wordOf<LayoutAttr, TensorMemoryLayoutAttr, BufferTypeAttr, ShardOrientationAttr>(attribute,
                                                                                                  mnemonic);
}

bool tesseraIsCoreRange(MlirAttribute attribute) { return isa<CoreRangeAttr>(unwrap(attribute)); }
void tesseraCoreRangeCorners(MlirAttribute attribute, uint64_t *corners) {
  auto range = cast<CoreRangeAttr>(unwrap(attribute));
  corners[0] = range.getStart().getX();
  corners[1] = range.getStart().getY();
  corners[2] = range.getEnd().getX();
  corners[3] = range.getEnd().getY();
}

bool tesseraIsShape(MlirAttribute attribute) { return isa<ShapeAttr>(unwrap(attribute)); }
intptr_t tesseraShapeRank(MlirAttribute attribute) { return cast<ShapeAttr>(unwrap(attribute)).getShape().size(); }
int64_t tesseraShapeExtent(MlirAttribute attribute, intptr_t index) {
  return cast<ShapeAttr>(unwrap(attribute)).getShape()[index];
}
MlirAttribute tesseraShapeGet(MlirContext context, intptr_t rank, const int64_t *extents) {
  return wrap(ShapeAttr::get(unwrap(context), ArrayRef(extents, rank)));
}

bool tesseraIsTTNNLayout(MlirAttribute attribute) { return isa<TTNNLayoutAttr>(unwrap(attribute)); }
MlirAffineMap tesseraTTNNLayoutLinear(MlirAttribute attribute) {
  return wrap(cast<TTNNLayoutAttr>(unwrap(attribute)).getLinear());
}
intptr_t tesseraTTNNLayoutGridRank(MlirAttribute attribute) {
  return cast<TTNNLayoutAttr>(unwrap(attribute)).getGridShape().size();
}
int64_t tesseraTTNNLayoutGrid(MlirAttribute attribute, intptr_t index) {
  return cast<TTNNLayoutAttr>(unwrap(attribute)).getGridShape()[index];
}
MlirType tesseraTTNNLayoutMemref(MlirAttribute attribute) {
  return wrap(cast<TTNNLayoutAttr>(unwrap(attribute)).getMemref());
}
MlirAttribute tesseraTTNNLayoutMemorySpace(MlirAttribute attribute) {
  return wrap(cast<TTNNLayoutAttr>(unwrap(attribute)).getMemref().getMemorySpace());
}
MlirAttribute tesseraTTNNLayoutMemoryLayout(MlirAttribute attribute) {
  return wrap(cast<TTNNLayoutAttr>(unwrap(attribute)).getMemLayout());
}
// Null if the parts are invalid; the error is reported at the location. The layout has no cores.
MlirAttribute tesseraTTNNLayoutGet(MlirLocation location, MlirAffineMap linear, intptr_t gridRank,
                                   const int64_t *grid, MlirType memref, MlirAttribute memoryLayout) {
  Location loc = unwrap(location);
  return wrap(TTNNLayoutAttr::getChecked([&] { return emitError(loc); }, loc.getContext(), unwrap(linear),
                                         ArrayRef(grid, gridRank), cast<MemRefType>(unwrap(memref)),
                                         cast_or_null<TensorMemoryLayoutAttr>(unwrap(memoryLayout)),
                                         CoreRangeSetAttr(), false));
}

bool tesseraIsComputeConfig(MlirAttribute attribute) {
  return isa<DeviceComputeKernelConfigAttr>(unwrap(attribute));
}
// Empty if it is not specified.
MlirStringRef tesseraComputeConfigFidelity(MlirAttribute attribute) {
  auto fidelity = cast<DeviceComputeKernelConfigAttr>(unwrap(attribute)).getMathFidelity();
  return wrap(fidelity ? stringifyEnum(*fidelity) : StringRef());
}
// Null if it is not specified.
MlirAttribute tesseraComputeConfigFp32Dest(MlirAttribute attribute) {
  return wrap(cast<DeviceComputeKernelConfigAttr>(unwrap(attribute)).getFp32DestAccEn());
}

MlirAttribute tesseraComputeConfigDstFullSync(MlirAttribute attribute) {
  return wrap(cast<DeviceComputeKernelConfigAttr>(unwrap(attribute)).getDstFullSyncEn());
}
}
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(TTNN, ttnn, TTNNDialect)
