// Operations of the ttir dialect.

#ifndef TESSERA_TTIR_OPS_TD
#define TESSERA_TTIR_OPS_TD

include "Forward.td"
include "ttir/Dialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class TTIR_Op<string mnemonic, list<Trait> traits = []> : Op<TTIR_Dialect, mnemonic, traits>;

// A function of `least` to `most` tensors.
//
// TTIR has two spellings: upstream dropped the output operand in November 2025,
// its guide still writes it. ODS would report a wrong operand count of an
// optional output as "expected 2 or more"; so the operands are one group, and
// the trait counts them and names the count that the op has today.
class TTIR_Function<string mnemonic, int least, int most, list<Trait> traits = []>
    : TTIR_Op<mnemonic, [Pure, InputsThenOutput<least, most>, VerifiedInRust] # traits> {
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs);
  let results = (outs AnyRankedTensor:$result);
}

def TTIR_EmptyOp : TTIR_Op<"empty", [Pure]> {
  let summary = "A tensor of unspecified values";
  let description = [{
    Stands where the older spelling of TTIR wants an output operand.

    ```mlir
    %0 = ttir.empty() : tensor<64x96xbf16>
    ```
  }];
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "`(` `)` attr-dict `:` type($result)";
}

def TTIR_MatmulOp : TTIR_Function<"matmul", 2, 2> {
  let summary = "Matrix product, batched over the leading dimensions";
  let description = [{
    `a : [.., m, k]` times `b : [.., k, n]` gives `[.., m, n]`; the leading dimensions
    broadcast against each other. A 1-D `a` is a row, a 1-D `b` a column, and the
    dimension so added is dropped from the result. `transpose_a` and `transpose_b` swap the
    last two dimensions first and mean nothing for a 1-D operand.

    ```mlir
    %0 = "ttir.matmul"(%a, %b) <{transpose_b = true}>
       : (tensor<64x128xbf16>, tensor<96x128xbf16>) -> tensor<64x96xbf16>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       DefaultValuedAttr<BoolAttr, "false">:$transpose_a,
                       DefaultValuedAttr<BoolAttr, "false">:$transpose_b);
}

#endif // TESSERA_TTIR_OPS_TD
