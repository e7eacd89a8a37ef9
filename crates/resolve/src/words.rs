//! The words of a language's policy as names of the project, looked up once.

use std::rc::Rc;

use codegraph_languages::Language;
use codegraph_languages::linking::{Gives, Holds, ScopeFunction, TypeFunction};
use codegraph_model::{BLOCK_RECEIVER, CALL, Literal};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::lookup::Linker;
use crate::{Program, TermId, Unit};

/// How many kinds of literals there are.
pub(crate) const LITERALS: usize = Literal::Decimal as usize + 1;

/// A policy with names instead of texts. A word that the project never uses is absent.
pub(crate) struct Words {
    language: &'static Language,
    pub(crate) root: Option<TermId>,
    pub(crate) here: Option<TermId>,
    pub(crate) up: Option<TermId>,
    pub(crate) own_type: Option<TermId>,
    pub(crate) import_self: Option<TermId>,
    pub(crate) builtins: FxHashSet<TermId>,
    pub(crate) constructors: Vec<TermId>,
    /// The member that makes an object of its receiver.
    pub(crate) instantiates: Option<TermId>,
    /// The member that is the type of a value.
    pub(crate) class_of: Option<TermId>,
    pub(crate) class_part: Option<TermId>,
    /// The method by which a value is called.
    pub(crate) call_member: Option<TermId>,
    /// The name under which blocks declare their receivers.
    pub(crate) block_receiver: Option<TermId>,
    pub(crate) fills: FxHashMap<TermId, u8>,
    pub(crate) folders: FxHashSet<TermId>,
    pub(crate) callbacks_apart: FxHashSet<TermId>,
    pub(crate) type_functions: FxHashMap<TermId, TypeFunction>,
    /// The name under which a type says how it is called.
    pub(crate) call: Option<TermId>,
    /// Members that stand for values of the function or type that they are a member of.
    pub(crate) transparent: FxHashSet<TermId>,
    /// The name of a default export.
    pub(crate) default: Option<TermId>,
    pub(crate) containers: FxHashMap<TermId, Holds>,
    pub(crate) methods: FxHashMap<TermId, Gives>,
    pub(crate) variants: FxHashMap<TermId, u8>,
    /// The types of literals, by the literal's number.
    pub(crate) literals: [Option<TermId>; LITERALS],
    pub(crate) basics: FxHashSet<TermId>,
    pub(crate) sealed: FxHashSet<TermId>,
    pub(crate) widens: FxHashMap<TermId, Vec<TermId>>,
    pub(crate) anything: Option<TermId>,
    /// Names of types that the language has another word for.
    pub(crate) aliases: FxHashMap<TermId, TermId>,
    /// The type of a value or nothing, and of a list of values.
    pub(crate) optional: Option<TermId>,
    pub(crate) array: Option<TermId>,
    pub(crate) values: FxHashSet<TermId>,
    pub(crate) scope_functions: FxHashMap<TermId, ScopeFunction>,
    /// What members give that are not the project's.
    pub(crate) results: FxHashMap<TermId, TermId>,
    /// The function that makes its first argument the receiver of its second.
    pub(crate) with: Option<TermId>,
    /// The receiver of a function without a name.
    pub(crate) lambda_receiver: Option<TermId>,
    pub(crate) own_members: FxHashSet<TermId>,
    pub(crate) indexer: Option<TermId>,
    /// Functions that make containers, and which.
    pub(crate) makers: FxHashMap<TermId, TermId>,
    pub(crate) enum_members: FxHashMap<TermId, Gives>,
    /// The member by which a value gives what a property is.
    pub(crate) delegate: Option<TermId>,
    /// Types that a number that is written out may be of.
    pub(crate) number_types: FxHashSet<TermId>,
    /// The method that makes a pair.
    pub(crate) pairs_by: Option<TermId>,
    pub(crate) awaited: FxHashSet<TermId>,
    /// What enums and records inherit from without a word.
    pub(crate) enum_base: Option<TermId>,
    pub(crate) record_base: Option<TermId>,
    pub(crate) void: Option<TermId>,
    /// The type of a list.
    pub(crate) list: Option<TermId>,
    /// Types of functions, and whether their last argument is the result.
    pub(crate) functions: FxHashMap<TermId, bool>,
}

impl Words {
    fn new(program: &dyn Program, language: &'static Language) -> Words {
        let linking = &language.linking;
        let term = |word: &str| if word.is_empty() { None } else { program.term(word) };
        // The type of a literal is one even if the project never names it: it gets a number that no name has.
        let unnamed = |word: &str| linking.widens.iter().position(|(known, _)| *known == word);
        let typed = |word: &str| term(word).unwrap_or_else(|| u32::MAX - 1 - unnamed(word).unwrap_or(0) as u32);
        let named = |word: &str| if unnamed(word).is_some() { Some(typed(word)) } else { term(word) };
        let containers = linking.containers.iter();
        Words {
            language,
            root: term(linking.path_words.root),
            here: term(linking.path_words.here),
            up: term(linking.path_words.up),
            own_type: term(linking.path_words.own_type),
            import_self: linking.import_self.and_then(term),
            constructors: language.constructors.iter().filter_map(|word| term(word)).collect(),
            instantiates: term(language.instantiates),
            class_of: term(linking.class_of),
            class_part: term(linking.class_part),
            call_member: term(linking.call_member),
            builtins: linking.builtins.iter().filter_map(|word| term(word)).collect(),
            block_receiver: (!language.block_receivers.is_empty()).then(|| term(BLOCK_RECEIVER)).flatten(),
            fills: linking.fills.iter().filter_map(|(word, place)| Some((term(word)?, *place))).collect(),
            folders: linking.folders.iter().filter_map(|word| term(word)).collect(),
            callbacks_apart: linking.callbacks_apart.iter().filter_map(|word| term(word)).collect(),
            type_functions: linking.type_functions.iter().filter_map(|(word, f)| Some((term(word)?, *f))).collect(),
            call: linking.declared_overloads.then(|| term(CALL)).flatten(),
            transparent: {
                let words = language.member_assignments.map_or(&[][..], |rules| rules.transparent);
                words.iter().filter_map(|word| term(word)).collect()
            },
            default: default_name(program, language),
            literals: literals(linking.literals, typed),
            basics: linking.basics.iter().map(|word| typed(word)).collect(),
            sealed: linking.sealed.iter().filter_map(|word| term(word)).collect(),
            widens: widens(linking.widens, typed, term),
            anything: named(linking.anything),
            aliases: linking.aliases.iter().filter_map(|(word, name)| Some((term(word)?, typed(name)))).collect(),
            optional: named(linking.optional),
            array: linking.widens.iter().any(|(word, _)| *word == "[]").then(|| typed("[]")),
            scope_functions: linking.scope_functions.iter().filter_map(|(word, f)| Some((term(word)?, *f))).collect(),
            results: linking
                .results
                .iter()
                .flat_map(|(words, ty)| words.split(' ').map(|word| (word, typed(ty))))
                .filter_map(|(word, ty)| Some((term(word)?, ty)))
                .collect(),
            with: term(linking.with),
            lambda_receiver: term(language.lambda_receiver),
            own_members: linking.own_members.split(' ').filter_map(term).collect(),
            indexer: term(linking.indexer),
            makers: linking
                .makers
                .iter()
                .flat_map(|(words, ty)| words.split(' ').map(|word| (word, typed(ty))))
                .filter_map(|(word, ty)| Some((term(word)?, ty)))
                .collect(),
            enum_members: linking
                .enum_members
                .iter()
                .flat_map(|(words, gives)| words.split(' ').map(|word| (word, *gives)))
                .filter_map(|(word, gives)| Some((term(word)?, gives)))
                .collect(),
            delegate: term(linking.delegate),
            number_types: linking.number_types.split(' ').filter_map(named).collect(),
            pairs_by: term(linking.pairs_by),
            awaited: linking.awaited.iter().filter_map(|word| term(word)).collect(),
            enum_base: named("Enum"),
            record_base: named("Record"),
            void: term("void"),
            list: named(linking.list),
            values: linking.values.iter().filter_map(|word| term(word)).collect(),
            functions: linking.functions.iter().filter_map(|(word, gives)| Some((term(word)?, *gives))).collect(),
            methods: linking
                .methods
                .iter()
                .flat_map(|(words, gives)| words.split(' ').map(|word| (word, *gives)))
                .filter_map(|(word, gives)| Some((term(word)?, gives)))
                .collect(),
            variants: linking.variants.iter().filter_map(|(word, place)| Some((term(word)?, *place))).collect(),
            containers: containers.filter_map(|(word, holds)| Some((named(word)?, *holds))).collect(),
        }
    }
}

fn literals(pairs: &[(Literal, &str)], typed: impl Fn(&str) -> TermId) -> [Option<TermId>; LITERALS] {
    let mut all = [None; LITERALS];
    for (literal, word) in pairs {
        all[*literal as usize] = Some(typed(word));
    }
    all
}

fn widens(
    rows: &[(&str, &str)],
    typed: impl Fn(&str) -> TermId,
    term: impl Fn(&str) -> Option<TermId>,
) -> FxHashMap<TermId, Vec<TermId>> {
    let wider = |words: &str| words.split(' ').filter_map(&term).collect();
    rows.iter().map(|(word, words)| (typed(word), wider(words))).collect()
}

impl Linker<'_> {
    /// The words of the language of a file.
    pub(crate) fn words(&mut self, unit: &Unit) -> Rc<Words> {
        if let Some(words) = self.words.iter().find(|w| std::ptr::eq(w.language, unit.language)) {
            return Rc::clone(words);
        }
        let words = Rc::new(Words::new(self.program, unit.language));
        self.words.push(Rc::clone(&words));
        words
    }
}

/// The name of a default export, where exports are apart from local names.
pub(crate) fn default_name(program: &dyn Program, language: &Language) -> Option<TermId> {
    language.linking.exports_apart.then(|| program.term("default")).flatten()
}
