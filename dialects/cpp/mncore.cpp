#include "mncore.h"

#include "mlir/CAPI/Registration.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"

#include "mncore/Dialect.cpp.inc"

using namespace mlir;

// Custom syntax of the mncore dialect. Inputs and outputs are stored as dictionaries; the verifier
// checks their contents.

namespace tessera::mncore {

// Parses an unsigned 32-bit number.
static ParseResult parseNumber(AsmParser &parser, int64_t &number) {
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseInteger(number))
    return failure();
  if (number < 0 || number > UINT32_MAX)
    return parser.emitError(location) << "expected an unsigned 32-bit number";
  return success();
}

// `i1`: the index of a dimension.
static ParseResult parseIndex(AsmParser &parser, int64_t &dimension) {
  SMLoc location = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  if (!word.consume_front("i") || word.getAsInteger(10, dimension) || dimension > 31)
    return parser.emitError(location) << "expected an index, i0 to i31";
  return success();
}

// `16 + 8 * i1 + i2`
static ParseResult parseSum(AsmParser &parser, int64_t &base, SmallVectorImpl<int64_t> &steps) {
  do {
    SMLoc location = parser.getCurrentLocation();
    int64_t number = 1, dimension = 0;
    OptionalParseResult given = parser.parseOptionalInteger(number);
    if (given.has_value()) {
      if (failed(*given))
        return failure();
      if (number < 0 || number > UINT32_MAX)
        return parser.emitError(location) << "expected an unsigned 32-bit number";
      if (failed(parser.parseOptionalStar())) {
        base += number;
        continue;
      }
    }
    if (parseIndex(parser, dimension))
      return failure();
    if (steps.size() <= size_t(dimension))
      steps.resize(dimension + 1);
    steps[dimension] += number;
  } while (succeeded(parser.parseOptionalPlus()));
  return success();
}

static int64_t widthOf(StringRef memory) {
  return memory.starts_with("ll") ? 4 : memory.starts_with("l") ? 2 : 1;
}

// `(4 + 32 * i0) mod 64 + 4096]v 4 group 2 l2b 1`, after the name of the memory and `[`.
static PlaceAttr parsePlaceOf(AsmParser &parser, StringRef memory) {
  int64_t offset = 0, base = 0, ring = 0, stride = 0, group = -1, l2b = -1;
  SmallVector<int64_t> steps;
  if (succeeded(parser.parseOptionalLParen())) {
    if (parseSum(parser, base, steps) || parser.parseRParen() || parser.parseKeyword("mod") || parseNumber(parser, ring))
      return {};
    if (ring == 0) {
      parser.emitError(parser.getCurrentLocation()) << "a ring has one word or more";
      return {};
    }
    if (succeeded(parser.parseOptionalPlus()) && parseNumber(parser, offset))
      return {};
  } else if (parseSum(parser, base, steps)) {
    return {};
  }
  if (parser.parseRSquare())
    return {};
  if (succeeded(parser.parseOptionalKeyword("v"))) {
    stride = widthOf(memory);
    OptionalParseResult given = parser.parseOptionalInteger(stride);
    if (given.has_value() && failed(*given))
      return {};
  }
  if (succeeded(parser.parseOptionalKeyword("group")) && parseNumber(parser, group))
    return {};
  if (succeeded(parser.parseOptionalKeyword("l2b")) && parseNumber(parser, l2b))
    return {};
  while (!steps.empty() && steps.back() == 0)
    steps.pop_back();
  return PlaceAttr::get(parser.getContext(), memory, offset, base, steps, ring, stride, group, l2b);
}

static void printSum(AsmPrinter &printer, int64_t base, ArrayRef<int64_t> steps) {
  bool first = true;
  auto separate = [&]() {
    if (!first)
      printer << " + ";
    first = false;
  };
  if (base != 0 || llvm::all_of(steps, [](int64_t step) { return step == 0; })) {
    separate();
    printer << base;
  }
  for (auto [dimension, step] : llvm::enumerate(steps)) {
    if (step == 0)
      continue;
    separate();
    if (step != 1)
      printer << step << " * ";
    printer << 'i' << dimension;
  }
}

static void printPlaceOf(AsmPrinter &printer, PlaceAttr place) {
  printer << place.getMemory() << '[';
  if (place.getRing() != 0) {
    printer << '(';
    printSum(printer, place.getBase(), place.getSteps());
    printer << ") mod " << place.getRing();
    if (place.getOffset() != 0)
      printer << " + " << place.getOffset();
  } else {
    printSum(printer, place.getOffset() + place.getBase(), place.getSteps());
  }
  printer << ']';
  if (place.getStride() == widthOf(place.getMemory()))
    printer << 'v';
  else if (place.getStride() != 0)
    printer << "v " << place.getStride();
  if (place.getGroup() >= 0)
    printer << " group " << place.getGroup();
  if (place.getL2b() >= 0)
    printer << " l2b " << place.getL2b();
}

Attribute PlaceAttr::parse(AsmParser &parser, Type) {
  StringRef memory;
  if (parser.parseLess() || parser.parseKeyword(&memory) || parser.parseLSquare())
    return {};
  PlaceAttr place = parsePlaceOf(parser, memory);
  return place && succeeded(parser.parseGreater()) ? place : PlaceAttr();
}

void PlaceAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printPlaceOf(printer, *this);
  printer << '>';
}

} // namespace tessera::mncore

using tessera::mncore::PlaceAttr;

static ParseResult parsePlace(OpAsmParser &parser, PlaceAttr &place) {
  StringRef memory;
  if (parser.parseKeyword(&memory) || parser.parseLSquare())
    return failure();
  place = tessera::mncore::parsePlaceOf(parser, memory);
  return success(bool(place));
}

static void printPlace(OpAsmPrinter &printer, Operation *, PlaceAttr place) {
  tessera::mncore::printPlaceOf(printer, place);
}

using Operands = SmallVectorImpl<OpAsmParser::UnresolvedOperand>;

static DictionaryAttr dictionary(OpAsmParser &parser, const NamedAttrList &entries) {
  return entries.getDictionary(parser.getContext());
}

static IntegerAttr integer(OpAsmParser &parser, int64_t value) { return parser.getBuilder().getI64IntegerAttr(value); }

// A place, or a name if there is no address.
static ParseResult parsePlaceOrName(OpAsmParser &parser, NamedAttrList &entries, StringRef word) {
  if (failed(parser.parseOptionalLSquare())) {
    entries.append("name", parser.getBuilder().getStringAttr(word));
    return success();
  }
  PlaceAttr place = tessera::mncore::parsePlaceOf(parser, word);
  if (place)
    entries.append("place", place);
  return success(bool(place));
}

// A place, a value, a constant or a name, after an optional `neg`, `widen` or `narrow`.
static ParseResult parseInput(OpAsmParser &parser, Operands &values, SmallVectorImpl<Attribute> &inputs) {
  NamedAttrList entries;
  UnitAttr unit = parser.getBuilder().getUnitAttr();
  StringRef word;
  int64_t constant;
  if (succeeded(parser.parseOptionalKeyword("neg")))
    entries.append("negate", unit);
  if (succeeded(parser.parseOptionalKeyword(&word, {"widen", "narrow"})))
    entries.append("convert", parser.getBuilder().getStringAttr(word));
  OpAsmParser::UnresolvedOperand value;
  OptionalParseResult given = parser.parseOptionalOperand(value);
  if (given.has_value()) {
    values.push_back(value);
    entries.append("value", unit);
  } else if (given = parser.parseOptionalInteger(constant); given.has_value()) {
    entries.append("constant", integer(parser, constant));
  } else {
    given = failure(parser.parseKeyword(&word) || parsePlaceOrName(parser, entries, word));
  }
  inputs.push_back(dictionary(parser, entries));
  return *given;
}

// The register of a value: `in r[64] slots 2`, `in t`.
static ParseResult parseRegister(OpAsmParser &parser, NamedAttrList &entries) {
  StringRef word;
  int64_t slots;
  NamedAttrList place;
  if (failed(parser.parseOptionalKeyword("in")))
    return success();
  if (parser.parseKeyword(&word) || parsePlaceOrName(parser, place, word))
    return failure();
  entries.append("in", place.begin()->getValue());
  if (succeeded(parser.parseOptionalKeyword("slots"))) {
    if (parser.parseInteger(slots))
      return failure();
    entries.append("slots", integer(parser, slots));
  }
  return success();
}

// A place, or a value: `long any in r[64] slots 2 into %old mask %flags`.
static ParseResult parseOutput(OpAsmParser &parser, Operands &values, SmallVectorImpl<Attribute> &outputs,
                               SmallVectorImpl<Type> &results) {
  NamedAttrList entries;
  UnitAttr unit = parser.getBuilder().getUnitAttr();
  StringRef word, home;
  std::string pattern;
  if (parser.parseKeyword(&word))
    return failure();
  if (word == "single" || word == "long" || word == "double") {
    if (parser.parseKeyword(&home) || parseRegister(parser, entries))
      return failure();
    entries.append("width", parser.getBuilder().getStringAttr(word));
    entries.append("home", parser.getBuilder().getStringAttr(home));
    results.push_back(tessera::mncore::ValueType::get(parser.getContext()));
  } else if (parsePlaceOrName(parser, entries, word)) {
    return failure();
  }
  auto operand = [&](StringRef name) {
    entries.append(name, unit);
    return parser.parseOperand(values.emplace_back());
  };
  if (succeeded(parser.parseOptionalKeyword("into")) && operand("into"))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("mask"))) {
    if (succeeded(parser.parseOptionalString(&pattern)))
      entries.append("mask", parser.getBuilder().getStringAttr(pattern));
    else if (operand("mask"))
      return failure();
  }
  outputs.push_back(dictionary(parser, entries));
  return success();
}

static ParseResult parseFlow(OpAsmParser &parser, Operands &values, ArrayAttr &inputs, ArrayAttr &outputs,
                             SmallVectorImpl<Type> &results) {
  SmallVector<Attribute> from, to;
  if (failed(parser.parseOptionalArrow())) {
    auto input = [&]() { return parseInput(parser, values, from); };
    if (parser.parseCommaSeparatedList(input) || parser.parseArrow())
      return failure();
  }
  auto output = [&]() { return parseOutput(parser, values, to, results); };
  if (parser.parseCommaSeparatedList(output))
    return failure();
  inputs = parser.getBuilder().getArrayAttr(from);
  outputs = parser.getBuilder().getArrayAttr(to);
  return success();
}

// Prints the entries of a list. Malformed entries are printed in the generic form.
class EntryPrinter {
public:
  EntryPrinter(OpAsmPrinter &printer, ValueRange values) : printer(printer), values(values) {}

  void input(Attribute attribute) {
    auto entries = llvm::dyn_cast<DictionaryAttr>(attribute);
    if (!entries) {
      printer << attribute;
      return;
    }
    if (entries.contains("negate"))
      printer << "neg ";
    if (auto convert = entries.getAs<StringAttr>("convert"))
      printer << convert.getValue() << ' ';
    if (entries.contains("value"))
      value();
    else if (auto constant = entries.getAs<IntegerAttr>("constant"))
      word(constant);
    else
      placeOrName(entries.get("place") ? entries.get("place") : entries.get("name"));
  }

  void output(Attribute attribute) {
    auto entries = llvm::dyn_cast<DictionaryAttr>(attribute);
    if (!entries) {
      printer << attribute;
      return;
    }
    if (auto width = entries.getAs<StringAttr>("width")) {
      printer << width.getValue();
      if (auto home = entries.getAs<StringAttr>("home"))
        printer << ' ' << home.getValue();
      home(entries);
    } else {
      placeOrName(entries.get("place") ? entries.get("place") : entries.get("name"));
    }
    if (entries.contains("into")) {
      printer << " into ";
      value();
    }
    Attribute mask = entries.get("mask");
    if (!mask)
      return;
    printer << " mask ";
    if (llvm::isa<StringAttr>(mask))
      printer << mask;
    else
      value();
  }

  void word(IntegerAttr constant) { printer << llvm::format_hex(constant.getValue().getZExtValue(), 10); }

  void placeOrName(Attribute attribute) {
    if (auto place = llvm::dyn_cast_or_null<PlaceAttr>(attribute))
      tessera::mncore::printPlaceOf(printer, place);
    else if (auto name = llvm::dyn_cast_or_null<StringAttr>(attribute))
      printer << name.getValue();
    else
      printer << "<<missing>>";
  }

private:
  void home(DictionaryAttr entries) {
    Attribute where = entries.get("in");
    if (!where)
      return;
    printer << " in ";
    placeOrName(where);
    if (auto slots = entries.getAs<IntegerAttr>("slots"))
      printer << " slots " << slots.getInt();
  }

  void value() {
    if (next < values.size())
      printer << values[next++];
    else
      printer << "<<missing>>";
  }

  OpAsmPrinter &printer;
  ValueRange values;
  size_t next = 0;
};

static void printFlow(OpAsmPrinter &printer, Operation *, OperandRange values, ArrayAttr inputs, ArrayAttr outputs,
                      TypeRange) {
  EntryPrinter entries(printer, values);
  llvm::interleaveComma(inputs, printer, [&](Attribute input) { entries.input(input); });
  printer << (inputs.empty() ? "-> " : " -> ");
  llvm::interleaveComma(outputs, printer, [&](Attribute output) { entries.output(output); });
}

// `i0 is 0, i1 every 4 rest 2`
static ParseResult parseWhen(OpAsmParser &parser, ArrayAttr &when) {
  SmallVector<Attribute> guards;
  auto guard = [&]() -> ParseResult {
    NamedAttrList entries;
    int64_t dimension, value, rest;
    StringRef test;
    if (tessera::mncore::parseIndex(parser, dimension) || parser.parseKeyword(&test) ||
        tessera::mncore::parseNumber(parser, value))
      return failure();
    entries.append("dimension", integer(parser, dimension));
    entries.append("test", parser.getBuilder().getStringAttr(test));
    entries.append("value", integer(parser, value));
    if (succeeded(parser.parseOptionalKeyword("rest"))) {
      if (tessera::mncore::parseNumber(parser, rest))
        return failure();
      entries.append("rest", integer(parser, rest));
    }
    guards.push_back(dictionary(parser, entries));
    return success();
  };
  if (parser.parseCommaSeparatedList(guard))
    return failure();
  when = parser.getBuilder().getArrayAttr(guards);
  return success();
}

static void printWhen(OpAsmPrinter &printer, Operation *, ArrayAttr when) {
  llvm::interleaveComma(when, printer, [&](Attribute attribute) {
    auto entries = llvm::dyn_cast<DictionaryAttr>(attribute);
    auto dimension = entries ? entries.getAs<IntegerAttr>("dimension") : IntegerAttr();
    auto test = entries ? entries.getAs<StringAttr>("test") : StringAttr();
    auto value = entries ? entries.getAs<IntegerAttr>("value") : IntegerAttr();
    if (!dimension || !test || !value) {
      printer << attribute;
      return;
    }
    printer << 'i' << dimension.getInt() << ' ' << test.getValue() << ' ' << value.getInt();
    if (auto rest = entries.getAs<IntegerAttr>("rest"))
      printer << " rest " << rest.getInt();
  });
}

// `[0x3f800000 in r[508]]`
static ParseResult parseConstants(OpAsmParser &parser, ArrayAttr &constants) {
  SmallVector<Attribute> list;
  auto constant = [&]() -> ParseResult {
    NamedAttrList entries;
    int64_t word;
    PlaceAttr place;
    if (tessera::mncore::parseNumber(parser, word) || parser.parseKeyword("in") || parsePlace(parser, place))
      return failure();
    entries.append("word", integer(parser, word));
    entries.append("place", place);
    list.push_back(dictionary(parser, entries));
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, constant))
    return failure();
  constants = parser.getBuilder().getArrayAttr(list);
  return success();
}

static void printConstants(OpAsmPrinter &printer, Operation *, ArrayAttr constants) {
  EntryPrinter entry(printer, {});
  printer << '[';
  llvm::interleaveComma(constants, printer, [&](Attribute attribute) {
    auto entries = llvm::dyn_cast<DictionaryAttr>(attribute);
    auto word = entries ? entries.getAs<IntegerAttr>("word") : IntegerAttr();
    if (!word) {
      printer << attribute;
      return;
    }
    entry.word(word);
    printer << " in ";
    entry.placeOrName(entries.get("place"));
  });
  printer << ']';
}

// `[0 : tensor<1x32x32xf32> "..."]`
static ParseResult parseTensors(OpAsmParser &parser, ArrayAttr &tensors) {
  SmallVector<Attribute> list;
  auto tensor = [&]() -> ParseResult {
    NamedAttrList entries;
    int64_t argument;
    Type type;
    std::string layout;
    if (tessera::mncore::parseNumber(parser, argument) || parser.parseColonType(type) || parser.parseString(&layout))
      return failure();
    entries.append("argument", integer(parser, argument));
    entries.append("type", TypeAttr::get(type));
    entries.append("layout", parser.getBuilder().getStringAttr(layout));
    if (succeeded(parser.parseOptionalKeyword("view"))) {
      std::string view;
      if (parser.parseString(&view))
        return failure();
      entries.append("view", parser.getBuilder().getStringAttr(view));
    }
    list.push_back(dictionary(parser, entries));
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, tensor))
    return failure();
  tensors = parser.getBuilder().getArrayAttr(list);
  return success();
}

static void printTensors(OpAsmPrinter &printer, Operation *, ArrayAttr tensors) {
  printer << '[';
  llvm::interleaveComma(tensors, printer, [&](Attribute attribute) {
    auto entries = llvm::dyn_cast<DictionaryAttr>(attribute);
    auto argument = entries ? entries.getAs<IntegerAttr>("argument") : IntegerAttr();
    auto type = entries ? entries.getAs<TypeAttr>("type") : TypeAttr();
    auto layout = entries ? entries.getAs<StringAttr>("layout") : StringAttr();
    if (!argument || !type || !layout) {
      printer << attribute;
      return;
    }
    printer << argument.getInt() << " : " << type.getValue() << ' ' << layout;
    if (auto view = entries.getAs<StringAttr>("view"))
      printer << " view " << view;
  });
  printer << ']';
}

#define GET_TYPEDEF_CLASSES
#include "mncore/Types.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "mncore/Attrs.cpp.inc"

#define GET_OP_CLASSES
#include "mncore/Ops.cpp.inc"

namespace tessera::mncore {

void MncoreDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "mncore/Ops.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "mncore/Types.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "mncore/Attrs.cpp.inc"
      >();
}

} // namespace tessera::mncore

extern "C" {
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Mncore, mncore);

// The parts of a place. Ring and stride are 0, group and L2B are negative if absent.
struct TesseraMncorePlace {
  MlirStringRef memory;
  const int64_t *steps;
  intptr_t dimensions;
  int64_t offset, base, ring, stride, group, l2b;
};

MlirAttribute tesseraMncorePlaceGet(MlirContext context, const TesseraMncorePlace *parts) {
  return wrap(Attribute(PlaceAttr::get(unwrap(context), unwrap(parts->memory), parts->offset, parts->base,
                                       ArrayRef<int64_t>(parts->steps, parts->dimensions), parts->ring, parts->stride,
                                       parts->group, parts->l2b)));
}

// Returns the parts of a place; false for another attribute. The data that `parts` points to lives
// as long as the context.
bool tesseraMncorePlaceParts(MlirAttribute attribute, TesseraMncorePlace *parts) {
  auto place = llvm::dyn_cast<PlaceAttr>(unwrap(attribute));
  if (!place)
    return false;
  *parts = {wrap(place.getMemory()), place.getSteps().data(), static_cast<intptr_t>(place.getSteps().size()),
            place.getOffset(),       place.getBase(),         place.getRing(),
            place.getStride(),       place.getGroup(),        place.getL2b()};
  return true;
}
}
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Mncore, mncore, tessera::mncore::MncoreDialect)
