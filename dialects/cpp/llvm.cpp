// From func, scf and arith to LLVM IR: the dialects, translations and passes of MLIR that
// src/mlir/llvm.rs needs.

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

using namespace mlir;

extern "C" {

// Lets a context load the dialects that the conversions go through, and translate them.
void tesseraRegisterLLVM(MlirDialectRegistry registry) {
  unwrap(registry)->insert<LLVM::LLVMDialect, cf::ControlFlowDialect>();
  registerBuiltinDialectTranslation(*unwrap(registry));
  registerLLVMDialectTranslation(*unwrap(registry));
}

// Lets pipelines name the conversions.
void tesseraRegisterLLVMPasses() {
  registerSCFToControlFlowPass();
  registerConvertControlFlowToLLVMPass();
  registerArithToLLVMConversionPass();
  registerConvertFuncToLLVMPass();
  registerReconcileUnrealizedCastsPass();
  LLVM::registerDIScopeForLLVMFuncOpPass();
}

} // extern "C"
