// RUN: ttmlir-opt --ttcore-register-device %s | FileCheck %s --check-prefixes=CHECK,WH
// RUN: ttmlir-opt --ttcore-register-device="mock-system-desc-arch=blackhole" %s | FileCheck %s --check-prefixes=CHECK,BH
// An existing registration is kept.
// RUN: ttmlir-opt --ttcore-register-device --ttcore-register-device="mock-system-desc-arch=blackhole" %s | FileCheck %s --check-prefixes=CHECK,WH
// Another family of chips has a description of its own, and no device.
// RUN: ttmlir-opt --ttcore-register-device="mock-system-desc-arch=mncore2" %s -o %t.mncore.mlir
// RUN: FileCheck %s --check-prefix=MNCORE < %t.mncore.mlir
// RUN: ttmlir-opt --ttcore-register-device="system-desc-path=%t.mncore.mlir" %s | FileCheck %s --check-prefix=MNCORE
// RUN: ttmlir-opt --ttcore-register-device="mock-system-desc-arch=mncore2" --ttcore-register-device %s | FileCheck %s --check-prefix=FAMILIES
// RUN: echo 'module attributes {mncore.system_desc = 3 : i64} {}' | not ttmlir-opt --ttcore-register-device="mock-system-desc-arch=mncore2" 2>&1 | FileCheck %s --check-prefix=NO-CHIP
// A compiled module is a system description.
// RUN: ttmlir-opt --ttcore-register-device="mock-system-desc-arch=blackhole" %s -o %t.mlir
// RUN: ttmlir-opt --ttcore-register-device="system-desc-path=%t.mlir" %s | FileCheck %s --check-prefixes=CHECK,BH
// RUN: ttmlir-opt --ttcore-register-device="system-desc-path=%S/Inputs/one_row.mlir" %s | FileCheck %s --check-prefix=FILE
//
// RUN: not ttmlir-opt --ttcore-register-device="system-desc-path=%S/Inputs/absent.mlir" %s 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not ttmlir-opt --ttcore-register-device="system-desc-path=%S/Inputs/broken.mlir" %s 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not ttmlir-opt --ttcore-register-device="system-desc-path=%S/ttnn_deallocate.mlir" %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ttmlir-opt --ttcore-register-device="system-desc-path=%S/Inputs/two_chips.mlir" %s 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not ttmlir-opt --ttcore-register-device="mock-system-desc-arch=grayskull" %s 2>&1 | FileCheck %s --check-prefix=ARCH
// RUN: not ttmlir-opt --ttcore-register-device="mesh-shape=1,2" %s 2>&1 | FileCheck %s --check-prefix=MESH

// CHECK: #system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86_64-pc-linux-gnu"}]
// WH-SAME: arch = <wormhole_b0>, grid = 8x8,
// WH-SAME: l1_size = 1499136, num_dram_channels = 12, dram_channel_size = 1073741824,
// WH-SAME: dram_grid = 1x12
// BH-SAME: arch = <blackhole>, grid = 10x13,
// BH-SAME: l1_size = 1572864, num_dram_channels = 8, dram_channel_size = 4278190080,
// BH-SAME: dram_grid = 1x8
// CHECK: module attributes {ttcore.system_desc = #system_desc}
// CHECK-NEXT: ttcore.device @default_device = <workerGrid = #ttcore.grid<
// WH-SAME: 8x8, virt_to_physical_map = (d0, d1) -> (0, d0, d1), physical_to_virt_map = (d0, d1, d2) -> (d1, d2)>
// WH-SAME: dramGrid = #ttcore.grid<1x12>
// BH-SAME: dramGrid = #ttcore.grid<1x8>
// CHECK-SAME: l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2 + s0)
// WH-SAME: mod 12
// BH-SAME: mod 8
// CHECK-SAME: meshShape = , chipIds = [0]>
// CHECK-NOT: ttcore.device
// FILE: grid = 1x4
// FILE: workerGrid = #ttcore.grid<1x4,
// FILE-SAME: mod 2
// MNCORE: module attributes {mncore.system_desc = {chip = "mncore2", dram_words = 536870912 : i64, l1bm_words = 8192 : i64, l2bm_words = 32768 : i64, pdm_words = 524288 : i64}} {
// MNCORE-NEXT: }
// FAMILIES: module attributes {mncore.system_desc = {{.*}}, ttcore.system_desc = #system_desc}
module {}

// NO-CHIP: error: 'builtin.module' op has mncore.system_desc = 3 : i64, which describes no chip; it is a dictionary with chip = "mncore2"
// ABSENT: error: 'builtin.module' op cannot read the system description {{.*}}absent.mlir: No such file or directory
// BROKEN: error: 'builtin.module' op the system description is wrong: {{.*}}broken.mlir:2:62: error: expected '{'
// NONE: the system description is wrong: {{.*}}ttnn_deallocate.mlir:1:1: its module has no attribute ttcore.system_desc = #ttcore.system_desc<... or mncore.system_desc = {...
// TWO: the system description has 2 chips; programs run on one, describe that
// ARCH: option 'mock-system-desc-arch' takes wormhole_b0 or blackhole or mncore2, not 'grayskull'
// MESH: option 'mesh-shape' takes 1,1 or 1, not '1,2'
