//! The compact protocol of Thrift, as far as the headers and the footer of a Parquet file need it.

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Kind {
    I32 = 5,
    I64 = 6,
    Binary = 8,
    List = 9,
    Struct = 12,
}

/// A struct in the making. Fields come in the order of their numbers.
#[derive(Default)]
pub(super) struct Fields {
    bytes: Vec<u8>,
    last: u8,
}

impl Fields {
    fn head(&mut self, field: u8, kind: Kind) {
        // All steps between fields that are written here fit into four bits.
        self.bytes.push((field - self.last) << 4 | kind as u8);
        self.last = field;
    }

    pub(super) fn i32(mut self, field: u8, value: i32) -> Fields {
        self.head(field, Kind::I32);
        zigzag(&mut self.bytes, value.into());
        self
    }

    pub(super) fn i64(mut self, field: u8, value: i64) -> Fields {
        self.head(field, Kind::I64);
        zigzag(&mut self.bytes, value);
        self
    }

    pub(super) fn text(mut self, field: u8, value: &str) -> Fields {
        self.head(field, Kind::Binary);
        binary(&mut self.bytes, value);
        self
    }

    pub(super) fn inner(mut self, field: u8, value: Fields) -> Fields {
        self.head(field, Kind::Struct);
        self.bytes.extend(value.finish());
        self
    }

    pub(super) fn numbers(mut self, field: u8, values: &[i32]) -> Fields {
        self.list(field, Kind::I32, values.len());
        values.iter().for_each(|value| zigzag(&mut self.bytes, (*value).into()));
        self
    }

    pub(super) fn texts(mut self, field: u8, values: &[&str]) -> Fields {
        self.list(field, Kind::Binary, values.len());
        values.iter().for_each(|value| binary(&mut self.bytes, value));
        self
    }

    pub(super) fn structs(mut self, field: u8, values: impl ExactSizeIterator<Item = Fields>) -> Fields {
        self.list(field, Kind::Struct, values.len());
        values.for_each(|value| self.bytes.extend(value.finish()));
        self
    }

    fn list(&mut self, field: u8, of: Kind, count: usize) {
        self.head(field, Kind::List);
        match count {
            0..15 => self.bytes.push((count as u8) << 4 | of as u8),
            _ => {
                self.bytes.push(0xf0 | of as u8);
                varint(&mut self.bytes, count as u64);
            }
        }
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

pub(super) fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn zigzag(bytes: &mut Vec<u8>, value: i64) {
    varint(bytes, (value << 1 ^ value >> 63) as u64);
}

fn binary(bytes: &mut Vec<u8>, text: &str) {
    varint(bytes, text.len() as u64);
    bytes.extend(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_say_how_far_they_are_from_the_last() {
        let bytes = Fields::default().i32(1, -1).text(4, "ab").i64(9, 300).finish();
        assert_eq!(bytes, [0x15, 1, 0x38, 2, b'a', b'b', 0x56, 0xd8, 4, 0]);
    }

    #[test]
    fn long_lists_have_their_length_apart() {
        let bytes = Fields::default().numbers(2, &[0; 15]).finish();
        assert_eq!(bytes[..3], [0x29, 0xf5, 15]);
    }
}
