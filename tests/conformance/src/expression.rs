//! Integer expressions of an index, as `libmnc2.txt` contains them.
//!
//! `i`, decimal and hexadecimal numbers, parentheses, `* / %`, `+ -`, `<<`, `<`, `==`, and
//! `condition ? this : that`, each binding weaker than the one before. Division rounds down.

/// An expression.
#[derive(Clone, Debug)]
pub enum Expression {
    Number(i128),
    Index,
    Binary(char, Box<Expression>, Box<Expression>),
    Choice(Box<Expression>, Box<Expression>, Box<Expression>),
}

/// The binary operators by precedence, the lowest first. A letter represents an operator of two
/// characters.
const LEVELS: [&[(&str, char)]; 5] = [
    &[("==", 'e')],
    &[("<", '<')],
    &[("<<", 's')],
    &[("+", '+'), ("-", '-')],
    &[("*", '*'), ("/", '/'), ("%", '%')],
];

impl Expression {
    /// Parses an expression; the error names the unexpected text.
    pub fn parse(text: &str) -> Result<Expression, String> {
        let mut reader = Reader { rest: text.trim() };
        let expression = reader.choice()?;
        match reader.rest {
            "" => Ok(expression),
            rest => Err(format!("{rest:?} does not belong to {text:?}")),
        }
    }

    /// Returns the value at an index, or `None` after a division by zero or an overflow.
    pub fn value(&self, index: i128) -> Option<i128> {
        match self {
            Expression::Number(number) => Some(*number),
            Expression::Index => Some(index),
            Expression::Choice(condition, this, that) => match condition.value(index)? {
                0 => that.value(index),
                _ => this.value(index),
            },
            Expression::Binary(operator, left, right) => {
                let (left, right) = (left.value(index)?, right.value(index)?);
                match operator {
                    '+' => left.checked_add(right),
                    '-' => left.checked_sub(right),
                    '*' => left.checked_mul(right),
                    '/' => left.checked_div_euclid(right),
                    '%' => left.checked_rem_euclid(right),
                    '<' => Some(i128::from(left < right)),
                    'e' => Some(i128::from(left == right)),
                    _ => left.checked_shl(u32::try_from(right).ok()?),
                }
            }
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn eat(&mut self, sign: &str) -> bool {
        match self.rest.strip_prefix(sign) {
            // `<` is not the first half of `<<`.
            Some(rest) if sign != "<" || !rest.starts_with('<') => {
                self.rest = rest.trim_start();
                true
            }
            _ => false,
        }
    }

    fn choice(&mut self) -> Result<Expression, String> {
        let condition = self.level(0)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let this = self.choice()?;
        if !self.eat(":") {
            return Err(format!("a : is missing before {:?}", self.rest));
        }
        let that = self.choice()?;
        Ok(Expression::Choice(
            condition.into(),
            this.into(),
            that.into(),
        ))
    }

    fn level(&mut self, level: usize) -> Result<Expression, String> {
        let Some(operators) = LEVELS.get(level) else {
            return self.atom();
        };
        let mut left = self.level(level + 1)?;
        while let Some((_, operator)) = operators.iter().find(|(sign, _)| self.eat(sign)) {
            let right = self.level(level + 1)?;
            left = Expression::Binary(*operator, left.into(), right.into());
        }
        Ok(left)
    }

    fn atom(&mut self) -> Result<Expression, String> {
        if self.eat("(") {
            let inner = self.choice()?;
            return match self.eat(")") {
                true => Ok(inner),
                false => Err(format!("a ) is missing before {:?}", self.rest)),
            };
        }
        let end = self
            .rest
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        let atom = match (word, word.strip_prefix("0x")) {
            ("i", _) => Some(Expression::Index),
            (_, Some(digits)) => i128::from_str_radix(digits, 16)
                .ok()
                .map(Expression::Number),
            (digits, None) => digits.parse().ok().map(Expression::Number),
        };
        let atom =
            atom.ok_or_else(|| format!("a number or i is missing before {:?}", self.rest))?;
        self.rest = rest.trim_start();
        Ok(atom)
    }
}

#[cfg(test)]
mod tests;
