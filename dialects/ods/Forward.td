// Traits whose decision is taken in Rust.
//
// The C++ behind them (cpp/Forward.h) only calls the function of the same
// purpose in src/mlir/forward.rs, which looks the op up in the verifier table
// of its dialect.

#ifndef TESSERA_FORWARD_TD
#define TESSERA_FORWARD_TD

include "mlir/IR/OpBase.td"

// The op has a verifier in Rust, run after the checks that ODS derives from
// the operand, result and attribute constraints and before its regions are verified.
def VerifiedInRust : NativeOpTrait<"VerifiedInRust"> {
  let cppNamespace = "::tessera";
}

// The op takes `least` to `most` inputs and, in the older spelling of TTIR, one
// output operand after them, defined by ttir.empty or tensor.empty.
class InputsThenOutput<int least, int most>
    : ParamNativeOpTrait<"InputsThenOutput", !cast<string>(least) # ", " # !cast<string>(most)> {
  let cppNamespace = "::tessera";
}

#endif // TESSERA_FORWARD_TD
