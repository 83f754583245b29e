#include "ttir.h"

#include "mlir/CAPI/Registration.h"
#include "mlir/Transforms/InliningUtils.h"

#include "ttir/Dialect.cpp.inc"

#define GET_OP_CLASSES
#include "ttir/Ops.cpp.inc"

namespace tessera::ttir {

// Allows the inliner to inline operations of this dialect.
struct InlineAnywhere : public mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(mlir::Operation *, mlir::Region *, bool, mlir::IRMapping &) const final { return true; }
};

mlir::OpFoldResult TypecastOp::fold(FoldAdaptor) { return foldInRust(getOperation()); }

void TTIRDialect::getCanonicalizationPatterns(mlir::RewritePatternSet &patterns) const {
  patterns.add<EvaluatedInRust<TTIRDialect, ConstantOp>>(getContext());
}

void TTIRDialect::initialize() {
  addInterfaces<InlineAnywhere>();
  addOperations<
#define GET_OP_LIST
#include "ttir/Ops.cpp.inc"
      >();
}

} // namespace tessera::ttir

extern "C" {
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(TTIR, ttir);
}
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(TTIR, ttir, tessera::ttir::TTIRDialect)
