// Traits, folders and patterns of the generated C++ that are implemented in Rust.
//
// This file has no logic. Each function declared `extern "C"` without a body is
// defined in src/mlir/forward.rs.

#ifndef TESSERA_FORWARD_H
#define TESSERA_FORWARD_H

#include "mlir-c/IR.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/StringExtras.h"

extern "C" {
bool tesseraVerifyOp(MlirOperation op);
bool tesseraVerifyInputs(MlirOperation op, intptr_t least, intptr_t most);
// Null if the operation is not folded.
MlirValue tesseraFoldOp(MlirOperation op);
// The elements of the only result of an operation; null if they are unknown.
MlirAttribute tesseraEvaluateOp(MlirOperation op);
}

// Receives the messages of a type or attribute verifier in Rust: each call of `emit` is one error.
struct TesseraErrors {
  void (*emit)(void *user, MlirStringRef message);
  void *user;
};

namespace tessera {

template <typename ConcreteOp>
class VerifiedInRust : public mlir::OpTrait::TraitBase<ConcreteOp, VerifiedInRust> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return mlir::success(tesseraVerifyOp(wrap(op)));
  }
};

template <int least, int most>
struct InputsThenOutput {
  template <typename ConcreteOp>
  class Impl : public mlir::OpTrait::TraitBase<ConcreteOp, InputsThenOutput<least, most>::Impl> {
  public:
    static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
      return mlir::success(tesseraVerifyInputs(wrap(op), least, most));
    }
  };
};

// Folds an operation with one result.
inline mlir::OpFoldResult foldInRust(mlir::Operation *op) {
  MlirValue value = tesseraFoldOp(wrap(op));
  return value.ptr ? mlir::OpFoldResult(unwrap(value)) : mlir::OpFoldResult();
}

// Replaces operations of a dialect by constants, next to their uses. If this were a folder, MLIR
// would move all constants of a function to its entry, where they would occupy memory.
template <typename Dialect, typename ConstantOp>
struct EvaluatedInRust : public mlir::RewritePattern {
  explicit EvaluatedInRust(mlir::MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}
  mlir::LogicalResult matchAndRewrite(mlir::Operation *op, mlir::PatternRewriter &rewriter) const final {
    if (!llvm::isa_and_nonnull<Dialect>(op->getDialect()))
      return mlir::failure();
    MlirAttribute elements = tesseraEvaluateOp(wrap(op));
    if (!elements.ptr)
      return mlir::failure();
    rewriter.replaceOpWithNewOp<ConstantOp>(op, op->getResult(0).getType(),
                                            llvm::cast<mlir::ElementsAttr>(unwrap(elements)));
    return mlir::success();
  }
};

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

// Runs a verifier that reports through TesseraErrors; it fails if it reported anything.
template <typename Verify>
mlir::LogicalResult verifyInRust(EmitError emitError, Verify &&verify) {
  struct State {
    EmitError emitError;
    bool failed = false;
  } state{emitError};
  verify(TesseraErrors{[](void *user, MlirStringRef message) {
                         auto *state = static_cast<State *>(user);
                         state->failed = true;
                         state->emitError() << unwrap(message);
                       },
                       &state});
  return mlir::failure(state.failed);
}

// The keyword of an enumeration attribute of one of these types with the mnemonic; else empty.
template <typename... EnumAttrs>
MlirStringRef wordOf(MlirAttribute handle, MlirStringRef mnemonic) {
  llvm::StringRef word;
  mlir::Attribute attribute = unwrap(handle);
  auto look = [&](auto attr) {
    if (attr && attr.getMnemonic() == unwrap(mnemonic))
      word = stringifyEnum(attr.getValue());
  };
  (look(mlir::dyn_cast<EnumAttrs>(attribute)), ...);
  return wrap(word);
}

//===-- Pieces of custom syntax -------------------------------------------===//

// `64x128`
inline void printDimensions(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> shape) {
  printer.printDimensionList(shape);
}

inline mlir::ParseResult parseDimensions(mlir::AsmParser &parser, llvm::SmallVector<int64_t> &shape) {
  return parser.parseDimensionList(shape, /*allowDynamic=*/false, /*withTrailingX=*/false);
}

// `64x128`, for a fixed number of parameters.
template <typename... Extent>
void printExtents(mlir::AsmPrinter &printer, Extent... extents) {
  printer.printDimensionList({static_cast<int64_t>(extents)...});
}

template <typename... Extent>
mlir::ParseResult parseExtents(mlir::AsmParser &parser, Extent &...extents) {
  llvm::SMLoc location = parser.getCurrentLocation();
  llvm::SmallVector<int64_t> list;
  if (parseDimensions(parser, list))
    return mlir::failure();
  if (list.size() != sizeof...(extents))
    return parser.emitError(location) << "expected " << sizeof...(extents) << " extents, got " << list.size();
  size_t index = 0;
  ((extents = list[index++]), ...);
  return mlir::success();
}

} // namespace tessera

#endif // TESSERA_FORWARD_H
