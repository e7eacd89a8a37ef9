//! The words of a language's policy as names of the project, looked up once.

use std::rc::Rc;

use codegraph_languages::Language;
use codegraph_languages::linking::Holds;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::lookup::Linker;
use crate::{Program, TermId, Unit};

/// A policy with names instead of texts. A word that the project never uses is absent.
pub(crate) struct Words {
    language: &'static Language,
    pub(crate) root: Option<TermId>,
    pub(crate) here: Option<TermId>,
    pub(crate) up: Option<TermId>,
    pub(crate) own_type: Option<TermId>,
    pub(crate) import_self: Option<TermId>,
    pub(crate) builtins: FxHashSet<TermId>,
    /// The name of a default export.
    pub(crate) default: Option<TermId>,
    pub(crate) containers: FxHashMap<TermId, Holds>,
}

impl Words {
    fn new(program: &dyn Program, language: &'static Language) -> Words {
        let linking = language.linking;
        let term = |word: &str| if word.is_empty() { None } else { program.term(word) };
        let containers = linking.containers.iter();
        Words {
            language,
            root: term(linking.path_words.root),
            here: term(linking.path_words.here),
            up: term(linking.path_words.up),
            own_type: term(linking.path_words.own_type),
            import_self: linking.import_self.and_then(term),
            builtins: linking.builtins.iter().filter_map(|word| term(word)).collect(),
            default: linking.exports_apart.then(|| term("default")).flatten(),
            containers: containers.filter_map(|(word, holds)| Some((term(word)?, *holds))).collect(),
        }
    }
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

    /// What an external type holds, by its name.
    pub(crate) fn container(&mut self, unit: &Unit, name: TermId) -> Option<Holds> {
        if unit.language.linking.containers.is_empty() {
            return None;
        }
        self.words(unit).containers.get(&name).copied()
    }
}
