//! The specification of vector instructions, element by element, selected by mnemonic. All operands
//! are read before the result is written.

use tessera_riscv::Instruction;

type Register = [u8; 16];

#[derive(Clone, Debug)]
pub struct State {
    pub v: [Register; 32],
    pub x: [u32; 32],
    pub f: [u32; 32],
    pub vl: u32,
    pub sew: u32,
    pub lmul: i32,
    pub rounding: u32,
    pub saturated: bool,
}

impl Default for State {
    fn default() -> Self {
        State {
            v: [[0; 16]; 32],
            x: [0; 32],
            f: [0; 32],
            vl: 0,
            sew: 8,
            lmul: 0,
            rounding: 0,
            saturated: false,
        }
    }
}

/// Returns bits `from..from + count` of the registers from `base` on.
fn bits(v: &[Register; 32], base: u8, from: u32, count: u32) -> i128 {
    (0..count).fold(0, |value, k| {
        let at = u32::from(base) * 128 + from + k;
        // Instructions without an operand leave any number in its place.
        let byte = v
            .get(at as usize / 128)
            .map_or(0, |v| v[at as usize % 128 / 8]);
        value | i128::from(byte >> (at % 8) & 1) << k
    })
}

fn put(v: &mut [Register; 32], base: u8, from: u32, count: u32, value: i128) {
    for k in 0..count {
        let at = u32::from(base) * 128 + from + k;
        let byte = &mut v[at as usize / 128][at as usize % 128 / 8];
        *byte = *byte & !(1 << (at % 8)) | ((value >> k & 1) as u8) << (at % 8);
    }
}

/// Returns the sign-extended value of a number with `width` bits.
fn sign(value: i128, width: u32) -> i128 {
    let value = value & ((1 << width) - 1);
    if value >> (width - 1) & 1 != 0 {
        value - (1 << width)
    } else {
        value
    }
}

/// Returns `value / 2^by`, rounded.
fn divided(value: i128, by: i128, mode: u32) -> i128 {
    let unit = 1i128 << by;
    let (quotient, rest) = (value.div_euclid(unit), value.rem_euclid(unit));
    let is_odd = quotient.rem_euclid(2) == 1;
    let up = match mode {
        0 => rest * 2 >= unit,
        1 => rest * 2 > unit || rest * 2 == unit && is_odd,
        2 => false,
        _ => rest != 0 && !is_odd,
    };
    quotient + i128::from(up)
}

/// Returns the element widths of vd, vs2 and vs1 for a mnemonic.
fn widths(name: &str, suffix: &str, sew: u32) -> (u32, u32, u32) {
    let wide = |is_wide: bool| if is_wide { 2 * sew } else { sew };
    match (name, suffix) {
        ("vzext" | "vsext", "vf2") => (sew, sew / 2, sew),
        ("vzext" | "vsext", "vf4") => (sew, sew / 4, sew),
        ("vwredsum" | "vwredsumu", _) => (2 * sew, sew, 2 * sew),
        ("vrgatherei16", _) => (sew, sew, 16),
        ("vnsrl" | "vnsra" | "vnclip" | "vnclipu" | "vfncvt", _) => (sew, 2 * sew, sew),
        _ => {
            let is_wide = name.starts_with("vw") || name == "vfwcvt";
            (wide(is_wide), wide(is_wide && suffix.starts_with('w')), sew)
        }
    }
}

/// An instruction with the state before it.
struct Case<'a> {
    before: State,
    i: &'a Instruction,
    full: &'a str,
    name: &'a str,
    suffix: &'a str,
    /// The active elements.
    elements: Vec<u32>,
}

pub fn execute(state: &mut State, i: &Instruction) {
    let text = i.to_string();
    let full = text.split(' ').next().unwrap();
    let (name, suffix) = full.split_once('.').unwrap();
    let before = state.clone();
    let is_masked = text.ends_with("v0.t");
    let is_active = |k: &u32| !is_masked || bits(&before.v, 0, *k, 1) != 0;
    let case = Case {
        elements: (0..before.vl).filter(is_active).collect(),
        before: before.clone(),
        i,
        full,
        name,
        suffix,
    };
    if case.scalar(state) || case.whole(state) {
        return;
    }
    for &k in &case.elements {
        if !(case.mask(state, k) || case.moved(state, k)) {
            case.element(state, k);
        }
    }
}

impl Case<'_> {
    fn bit(&self, base: u8, k: u32) -> bool {
        bits(&self.before.v, base, k, 1) != 0
    }

    /// Executes instructions with a scalar source or destination; returns whether this is one.
    fn scalar(&self, state: &mut State) -> bool {
        let (i, before) = (self.i, &self.before);
        let State { sew, vl, .. } = *before;
        let set = || self.elements.iter().filter(|&&k| self.bit(i.rs2, k));
        let value = match (self.name, self.suffix) {
            ("vmv", "x.s") => sign(bits(&before.v, i.rs2, 0, sew), sew) as u32,
            ("vcpop", _) => set().count() as u32,
            ("vfirst", _) => set().next().copied().unwrap_or(u32::MAX),
            ("vfmv", "f.s") => {
                state.f[usize::from(i.rd)] = bits(&before.v, i.rs2, 0, sew) as u32;
                return true;
            }
            ("vmv", "s.x") | ("vfmv", "s.f") => {
                let value = match self.name {
                    "vmv" => before.x[usize::from(i.rs1)],
                    _ => before.f[usize::from(i.rs1)],
                };
                if vl > 0 {
                    put(&mut state.v, i.rd, 0, sew, value.into());
                }
                return true;
            }
            _ => return false,
        };
        if i.rd != 0 {
            state.x[usize::from(i.rd)] = value;
        }
        true
    }

    /// Executes instructions on whole vectors; returns whether this is one.
    fn whole(&self, state: &mut State) -> bool {
        let (i, before) = (self.i, &self.before);
        let sew = before.sew;
        match self.name {
            "vmv1r" | "vmv2r" | "vmv4r" | "vmv8r" => {
                let count = usize::from(self.name.as_bytes()[3] - b'0');
                for k in 0..count {
                    state.v[usize::from(i.rd) + k] = before.v[usize::from(i.rs2) + k];
                }
            }
            "vcompress" => {
                let kept = (0..before.vl).filter(|&k| self.bit(i.rs1, k));
                for (to, from) in (0..).zip(kept) {
                    let value = bits(&before.v, i.rs2, from * sew, sew);
                    put(&mut state.v, i.rd, to * sew, sew, value);
                }
            }
            _ if self.name.contains("red") => {
                reduce(state, before, i, (self.name, self.suffix), &self.elements);
            }
            _ => return false,
        }
        true
    }

    /// Computes an element of mask instructions; returns whether this is one.
    fn mask(&self, state: &mut State, k: u32) -> bool {
        let i = self.i;
        let (a, b) = (self.bit(i.rs2, k), self.bit(i.rs1, k));
        let first = self.elements.iter().find(|&&k| self.bit(i.rs2, k));
        let number = match self.name {
            "viota" => {
                let before = |j: &&u32| **j < k && self.bit(i.rs2, **j);
                Some(self.elements.iter().filter(before).count() as i128)
            }
            "vid" => Some(k.into()),
            _ => None,
        };
        if let Some(number) = number {
            let sew = self.before.sew;
            put(&mut state.v, i.rd, k * sew, sew, number);
            return true;
        }
        let value = match self.name {
            "vmsbf" => first.is_none_or(|&f| k < f),
            "vmsif" => first.is_none_or(|&f| k <= f),
            "vmsof" => first == Some(&k),
            "vmand" => a & b,
            "vmnand" => !(a & b),
            "vmandn" => a & !b,
            "vmor" => a | b,
            "vmnor" => !(a | b),
            "vmorn" => a | !b,
            "vmxor" => a ^ b,
            "vmxnor" => !(a ^ b),
            _ => return false,
        };
        put(&mut state.v, i.rd, k, 1, value.into());
        true
    }

    /// Returns the second operand: an element of vs1, a scalar or an immediate.
    fn second(&self, k: u32) -> i128 {
        let (i, before) = (self.i, &self.before);
        let unsigned = [
            "vsll",
            "vsrl",
            "vsra",
            "vssrl",
            "vssra",
            "vnsrl",
            "vnsra",
            "vnclip",
            "vnclipu",
            "vslideup",
            "vslidedown",
            "vrgather",
        ];
        let kind = match self.name {
            "vmv" | "vfmv" => self.suffix.chars().last(),
            _ => self.suffix.chars().nth(1),
        };
        let short = i.imm >> 2 & 31;
        match kind {
            Some('x') => before.x[usize::from(i.rs1)].into(),
            Some('f') => before.f[usize::from(i.rs1)].into(),
            Some('i') if unsigned.contains(&self.name) => short.into(),
            Some('i') => i128::from(sign(short.into(), 5) as i32 as u32),
            _ => {
                let (.., width) = widths(self.name, self.suffix, before.sew);
                bits(&before.v, i.rs1, k * width, width)
            }
        }
    }

    /// Computes an element of permutations; returns whether this is one.
    fn moved(&self, state: &mut State, k: u32) -> bool {
        let (i, before) = (self.i, &self.before);
        let State { sew, vl, lmul, .. } = *before;
        let room = 128u32 >> sew.trailing_zeros() << lmul.max(0) >> (-lmul).max(0);
        let at = |j: i128| match (0..i128::from(room)).contains(&j) {
            true => bits(&before.v, i.rs2, j as u32 * sew, sew),
            false => 0,
        };
        let b = self.second(k);
        let (j, last) = (i128::from(k), i128::from(vl) - 1);
        let value = match self.name {
            "vslideup" if j < b => return true,
            "vslideup" => at(j - b),
            "vslidedown" => at(j + b),
            "vslide1up" | "vfslide1up" if k == 0 => b,
            "vslide1up" | "vfslide1up" => at(j - 1),
            "vslide1down" | "vfslide1down" if j == last => b,
            "vslide1down" | "vfslide1down" => at(j + 1),
            "vrgather" | "vrgatherei16" => at(b),
            _ => return false,
        };
        put(&mut state.v, i.rd, k * sew, sew, value);
        true
    }

    /// Computes an element of element-wise instructions.
    fn element(&self, state: &mut State, k: u32) {
        let (i, before) = (self.i, &self.before);
        let (d_width, a_width, _) = widths(self.name, self.suffix, before.sew);
        let element = Element {
            a: bits(&before.v, i.rs2, k * a_width, a_width),
            b: self.second(k),
            d: bits(&before.v, i.rd, k * d_width, d_width),
            carry: self.bit(0, k),
            a_width,
            sew: before.sew,
            mode: before.rounding,
        };
        if let Some(bit) = element.compared((self.name, self.suffix)) {
            put(&mut state.v, i.rd, k, 1, bit.into());
            return;
        }
        let (value, saturated) = element.computed(self.full, self.name);
        state.saturated |= saturated;
        put(&mut state.v, i.rd, k * d_width, d_width, value);
    }
}

struct Element {
    a: i128,
    b: i128,
    d: i128,
    carry: bool,
    a_width: u32,
    sew: u32,
    mode: u32,
}

fn float(value: i128) -> f32 {
    f32::from_bits(value as u32)
}

impl Element {
    fn compared(&self, (name, suffix): (&str, &str)) -> Option<bool> {
        let sew = self.sew;
        let mask = (1i128 << sew) - 1;
        let (a, b) = (self.a & mask, self.b & mask);
        let (sa, sb) = (sign(a, sew), sign(b, sew));
        let (fa, fb) = (float(a), float(b));
        let carry = i128::from(self.carry && suffix.ends_with('m'));
        Some(match name {
            "vmseq" => a == b,
            "vmsne" => a != b,
            "vmsltu" => a < b,
            "vmslt" => sa < sb,
            "vmsleu" => a <= b,
            "vmsle" => sa <= sb,
            "vmsgtu" => a > b,
            "vmsgt" => sa > sb,
            "vmadc" => a + b + carry > mask,
            "vmsbc" => a - b - carry < 0,
            "vmfeq" => fa == fb,
            "vmfne" => fa != fb,
            "vmflt" => fa < fb,
            "vmfle" => fa <= fb,
            "vmfgt" => fa > fb,
            "vmfge" => fa >= fb,
            _ => return None,
        })
    }

    fn computed(&self, full: &str, name: &str) -> (i128, bool) {
        let Element { d, sew, mode, .. } = *self;
        let mask = (1i128 << sew) - 1;
        let (a, b) = (self.a, self.b & mask);
        let (sa, sb) = (sign(a, self.a_width), sign(b, sew));
        let shift = b % i128::from(self.a_width.max(sew));
        let carry = i128::from(self.carry);
        let clamp = |value: i128, least: i128, most: i128| {
            let kept = value.max(least).min(most);
            (kept, kept != value)
        };
        let signed = |value| clamp(value, -(mask + 1) / 2, mask / 2);
        let unsigned = |value| clamp(value, 0, mask);
        let exact = |value: i128| (value, false);
        if full.starts_with("vf") {
            return exact(self.float(full, name));
        }
        match name {
            "vadd" => exact(a + b),
            "vsub" => exact(a - b),
            "vrsub" => exact(b - a),
            "vadc" => exact(a + b + carry),
            "vsbc" => exact(a - b - carry),
            "vminu" => exact(a.min(b)),
            "vmin" => exact(sa.min(sb)),
            "vmaxu" => exact(a.max(b)),
            "vmax" => exact(sa.max(sb)),
            "vand" => exact(a & b),
            "vor" => exact(a | b),
            "vxor" => exact(a ^ b),
            "vmerge" => exact(if self.carry { b } else { a }),
            "vmv" => exact(b),
            "vsll" => exact(a << shift),
            "vsrl" | "vnsrl" => exact(divided(a, shift, 2)),
            "vsra" | "vnsra" => exact(divided(sa, shift, 2)),
            "vsaddu" => unsigned(a + b),
            "vsadd" => signed(sa + sb),
            "vssubu" => unsigned(a - b),
            "vssub" => signed(sa - sb),
            "vaaddu" => exact(divided(a + b, 1, mode)),
            "vaadd" => exact(divided(sa + sb, 1, mode)),
            "vasubu" => exact(divided(a - b, 1, mode)),
            "vasub" => exact(divided(sa - sb, 1, mode)),
            "vsmul" => signed(divided(sa * sb, i128::from(sew) - 1, mode)),
            "vssrl" => exact(divided(a, shift, mode)),
            "vssra" => exact(divided(sa, shift, mode)),
            "vnclipu" => unsigned(divided(a, shift, mode)),
            "vnclip" => signed(divided(sa, shift, mode)),
            "vmul" => exact(a * b),
            "vmulhu" => exact((a * b) >> sew),
            "vmulh" => exact((sa * sb) >> sew),
            "vmulhsu" => exact((sa * b) >> sew),
            "vmacc" => exact(b * a + d),
            "vnmsac" => exact(-(b * a) + d),
            "vmadd" => exact(b * d + a),
            "vnmsub" => exact(-(b * d) + a),
            "vwaddu" => exact(a + b),
            "vwadd" => exact(sa + sb),
            "vwsubu" => exact(a - b),
            "vwsub" => exact(sa - sb),
            "vwmulu" => exact(a * b),
            "vwmul" => exact(sa * sb),
            "vwmulsu" => exact(sa * b),
            "vwmaccu" => exact(a * b + d),
            "vwmacc" => exact(sa * sb + d),
            "vwmaccsu" => exact(sb * a + d),
            "vwmaccus" => exact(b * sa + d),
            "vzext" => exact(a),
            "vsext" => exact(sa),
            _ => panic!("{full}"),
        }
    }

    fn float(&self, full: &str, name: &str) -> i128 {
        let (a, b, d) = (float(self.a), float(self.b), float(self.d));
        let number = |value: f32| i128::from(value.to_bits());
        let half = |value: f32, least: f32, most: f32| {
            i128::from(value.round_ties_even().clamp(least, most) as i64)
        };
        let sign_bit = 1i128 << 31;
        match (name, full) {
            ("vfadd", _) => number(a + b),
            ("vfsub", _) => number(a - b),
            ("vfrsub", _) => number(b - a),
            ("vfmul", _) => number(a * b),
            ("vfmadd", _) => number(b.mul_add(d, a)),
            ("vfnmadd", _) => number((-b).mul_add(d, -a)),
            ("vfmsub", _) => number(b.mul_add(d, -a)),
            ("vfnmsub", _) => number((-b).mul_add(d, a)),
            ("vfmacc", _) => number(b.mul_add(a, d)),
            ("vfnmacc", _) => number((-b).mul_add(a, -d)),
            ("vfmsac", _) => number(b.mul_add(a, -d)),
            ("vfnmsac", _) => number((-b).mul_add(a, d)),
            // Of equal values, which may be zeros of either sign, the negative one is less.
            ("vfmin", _) if a == b => self.a | self.b,
            ("vfmax", _) if a == b => self.a & self.b,
            ("vfmin", _) => number(a.min(b)),
            ("vfmax", _) => number(a.max(b)),
            ("vfsgnj", _) => self.a & !sign_bit | self.b & sign_bit,
            ("vfsgnjn", _) => self.a & !sign_bit | !self.b & sign_bit,
            ("vfsgnjx", _) => self.a ^ self.b & sign_bit,
            ("vfmerge", _) => {
                if self.carry {
                    self.b
                } else {
                    self.a
                }
            }
            ("vfmv", _) => self.b,
            ("vfclass", _) => match (a == 0.0, a.is_sign_negative()) {
                (true, true) => 1 << 3,
                (true, false) => 1 << 4,
                (false, true) => 1 << 1,
                (false, false) => 1 << 6,
            },
            (_, "vfcvt.xu.f.v" | "vfcvt.rtz.xu.f.v") => half(a, 0.0, u32::MAX as f32),
            (_, "vfcvt.x.f.v" | "vfcvt.rtz.x.f.v") => half(a, i32::MIN as f32, i32::MAX as f32),
            (_, "vfncvt.xu.f.w" | "vfncvt.rtz.xu.f.w") => half(a, 0.0, 65535.0),
            (_, "vfncvt.x.f.w" | "vfncvt.rtz.x.f.w") => half(a, -32768.0, 32767.0),
            (_, "vfcvt.f.xu.v" | "vfwcvt.f.xu.v") => number(self.a as f32),
            (_, "vfcvt.f.x.v" | "vfwcvt.f.x.v") => number(sign(self.a, self.a_width) as f32),
            _ => panic!("{full}"),
        }
    }
}

fn reduce(
    state: &mut State,
    before: &State,
    i: &Instruction,
    (name, suffix): (&str, &str),
    elements: &[u32],
) {
    if before.vl == 0 {
        return;
    }
    let (d_width, a_width, b_width) = widths(name, suffix, before.sew);
    let mut sum = bits(&before.v, i.rs1, 0, b_width);
    for k in elements {
        let a = bits(&before.v, i.rs2, k * a_width, a_width);
        let (sa, ss) = (sign(a, a_width), sign(sum, b_width));
        sum = match name {
            "vredsum" | "vwredsumu" => sum + a,
            "vwredsum" => sum + sa,
            "vredand" => sum & a,
            "vredor" => sum | a,
            "vredxor" => sum ^ a,
            "vredminu" => sum.min(a),
            "vredmaxu" => sum.max(a),
            "vredmin" => sa.min(ss),
            "vredmax" => sa.max(ss),
            "vfredosum" => (float(sum) + float(a)).to_bits().into(),
            "vfredmin" if float(sum) == float(a) => sum | a,
            "vfredmax" if float(sum) == float(a) => sum & a,
            "vfredmin" => float(sum).min(float(a)).to_bits().into(),
            "vfredmax" => float(sum).max(float(a)).to_bits().into(),
            _ => panic!("{name}"),
        } & ((1 << b_width) - 1);
    }
    put(&mut state.v, i.rd, 0, d_width, sum);
}
