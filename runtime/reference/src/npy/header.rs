//! The header of a `.npy` file: magic, version, length, and a Python dictionary as text.

/// The content of a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Byte order and type, such as `<f4`.
    pub descr: String,
    /// Whether the first index runs fastest.
    pub fortran_order: bool,
    /// Extents.
    pub shape: Vec<u64>,
}

/// Why bytes do not begin with a header that NumPy writes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    /// Another format.
    #[error("not a .npy file: it does not begin with \\x93NUMPY; save the array with numpy.save")]
    Magic,
    /// A version of the format after 3.
    #[error("version {0}.{1} of the .npy format is unknown: versions 1.0, 2.0 and 3.0 are read")]
    Version(u8, u8),
    /// The file ends in its header.
    #[error("the .npy file ends within its header: it is truncated")]
    Truncated,
    /// Not the dictionary of an array.
    #[error(
        "the header of the .npy file is damaged or of no plain array: expected {expected} at byte \
         {at} of '{text}'"
    )]
    Syntax {
        /// The expected text.
        expected: &'static str,
        /// The position, in bytes from the start of the dictionary.
        at: usize,
        /// The dictionary, shortened.
        text: String,
    },
}

const MAGIC: &[u8] = b"\x93NUMPY";
/// NumPy pads the header with spaces so that the data is aligned to this.
const ALIGNMENT: usize = 64;

impl Header {
    /// Returns the header, and the data after it.
    pub fn parse(bytes: &[u8]) -> Result<(Self, &[u8]), HeaderError> {
        let rest = match bytes.strip_prefix(MAGIC) {
            Some(rest) => rest,
            None if MAGIC.starts_with(bytes) => return Err(HeaderError::Truncated),
            None => return Err(HeaderError::Magic),
        };
        let ([major, minor], rest) = rest.split_first_chunk().ok_or(HeaderError::Truncated)?;
        let (length, rest) = match (major, minor) {
            (1, 0) => {
                let (length, rest) = rest.split_first_chunk().ok_or(HeaderError::Truncated)?;
                (u16::from_le_bytes(*length).into(), rest)
            }
            (2 | 3, 0) => {
                let (length, rest) = rest.split_first_chunk().ok_or(HeaderError::Truncated)?;
                (u32::from_le_bytes(*length), rest)
            }
            _ => return Err(HeaderError::Version(*major, *minor)),
        };
        let (text, data) = rest
            .split_at_checked(length as usize)
            .ok_or(HeaderError::Truncated)?;
        Ok((Parser { text, at: 0 }.dictionary()?, data))
    }

    /// Returns the header in version 1, ready for the data to follow.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self {
            descr,
            fortran_order,
            shape,
        } = self;
        let order = if *fortran_order { "True" } else { "False" };
        // Python writes the tuple of one number with a comma.
        let shape = match shape[..] {
            [extent] => format!("({extent},)"),
            _ => format!(
                "({})",
                shape
                    .iter()
                    .map(u64::to_string)
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        };
        let mut text =
            format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}");
        let before = MAGIC.len() + 2 + 2;
        let padded = (before + text.len() + 1).next_multiple_of(ALIGNMENT) - before;
        text.push_str(&" ".repeat(padded - text.len() - 1));
        text.push('\n');
        let length = u16::try_from(text.len()).expect("a shape of few dimensions is short");
        [MAGIC, &[1, 0], &length.to_le_bytes(), text.as_bytes()].concat()
    }

    /// Returns the number of elements, if it fits 64 bits.
    pub fn elements(&self) -> Option<u64> {
        self.shape
            .iter()
            .try_fold(1_u64, |product, &extent| product.checked_mul(extent))
    }
}

/// Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`, the keys in any order.
struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Parser<'a> {
    fn dictionary(mut self) -> Result<Header, HeaderError> {
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        self.expect("{", "'{'")?;
        while !self.accept("}") {
            let start = self.at;
            let key = self.string("a key")?;
            self.expect(":", "':'")?;
            match key {
                b"descr" if descr.is_none() => {
                    descr =
                        Some(String::from_utf8_lossy(self.string("a plain type")?).into_owned());
                }
                b"fortran_order" if fortran_order.is_none() => {
                    fortran_order = Some(self.boolean()?)
                }
                b"shape" if shape.is_none() => shape = Some(self.tuple()?),
                _ => return Err(self.error("one each of 'descr', 'fortran_order', 'shape'", start)),
            }
            if !self.accept(",") {
                self.expect("}", "',' or '}'")?;
                break;
            }
        }
        match (descr, fortran_order, shape) {
            (Some(descr), Some(fortran_order), Some(shape)) => Ok(Header {
                descr,
                fortran_order,
                shape,
            }),
            _ => Err(self.error("one each of 'descr', 'fortran_order', 'shape'", self.at)),
        }
    }

    fn boolean(&mut self) -> Result<bool, HeaderError> {
        if self.accept("True") {
            Ok(true)
        } else {
            self.expect("False", "True or False").map(|()| false)
        }
    }

    fn tuple(&mut self) -> Result<Vec<u64>, HeaderError> {
        let mut extents = Vec::new();
        self.expect("(", "'('")?;
        while !self.accept(")") {
            extents.push(self.number()?);
            if !self.accept(",") {
                self.expect(")", "',' or ')'")?;
                break;
            }
        }
        Ok(extents)
    }

    fn number(&mut self) -> Result<u64, HeaderError> {
        self.skip_space();
        let digits = self.text[self.at..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let number = std::str::from_utf8(&self.text[self.at..][..digits])
            .ok()
            .and_then(|text| text.parse().ok());
        let number = number.ok_or_else(|| self.error("an extent", self.at))?;
        self.at += digits;
        Ok(number)
    }

    /// Returns the inside of a quoted string; NumPy's have no escapes.
    fn string(&mut self, expected: &'static str) -> Result<&'a [u8], HeaderError> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let inside = match rest {
            [quote @ (b'\'' | b'"'), rest @ ..] => rest
                .iter()
                .position(|byte| byte == quote)
                .map(|end| &rest[..end]),
            _ => None,
        };
        let inside = inside.ok_or_else(|| self.error(expected, self.at))?;
        self.at += inside.len() + 2;
        Ok(inside)
    }

    fn expect(&mut self, token: &str, expected: &'static str) -> Result<(), HeaderError> {
        if self.accept(token) {
            Ok(())
        } else {
            Err(self.error(expected, self.at))
        }
    }

    fn accept(&mut self, token: &str) -> bool {
        self.skip_space();
        let found = self.text[self.at..].starts_with(token.as_bytes());
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn skip_space(&mut self) {
        self.at += self.text[self.at..]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
    }

    fn error(&self, expected: &'static str, at: usize) -> HeaderError {
        const SHOWN: usize = 80;
        let shown = &self.text[..self.text.len().min(SHOWN)];
        HeaderError::Syntax {
            expected,
            at,
            text: shown.trim_ascii_end().escape_ascii().to_string(),
        }
    }
}
