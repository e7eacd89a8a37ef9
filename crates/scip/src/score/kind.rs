//! What a symbol is, read from the end of its name.

/// The kind of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Kind {
    Function,
    Type,
    Term,
    Module,
    Macro,
    Parameter,
    TypeParameter,
    Local,
    Other,
}

impl Kind {
    /// Reads the suffix of the last descriptor.
    pub(crate) fn of(symbol: &str) -> Kind {
        if symbol.starts_with("local ") {
            return Kind::Local;
        }
        match symbol.as_bytes().last() {
            Some(b'.') if symbol.ends_with(").") => Kind::Function,
            Some(b'.') => Kind::Term,
            // A "meta" descriptor: some name modules so, others properties of object literals.
            Some(b':') if symbol.ends_with("/__init__:") => Kind::Module,
            Some(b':') => Kind::Term,
            Some(b'#') => Kind::Type,
            Some(b'/') => Kind::Module,
            Some(b'!') => Kind::Macro,
            Some(b')') => Kind::Parameter,
            Some(b']') => Kind::TypeParameter,
            _ => Kind::Other,
        }
    }

    pub(crate) const fn is_local(self) -> bool {
        matches!(self, Kind::Local | Kind::Parameter | Kind::TypeParameter)
    }

    /// As a member of a set.
    pub(crate) const fn bit(self) -> u16 {
        1 << self as u16
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn suffixes_tell_kinds() {
        let kinds =
            ["a f(+1).", "a T#", "a x.", "a m/", "a m!", "a f().(x)", "a T#[U]", "local 3", "", "a `m`/__init__:"];
        let expected = [
            Kind::Function,
            Kind::Type,
            Kind::Term,
            Kind::Module,
            Kind::Macro,
            Kind::Parameter,
            Kind::TypeParameter,
            Kind::Local,
            Kind::Other,
            Kind::Module,
        ];
        assert_eq!(kinds.map(Kind::of), expected);
    }
}
