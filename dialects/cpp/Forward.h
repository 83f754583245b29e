// The seam between the generated C++ and Rust: traits that ask Rust.
//
// Nothing is decided here. Each function declared `extern "C"` without a body is
// defined in src/mlir/forward.rs.

#ifndef TESSERA_FORWARD_H
#define TESSERA_FORWARD_H

#include "mlir-c/IR.h"
#include "mlir/CAPI/IR.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

extern "C" {
bool tesseraVerifyOp(MlirOperation op);
bool tesseraVerifyInputs(MlirOperation op, intptr_t least, intptr_t most);
}

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

} // namespace tessera

#endif // TESSERA_FORWARD_H
