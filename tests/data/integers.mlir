// Functions of integers of 32 bits.

func.func @add(%a: tensor<33x65xi32>, %b: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.add"(%a, %b) : (tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @subtract(%a: tensor<33x65xi32>, %b: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.subtract"(%a, %b) : (tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @multiply(%a: tensor<33x65xi32>, %b: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.multiply"(%a, %b) : (tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @maximum(%a: tensor<33x65xi32>, %b: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.maximum"(%a, %b) : (tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @minimum(%a: tensor<33x65xi32>, %b: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.minimum"(%a, %b) : (tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @eq(%a: tensor<33x65xi32>, %b: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.eq"(%a, %b) : (tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @ne(%a: tensor<33x65xi32>, %b: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.ne"(%a, %b) : (tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @gt(%a: tensor<33x65xi32>, %b: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.gt"(%a, %b) : (tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @ge(%a: tensor<33x65xi32>, %b: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.ge"(%a, %b) : (tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @lt(%a: tensor<33x65xi32>, %b: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.lt"(%a, %b) : (tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @le(%a: tensor<33x65xi32>, %b: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.le"(%a, %b) : (tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @bitwise_and(%a: tensor<33x65xi32>, %b: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.bitwise_and"(%a, %b) : (tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @bitwise_or(%a: tensor<33x65xi32>, %b: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.bitwise_or"(%a, %b) : (tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @bitwise_xor(%a: tensor<33x65xi32>, %b: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.bitwise_xor"(%a, %b) : (tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @logical_left_shift(%a: tensor<33x65xi32>, %b: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.logical_left_shift"(%a, %b) : (tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @logical_right_shift(%a: tensor<33x65xi32>, %b: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.logical_right_shift"(%a, %b) : (tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @right_shift(%a: tensor<33x65xi32>, %b: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.right_shift"(%a, %b) : (tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @remainder(%a: tensor<33x65xi32>, %b: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.remainder"(%a, %b) : (tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @sign(%a: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.sign"(%a) : (tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @signbit(%a: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.signbit"(%a) : (tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @square(%a: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.square"(%a) : (tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @relu6(%a: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.relu6"(%a) : (tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @neg(%a: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.neg"(%a) : (tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @abs(%a: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.abs"(%a) : (tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @relu(%a: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.relu"(%a) : (tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @logical_not(%a: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.logical_not"(%a) : (tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @bitwise_not(%a: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.bitwise_not"(%a) : (tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}

func.func @hash(%a: tensor<33x65xi32>, %row: tensor<65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.multiply"(%a, %row) : (tensor<33x65xi32>, tensor<65xi32>) -> tensor<33x65xi32>
  %1 = "ttir.bitwise_xor"(%0, %a) : (tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  %2 = "ttir.subtract"(%row, %1) : (tensor<65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  return %2 : tensor<33x65xi32>
}

func.func @casts(%a: tensor<33x65xf32>) -> tensor<33x65xf32> {
  %0 = "ttir.multiply"(%a, %a) : (tensor<33x65xf32>, tensor<33x65xf32>) -> tensor<33x65xf32>
  %1 = "ttir.typecast"(%0) : (tensor<33x65xf32>) -> tensor<33x65xi32>
  %2 = "ttir.bitwise_and"(%1, %1) : (tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  %3 = "ttir.typecast"(%2) : (tensor<33x65xi32>) -> tensor<33x65xf32>
  %4 = "ttir.exp"(%3) : (tensor<33x65xf32>) -> tensor<33x65xf32>
  return %4 : tensor<33x65xf32>
}

func.func @truths_of_integers(%a: tensor<33x65xi32>, %b: tensor<33x65xi32>, %c: tensor<33x65xf32>) -> tensor<33x65xi32> {
  %0 = "ttir.lt"(%a, %b) : (tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi1>
  %1 = "ttir.where"(%0, %a, %b) : (tensor<33x65xi1>, tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  return %1 : tensor<33x65xi32>
}

func.func @sum_of_rows(%a: tensor<33x65xi32>) -> tensor<33x1xi32> {
  %0 = "ttir.sum"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<33x65xi32>) -> tensor<33x1xi32>
  return %0 : tensor<33x1xi32>
}

func.func @max_of_rows(%a: tensor<33x65xi32>) -> tensor<33x1xi32> {
  %0 = "ttir.max"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<33x65xi32>) -> tensor<33x1xi32>
  return %0 : tensor<33x1xi32>
}

func.func @min_of_rows(%a: tensor<33x65xi32>) -> tensor<33x1xi32> {
  %0 = "ttir.min"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<33x65xi32>) -> tensor<33x1xi32>
  return %0 : tensor<33x1xi32>
}

func.func @transpose(%a: tensor<33x65xi32>) -> tensor<65x33xi32> {
  %0 = "ttir.transpose"(%a) <{dim0 = 0 : si32, dim1 = 1 : si32}> : (tensor<33x65xi32>) -> tensor<65x33xi32>
  return %0 : tensor<65x33xi32>
}

func.func @div(%a: tensor<33x65xi32>, %b: tensor<33x65xi32>) -> tensor<33x65xi32> {
  %0 = "ttir.div"(%a, %b) : (tensor<33x65xi32>, tensor<33x65xi32>) -> tensor<33x65xi32>
  return %0 : tensor<33x65xi32>
}
