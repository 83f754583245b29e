//! String enumerations: Rust counterparts of the enumerations that ODS declares, by their keywords.

/// Declares an enumeration with the keywords of its ODS counterpart.
///
/// `$mnemonic` is the attribute's full name, such as `ttnn.buffer_type`. An enumeration that only
/// occurs in types has none.
macro_rules! string_enum {
    ($(#[$meta:meta])* $name:ident = $mnemonic:literal { $($cases:tt)* }) => {
        $crate::string_enum::string_enum! { $(#[$meta])* $name { $($cases)* } }

        impl $name {
            /// Converts from the attribute.
            pub fn from_attribute(attribute: $crate::mlir::Attribute) -> Option<Self> {
                $crate::mlir::word(attribute, $mnemonic).and_then(Self::from_word)
            }

            /// Converts to the attribute.
            ///
            /// # Panics
            /// The dialects of Tessera are not registered in the context.
            pub fn attribute<'a>(self, context: $crate::mlir::ContextRef<'a>) -> $crate::mlir::Attribute<'a> {
                let text = format!("#{}<{}>", $mnemonic, self.word());
                context.parse_attribute(&text).unwrap_or_else(|| panic!("{text} is not an attribute"))
            }
        }

        impl $crate::mlir::AttributeKind for $name {
            type Value<'a> = Self;
            type Given<'a, 'b>
                = Self
            where
                'a: 'b;

            fn read(attribute: $crate::mlir::Attribute<'_>) -> Option<Self> {
                Self::from_attribute(attribute)
            }

            fn write<'a: 'b, 'b>(
                context: $crate::mlir::ContextRef<'a>,
                value: Self,
            ) -> $crate::mlir::Attribute<'a> {
                value.attribute(context)
            }
        }
    };
    ($(#[$meta:meta])* $name:ident { $($(#[$case_meta:meta])* $case:ident = $word:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$case_meta])* $case,)*
        }

        impl $name {
            /// Every case.
            pub const ALL: &'static [Self] = &[$(Self::$case,)*];

            /// Returns its keyword.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$case => $word,)*
                }
            }

            /// Returns the case with a keyword.
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|case| case.word() == word)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}

pub(crate) use string_enum;
