//! Language tables with kind and field names replaced by the grammar's numbers, built once per process.

use std::sync::OnceLock;

use codegraph_languages::table::{Act, Key, Language, Modifier, Rule, Slot};
use codegraph_model::{Flags, ScopeKind, SymbolKind};
use rustc_hash::FxHashMap;

/// A language table, ready for the walk.
pub(crate) struct Table {
    pub(crate) language: &'static Language,
    pub(crate) grammar: tree_sitter::Language,
    kinds: Vec<Kind>,
    words: Vec<Box<str>>,
    rules: Vec<Compiled>,
    pub(crate) calls: FxHashMap<&'static str, codegraph_languages::table::CallRole>,
}

/// What the walk has to know about a node kind before anything else.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) rule: u16,
    pub(crate) token: Token,
    pub(crate) modifier: Option<Modifier>,
}

/// Whether a node is a keyword or punctuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    No,
    /// Unless its parent takes it for a name.
    Mostly,
    Always,
}

/// A rule by numbers.
pub(crate) struct Compiled {
    pub(crate) act: Act,
    pub(crate) flags: Flags,
    pub(crate) scope: Option<ScopeKind>,
    pub(crate) names: Option<SymbolKind>,
    pub(crate) hoists: bool,
    pub(crate) unnamed: &'static str,
    by_field: Vec<Slot>,
    by_kind: Vec<(u16, Slot)>,
    first: Slot,
    pub(crate) second: Slot,
    rest: Slot,
}

impl Compiled {
    /// The slot of child number `nth`, counted from 1.
    pub(crate) fn slot(&self, field: u16, kind: u16, nth: u32) -> Slot {
        if field != 0 {
            let slot = self.by_field.get(field as usize).copied().unwrap_or(Slot::Inherit);
            if slot != Slot::Inherit {
                return slot;
            }
        }
        if nth == 1 && self.first != Slot::Inherit {
            return self.first;
        }
        if nth == 2 && self.second != Slot::Inherit {
            return self.second;
        }
        if !self.by_kind.is_empty()
            && let Some((_, slot)) = self.by_kind.iter().find(|(own, _)| *own == kind)
        {
            return *slot;
        }
        self.rest
    }
}

impl Table {
    /// The compiled table of a language.
    pub(crate) fn of(language: &'static Language) -> &'static Table {
        static TABLES: OnceLock<Vec<OnceLock<Table>>> = OnceLock::new();
        let tables = TABLES.get_or_init(|| codegraph_languages::ALL.iter().map(|_| OnceLock::new()).collect());
        tables[codegraph_languages::number_of(language)].get_or_init(|| Table::compile(language))
    }

    pub(crate) fn kind(&self, id: u16) -> Kind {
        self.kinds.get(id as usize).copied().unwrap_or(Kind { rule: 0, token: Token::No, modifier: None })
    }

    /// The name of a node kind: for a keyword, its text.
    pub(crate) fn word(&self, id: u16) -> &str {
        self.words.get(id as usize).map_or("", |word| word)
    }

    pub(crate) fn rule(&self, number: u16) -> &Compiled {
        &self.rules[number as usize]
    }

    fn compile(language: &'static Language) -> Table {
        let grammar = (language.grammar)();
        let mut kinds: Vec<Kind> =
            (0..grammar.node_kind_count()).map(|_| Kind { rule: 0, token: Token::No, modifier: None }).collect();
        for (word, modifier) in language.modifiers {
            for named in [false, true] {
                let id = grammar.id_for_node_kind(word, named);
                if id != 0 {
                    kinds[id as usize].modifier = Some(*modifier);
                }
            }
        }
        let mut rules = vec![Compiled {
            act: Act::Opaque,
            flags: Flags(0),
            scope: None,
            names: None,
            hoists: false,
            unnamed: "",
            by_field: vec![],
            by_kind: vec![],
            first: Slot::Inherit,
            second: Slot::Inherit,
            rest: Slot::Inherit,
        }];
        for rule in language.rules.iter().copied().flatten() {
            let mut by_field = Vec::new();
            let mut by_kind = Vec::new();
            for (key, slot) in rule.slots() {
                match key {
                    Key::Field(name) => {
                        if let Some(id) = grammar.field_id_for_name(name) {
                            by_field.resize(grammar.field_count() + 1, Slot::Inherit);
                            by_field[id.get() as usize] = *slot;
                        }
                    }
                    Key::Kind(kind) => by_kind.extend(ids(&grammar, kind).map(|id| (id, *slot))),
                }
            }
            let Rule { act, flags, scope, names, hoists, unnamed, first, second, rest, .. } = *rule;
            rules.push(Compiled { act, flags, scope, names, hoists, unnamed, by_field, by_kind, first, second, rest });
            for kind in rule.kinds {
                for id in ids(&grammar, kind) {
                    kinds[id as usize].rule = (rules.len() - 1) as u16;
                }
            }
        }
        for (id, kind) in kinds.iter_mut().enumerate() {
            kind.token = match rules[kind.rule as usize].act {
                _ if grammar.node_kind_is_named(id as u16) => Token::No,
                _ if kind.rule == 0 => Token::Always,
                Act::Ident => Token::Mostly,
                _ => Token::No,
            };
        }
        let words = (0..kinds.len()).map(|id| grammar.node_kind_for_id(id as u16).unwrap_or_default().into()).collect();
        let calls = language.calls.iter().copied().collect();
        Table { language, grammar, kinds, words, rules, calls }
    }
}

/// The grammar's numbers for a kind: the named one, else the token.
fn ids<'a>(grammar: &'a tree_sitter::Language, kind: &'a str) -> impl Iterator<Item = u16> + 'a {
    let named = grammar.id_for_node_kind(kind, true);
    let id = if named != 0 { named } else { grammar.id_for_node_kind(kind, false) };
    std::iter::once(id).filter(|id| *id != 0)
}

/// Names in a table that its grammar does not know.
pub fn unknown_names(language: &'static Language) -> Vec<String> {
    let grammar = (language.grammar)();
    let mut unknown = Vec::new();
    let mut kind_known = |kind: &'static str, from: &str| {
        if ids(&grammar, kind).next().is_none() {
            unknown.push(format!("{}: no node kind '{kind}' ({from})", language.name));
        }
    };
    for rule in language.rules.iter().copied().flatten() {
        for kind in rule.kinds {
            kind_known(kind, "rule");
        }
        for (key, _) in rule.slots() {
            if let Key::Kind(kind) = key {
                kind_known(kind, rule.kinds[0]);
            }
        }
    }
    for (word, _) in language.modifiers {
        kind_known(word, "modifier");
    }
    for kind in language.conditionals {
        kind_known(kind, "conditional");
    }
    for (kind, _) in language.flow.iter().flat_map(|flow| flow.shapes.iter().copied().flatten()) {
        kind_known(kind, "flow");
    }
    for rule in language.rules.iter().copied().flatten() {
        for (key, _) in rule.slots() {
            if let Key::Field(name) = key
                && grammar.field_id_for_name(name).is_none()
            {
                unknown.push(format!("{}: no field '{name}' ({})", language.name, rule.kinds[0]));
            }
        }
    }
    unknown
}
