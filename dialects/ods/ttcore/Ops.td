// Operations of the ttcore dialect.

#ifndef TESSERA_TTCORE_OPS_TD
#define TESSERA_TTCORE_OPS_TD

include "Forward.td"
include "ttcore/Attrs.td"
include "ttcore/Types.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class TTCore_Op<string mnemonic, list<Trait> traits = []> : Op<TTCore_Dialect, mnemonic, traits>;

def TTCore_DeviceModuleOp : TTCore_Op<"device_module", [
    IsolatedFromAbove, NoRegionArguments, NoTerminator, SingleBlock, SymbolTable, VerifiedInRust]> {
  let summary = "The module whose functions run on the device";
  let description = [{
    ```mlir
    ttcore.device_module {
      builtin.module {
        func.func @forward() { return }
      }
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
}

def TTCore_DeviceOp : TTCore_Op<"device", [Symbol]> {
  let summary = "Defines a named device";
  let description = [{
    ```mlir
    ttcore.device @default_device = <workerGrid = #ttcore.grid<8x8>, ...>
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TTCore_DeviceAttr:$device_attr);
  let assemblyFormat = "$sym_name `=` $device_attr attr-dict";
}

def TTCore_LoadCachedOp : TTCore_Op<"load_cached", [Pure, VerifiedInRust]> {
  let summary = "The results of a function that is evaluated once for each set of operands";
  let description = [{
    The operands are arguments of the surrounding function. `callee` is a private function of type
    `const_eval` in the same module.

    ```mlir
    %0 = ttcore.load_cached(@forward_const_eval_0, [%arg1]) : (tensor<64x32xf32>) -> tensor<32x64xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyRankedTensor>:$inputs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = "`(` $callee `,` `[` $inputs `]` `)` attr-dict `:` functional-type($inputs, $results)";
}

#endif // TESSERA_TTCORE_OPS_TD
