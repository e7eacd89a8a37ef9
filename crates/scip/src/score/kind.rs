//! What a symbol is, read from the end of its name.

/// The kind of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum ScipKind {
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

impl ScipKind {
    /// Reads the suffix of the last descriptor.
    pub(crate) fn of(symbol: &str) -> ScipKind {
        if symbol.starts_with("local ") {
            return ScipKind::Local;
        }
        match symbol.as_bytes().last() {
            Some(b'.') if symbol.ends_with(").") => ScipKind::Function,
            Some(b'.') => ScipKind::Term,
            // A "meta" descriptor: some name modules so, others properties of object literals.
            Some(b':') if symbol.ends_with("/__init__:") => ScipKind::Module,
            Some(b':') => ScipKind::Term,
            Some(b'#') => ScipKind::Type,
            Some(b'/') => ScipKind::Module,
            Some(b'!') => ScipKind::Macro,
            Some(b')') => ScipKind::Parameter,
            Some(b']') => ScipKind::TypeParameter,
            _ => ScipKind::Other,
        }
    }

    pub(crate) const fn is_local(self) -> bool {
        matches!(self, ScipKind::Local | ScipKind::Parameter | ScipKind::TypeParameter)
    }

    /// As a member of a set.
    pub(crate) const fn bit(self) -> u16 {
        1 << self as u16
    }
}

#[cfg(test)]
mod tests {
    use super::ScipKind;

    #[test]
    fn suffixes_tell_kinds() {
        let kinds =
            ["a f(+1).", "a T#", "a x.", "a m/", "a m!", "a f().(x)", "a T#[U]", "local 3", "", "a `m`/__init__:"];
        let expected = [
            ScipKind::Function,
            ScipKind::Type,
            ScipKind::Term,
            ScipKind::Module,
            ScipKind::Macro,
            ScipKind::Parameter,
            ScipKind::TypeParameter,
            ScipKind::Local,
            ScipKind::Other,
            ScipKind::Module,
        ];
        assert_eq!(kinds.map(ScipKind::of), expected);
    }
}
