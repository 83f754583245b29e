// RUN: ttmlir-opt --convert-pto-to-mncore --split-input-file --verify-diagnostics %s

pto.func @padded(%a: memref<32x30xf32>, %c: memref<32x1xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  // expected-error @below {{2 elements of padding take part in a reduction; let only 30 elements of its last tile be valid}}
  %x = pto.tload %a[%0, %0] : memref<32x30xf32> -> <tensor<32x32xf32>, vec>
  %z = pto.trowmax %x {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x1xf32>, vec>
  pto.tstore %z, %c[%0, %0] : <tensor<32x1xf32>, vec> -> memref<32x1xf32>
  pto.return
}

// -----

// expected-error @below {{has argument memref<32x32xi64>; a group has matrices of f32, bf16 or i32, with extents of 32 bits}}
pto.func @integers(%a: memref<32x32xi64>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  pto.return
}

// -----

// expected-error @below {{launches 0 groups; a kernel on MN-Core 2 is one}}
pto.func @orchestration() attributes {kind = #pto.kind<orchestration>} {
  pto.return
}

// -----

// A tensor of 2^40 elements, as one tile.
pto.func @too_large(%a: memref<1048576x1048576xf32>, %c: memref<1048576x1048576xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %x = pto.tload %a[%0, %0] : memref<1048576x1048576xf32> -> <tensor<1048576x1048576xf32>, vec>
  %z = pto.trelu %x {unit = #pto.unit<sfpu>} : <tensor<1048576x1048576xf32>, vec> -> <tensor<1048576x1048576xf32>, vec>
  // expected-error @below {{tensor 0 (1x1048576x1048576xf32) has more elements than the DRAM of MN-Core 2 holds; split the model into smaller kernels}}
  pto.tstore %z, %c[%0, %0] : <tensor<1048576x1048576xf32>, vec> -> memref<1048576x1048576xf32>
  pto.return
}

// -----

pto.func @loads_first(%a: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %kept = pto.alloc_tensor : memref<32x32xf32>
  %other = pto.alloc_tensor : memref<32x32xf32>
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  pto.tstore %t, %other[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  // expected-error @below {{a tensor in the memory of a core is loaded before it is stored}}
  %u = pto.tload %kept[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  pto.tstore %u, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// -----

pto.func @stores_twice(%a: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %kept = pto.alloc_tensor : memref<32x32xf32>
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  pto.tstore %t, %kept[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  %u = pto.tload %kept[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  // expected-error @below {{tensor 2 is stored, and loaded or stored again, in one group}}
  pto.tstore %u, %kept[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.tstore %u, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// -----

pto.func @of_rows(%a: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %kept = pto.alloc_tensor : memref<32x32xf32>
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  pto.tstore %t, %kept[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  %u = pto.tload %kept[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  // expected-error @below {{a reduction of rows in a kernel that keeps tensors in local memory has no code for MN-Core 2; compile with fusion=none}}
  %m = pto.tcolmax %u {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<1x32xf32>, vec>
  %v = pto.tsub %u, %m {broadcast = #pto.broadcast<row>, unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec>, <tensor<1x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %v, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// -----

pto.func @right_factor(%a: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<mixed>} {
  %0 = arith.constant 0 : index
  %kept = pto.alloc_tensor : memref<32x32xf32>
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  pto.tstore %t, %kept[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  %u = pto.tload %kept[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %r = pto.trelu %u {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  %f = pto.tmove %r : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, mat>
  %l = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, mat>
  // expected-error @below {{the right factor of a product in a kernel that keeps tensors in local memory must be an argument for MN-Core 2; compile with fusion=none}}
  %p = pto.tmatmul %l, %f : <tensor<32x32xf32>, mat>, <tensor<32x32xf32>, mat> -> <tensor<32x32xf32>, acc>
  pto.tstore %p, %c[%0, %0] : <tensor<32x32xf32>, acc> -> memref<32x32xf32>
  pto.return
}

// -----

pto.func @transposed(%a: memref<32x32xf32>, %c: memref<32x32xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %0 = arith.constant 0 : index
  %kept = pto.alloc_tensor : memref<32x32xf32>
  %t = pto.tload %a[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  pto.tstore %t, %kept[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  // expected-error @below {{a transposition in a kernel that keeps tensors in local memory has no code for MN-Core 2; compile with fusion=none}}
  %u = pto.tload %kept[%0, %0] : memref<32x32xf32> -> <tensor<32x32xf32>, vec>
  %v = pto.ttrans %u {unit = #pto.unit<fpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
  pto.tstore %v, %c[%0, %0] : <tensor<32x32xf32>, vec> -> memref<32x32xf32>
  pto.return
}

// -----

// More rows than 32 bits count, of matrices that otherwise are computed as one.
// expected-error @below {{tensor 0 (1073741824x8x1xf32) cannot be laid out in DRAM:}}
pto.func @many_matrices(%a: memref<1073741824x8x1xf32>, %c: memref<1073741824x8x1xf32>)
    attributes {dst = #pto.dst<f32>, fidelity = #pto.fidelity<hifi4>, kind = #pto.kind<vector>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %matrices = arith.constant 1073741824 : index
  scf.for %matrix = %zero to %matrices step %one {
    %x = pto.tload %a[%matrix, %zero] : memref<1073741824x8x1xf32> -> <tensor<32x32xf32>, vec>
    %y = pto.tabs %x {unit = #pto.unit<sfpu>} : <tensor<32x32xf32>, vec> -> <tensor<32x32xf32>, vec>
    pto.tstore %y, %c[%matrix, %zero] : <tensor<32x32xf32>, vec> -> memref<1073741824x8x1xf32>
  }
  pto.return
}
