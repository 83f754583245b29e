// Enumerations of the ttcore dialect. The words are tt-mlir's.

#ifndef TESSERA_TTCORE_ENUMS_TD
#define TESSERA_TTCORE_ENUMS_TD

include "mlir/IR/EnumAttr.td"

class TTCore_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::tessera::ttcore";
}

// Element formats of a tile. bfp formats share one exponent among 16 elements.
def TTCore_DataType : TTCore_Enum<"DataType", "element format", [
  I32EnumAttrCase<"Float32", 0, "f32">,
  I32EnumAttrCase<"Float16", 1, "f16">,
  I32EnumAttrCase<"BFloat16", 2, "bf16">,
  I32EnumAttrCase<"BFPFloat8", 3, "bfp_f8">,
  I32EnumAttrCase<"BFPBFloat8", 4, "bfp_bf8">,
  I32EnumAttrCase<"BFPFloat4", 5, "bfp_f4">,
  I32EnumAttrCase<"BFPBFloat4", 6, "bfp_bf4">,
  I32EnumAttrCase<"BFPFloat2", 7, "bfp_f2">,
  I32EnumAttrCase<"BFPBFloat2", 8, "bfp_bf2">,
  I32EnumAttrCase<"UInt32", 9, "u32">,
  I32EnumAttrCase<"UInt16", 10, "u16">,
  I32EnumAttrCase<"UInt8", 11, "u8">,
  I32EnumAttrCase<"Int32", 12, "si32">,
  I32EnumAttrCase<"Bool", 13, "i1">]>;

def TTCore_Arch : TTCore_Enum<"Arch", "chip generation", [
  I32EnumAttrCase<"WormholeB0", 1, "wormhole_b0">,
  I32EnumAttrCase<"Blackhole", 2, "blackhole">]>;

def TTCore_CPURole : TTCore_Enum<"CPURole", "what a CPU of the system is for", [
  I32EnumAttrCase<"Host", 0, "host">,
  I32EnumAttrCase<"Device", 1, "device">]>;

def TTCore_ChipCapability : I32BitEnumAttr<"ChipCapability", "what the host can do with a chip", [
  I32BitEnumAttrCaseBit<"HostMMIO", 0, "host_mmio">]> {
  let cppNamespace = "::tessera::ttcore";
}

// What a function argument holds; decides where it lives when the program starts.
def TTCore_ArgumentType : TTCore_Enum<"ArgumentType", "kind of function argument", [
  I32EnumAttrCase<"Input", 0, "input">,
  I32EnumAttrCase<"Parameter", 1, "parameter">,
  I32EnumAttrCase<"Constant", 2, "constant">,
  I32EnumAttrCase<"Default", 3, "default">]>;

#endif // TESSERA_TTCORE_ENUMS_TD
