//! Parser of ODS operation declarations in the JSON output of `llvm-tblgen --dump-json`.
//!
//! The JSON has one object per record, by name; `!superclasses` lists the classes it derives from,
//! and a directed acyclic graph such as `(ins AnyType:$input)` has `args`, pairs of a record and a
//! name.

use std::error::Error;

use serde_json::Value;

/// An operation.
#[derive(Debug)]
pub struct Operation {
    /// The dialect.
    pub dialect: String,
    /// The name without the dialect.
    pub mnemonic: String,
    /// The name of its class in C++, such as `TLoadOp`.
    pub class: String,
    /// The ODS classes it derives from.
    pub superclasses: Vec<String>,
    /// Its kind.
    pub summary: String,
    /// The operands, in order.
    pub operands: Vec<Named<Arity>>,
    /// Whether an attribute says how many operands each group has.
    pub has_operand_segments: bool,
    /// The results, in order.
    pub results: Vec<Named<Arity>>,
    /// The attributes, in order.
    pub attributes: Vec<Named<Kind>>,
    /// The regions, in order.
    pub regions: Vec<Named<Arity>>,
}

/// An item with its name in ODS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named<T> {
    /// The name; empty for unnamed items.
    pub name: String,
    /// Its kind.
    pub what: T,
}

/// The number of values or regions of a named group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// Exactly one.
    One,
    /// At most one.
    Optional,
    /// Any number.
    Variadic,
}

/// The kind of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A builtin kind, named as in `src/mlir/attribute_key.rs`.
    Builtin(String),
    /// An attribute of a dialect, by the C++ class of its storage.
    Class(String),
}

/// The records of one file.
pub struct Records(Value);

impl Records {
    /// Parses the output of `llvm-tblgen --dump-json`.
    ///
    /// # Errors
    /// The text is not JSON.
    pub fn parse(json: &[u8]) -> Result<Self, Box<dyn Error>> {
        Ok(Records(serde_json::from_slice(json)?))
    }

    /// Returns the operations of a dialect, in the order of their names.
    ///
    /// # Errors
    /// A record lacks a field of its class.
    pub fn operations(&self, dialect: &str) -> Result<Vec<Operation>, Box<dyn Error>> {
        let names = list(&self.0["!instanceof"]["Op"], "instances of Op")?;
        let mut operations = Vec::new();
        for name in names {
            let name = text(name, "the name of a record")?;
            let operation = self.operation(name)?;
            if operation.dialect == dialect {
                operations.push(operation);
            }
        }
        Ok(operations)
    }

    fn operation(&self, name: &str) -> Result<Operation, Box<dyn Error>> {
        let record = self.record(name)?;
        let dialect = self.record(definition(&record["opDialect"])?)?;
        let mut operation = Operation {
            dialect: text(&dialect["name"], "the name of a dialect")?.to_owned(),
            mnemonic: text(&record["opName"], "opName")?.to_owned(),
            class: class_name(name).to_owned(),
            superclasses: superclasses(record).map(str::to_owned).collect(),
            summary: record["summary"].as_str().unwrap_or_default().trim().into(),
            operands: Vec::new(),
            has_operand_segments: false,
            results: Vec::new(),
            attributes: Vec::new(),
            regions: Vec::new(),
        };
        for r#trait in list(&record["traits"], "traits")? {
            operation.has_operand_segments |= definition(r#trait)? == "AttrSizedOperandSegments";
        }
        for (name, argument) in self.arguments(&record["arguments"])? {
            if superclasses(argument).any(|class| class == "Attr") {
                let what = self.kind(argument)?;
                operation.attributes.push(Named { name, what });
            } else {
                let what = self.arity(argument)?;
                operation.operands.push(Named { name, what });
            }
        }
        for (field, named) in [
            ("results", &mut operation.results),
            ("regions", &mut operation.regions),
        ] {
            for (name, argument) in self.arguments(&record[field])? {
                let what = self.arity(argument)?;
                named.push(Named { name, what });
            }
        }
        Ok(operation)
    }

    /// Returns the named arguments of a graph, with their records.
    fn arguments(&self, graph: &Value) -> Result<Vec<(String, &Value)>, Box<dyn Error>> {
        let mut named = Vec::new();
        for argument in list(&graph["args"], "args")? {
            let name = argument[1].as_str().unwrap_or_default().to_owned();
            named.push((name, self.record(definition(&argument[0])?)?));
        }
        Ok(named)
    }

    /// Returns the number of values or regions that a constraint allows.
    fn arity(&self, constraint: &Value) -> Result<Arity, Box<dyn Error>> {
        if superclasses(constraint).any(|class| class == "OpVariable") {
            return self.arity(self.record(definition(&constraint["constraint"])?)?);
        }
        let is = |wanted: &str| superclasses(constraint).any(|class| class == wanted);
        Ok(if is("Optional") {
            Arity::Optional
        } else if is("Variadic") || is("VariadicRegion") || is("VariadicOfVariadic") {
            Arity::Variadic
        } else {
            Arity::One
        })
    }

    /// Returns the kind of an attribute, looking through optional attributes and defaults.
    fn kind(&self, attribute: &Value) -> Result<Kind, Box<dyn Error>> {
        if let Some(base) = attribute["baseAttr"]["def"].as_str() {
            return self.kind(self.record(base)?);
        }
        let storage = attribute["storageType"].as_str().unwrap_or_default().trim();
        let element = attribute["elementAttr"]["def"].as_str();
        let width = || self.width(attribute);
        let builtin = |name: &str| Ok(Kind::Builtin(name.to_owned()));
        match storage {
            "::mlir::StringAttr" => builtin("Text"),
            "::mlir::FlatSymbolRefAttr" => builtin("Symbol"),
            "::mlir::BoolAttr" => builtin("Bool"),
            "::mlir::UnitAttr" => builtin("Unit"),
            "::mlir::TypeAttr" => builtin("TypeValue"),
            "::mlir::DictionaryAttr" => builtin("Dictionary"),
            "::mlir::DenseI32ArrayAttr" => builtin("DenseInts<32>"),
            "::mlir::DenseI64ArrayAttr" => builtin("DenseInts<64>"),
            "::mlir::IntegerAttr" => builtin(&match width()? {
                (width, true) => format!("SignedInt<{width}>"),
                (width, false) => format!("Int<{width}>"),
            }),
            "::mlir::FloatAttr" => builtin(&format!("Float<{}>", width()?.0)),
            "::mlir::ArrayAttr" => builtin(match element {
                Some("FlatSymbolRefAttr") => "Symbols",
                Some("I32Attr") => "Ints<32>",
                Some("I64Attr") => "Ints<64>",
                _ => "List",
            }),
            "" => builtin("Any"),
            mlir if mlir.starts_with("::mlir::") => match width() {
                // An enumeration stored as an integer attribute.
                Ok((width, false)) => builtin(&format!("Int<{width}>")),
                _ => builtin("Any"),
            },
            class => Ok(Kind::Class(class.to_owned())),
        }
    }

    /// Returns the width and signedness of a number type.
    fn width(&self, attribute: &Value) -> Result<(u64, bool), Box<dyn Error>> {
        let r#type = self.record(definition(&attribute["valueType"])?)?;
        let width = r#type["bitwidth"].as_u64();
        let signed = superclasses(r#type).any(|class| class == "SI");
        Ok((width.ok_or("a number has no bitwidth")?, signed))
    }

    fn record(&self, name: &str) -> Result<&Value, Box<dyn Error>> {
        let record = self.0.get(name);
        record.ok_or_else(|| format!("there is no record '{name}'").into())
    }
}

/// Returns the C++ class name: the record name without the dialect prefix.
fn class_name(record: &str) -> &str {
    record.split_once('_').map_or(record, |(_, class)| class)
}

fn superclasses(record: &Value) -> impl Iterator<Item = &str> {
    let classes = record["!superclasses"].as_array().into_iter().flatten();
    classes.filter_map(Value::as_str)
}

fn definition(reference: &Value) -> Result<&str, Box<dyn Error>> {
    text(&reference["def"], "a reference to a record")
}

fn text<'v>(value: &'v Value, what: &str) -> Result<&'v str, Box<dyn Error>> {
    let text = value.as_str();
    text.ok_or_else(|| format!("{what} is not text: {value}").into())
}

fn list<'v>(value: &'v Value, what: &str) -> Result<&'v [Value], Box<dyn Error>> {
    let list = value.as_array().map(Vec::as_slice);
    list.ok_or_else(|| format!("{what} is not a list: {value}").into())
}
