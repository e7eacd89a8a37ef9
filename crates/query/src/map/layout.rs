//! Which symbols of a file the map lists, under which, and as what. Needs no source text.

use codegraph_model::{Flags, StrId, Symbol, SymbolId, SymbolKind, Visibility};
use codegraph_store::{Stored, Vocabulary};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Result;

/// What a line of the map stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Class,
    Function,
    Method,
    Property,
    /// A variable, constant or alias with a line of its own.
    Variable,
    /// A field or member: a name, nothing else.
    Field,
    /// Tests that only count.
    Tests {
        classes: u32,
        methods: u32,
    },
}

/// A line of the map, in the order of printing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) symbol: SymbolId,
    pub(super) depth: u16,
    pub(super) what: What,
    /// Written apart from its type, which is in another file: named with the type.
    pub(super) apart: bool,
}

/// The lines of a file.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub(super) nodes: Vec<Node>,
    /// The line of each symbol, or of the nearest one around it that has a line; `NO_NODE` for top-level code.
    pub(super) node_of: Vec<u32>,
    /// Implementation blocks by the type that they belong to, for the traits that they name.
    pub(super) impls: Vec<(SymbolId, SymbolId)>,
    /// Types and functions, as the summary of a test file counts them.
    pub(super) classes: u32,
    pub(super) methods: u32,
    /// Nothing but headings: a text, not code.
    pub(super) prose: bool,
}

pub(super) const NO_NODE: u32 = u32::MAX;

/// Lays out the symbols of a file.
pub(super) fn layout(stored: &Stored, texts: &Vocabulary) -> Result<Layout> {
    let symbols = &stored.facts.symbols;
    let names = &Names { stored, texts };
    let mut tree = Tree {
        symbols,
        children: vec![Vec::new(); symbols.len()],
        adopted: FxHashSet::default(),
        layout: Layout::default(),
    };
    tree.layout.prose = symbols.len() > 1 && symbols[1..].iter().all(|symbol| symbol.kind == SymbolKind::Heading);
    tree.attach(names)?;
    tree.layout.node_of = vec![NO_NODE; symbols.len()];
    tree.list(names, SymbolId(0), 0, false)?;
    tree.count();
    tree.inherit();
    Ok(tree.layout)
}

/// The texts of a file's names.
struct Names<'a> {
    stored: &'a Stored,
    texts: &'a Vocabulary,
}

impl<'a> Names<'a> {
    fn text(&self, name: StrId) -> Result<&'a str> {
        Ok(self.texts.text(self.stored.term(name))?)
    }
}

struct Tree<'a> {
    symbols: &'a [Symbol],
    children: Vec<Vec<SymbolId>>,
    /// Put below their types, which are in this file.
    adopted: FxHashSet<SymbolId>,
    layout: Layout,
}

impl Tree<'_> {
    /// Puts each symbol below its parent; what is written apart from its type is put below the type.
    fn attach(&mut self, names: &Names<'_>) -> Result<()> {
        let owners = self.owners(names)?;
        for index in 1..self.symbols.len() {
            let symbol = &self.symbols[index];
            let id = SymbolId(index as u32);
            let mut parent = symbol.parent;
            if let Some(owner) = owners.get(&id) {
                if symbol.kind == SymbolKind::Impl {
                    self.layout.impls.push((*owner, id));
                }
                parent = *owner;
                self.adopted.insert(id);
            }
            if parent.is_some() && parent.index() < self.children.len() && parent != id {
                self.children[parent.index()].push(id);
            }
        }
        let symbols = self.symbols;
        for children in &mut self.children {
            children.sort_by_key(|child| (symbols[child.index()].span.start, *child));
        }
        Ok(())
    }

    /// The type in this file that an implementation block or a qualified definition belongs to.
    fn owners(&self, names: &Names<'_>) -> Result<FxHashMap<SymbolId, SymbolId>> {
        let mut types: FxHashMap<&str, SymbolId> = FxHashMap::default();
        let mut texts = Vec::new();
        for (index, symbol) in self.symbols.iter().enumerate().skip(1) {
            let apart = symbol.kind == SymbolKind::Impl || symbol.qualifier.is_some();
            if apart {
                let name = if symbol.qualifier.is_some() { symbol.qualifier } else { symbol.name };
                if let Some(name) = name.get() {
                    texts.push((SymbolId(index as u32), names.text(name)?));
                }
            }
        }
        if texts.is_empty() {
            return Ok(FxHashMap::default());
        }
        let mut owning = Vec::new();
        for (index, symbol) in self.symbols.iter().enumerate().skip(1) {
            let owns = symbol.kind.is_type() && symbol.kind != SymbolKind::Impl
                || matches!(symbol.kind, SymbolKind::Function | SymbolKind::TypeAlias);
            if let Some(name) = symbol.name.get().filter(|_| owns && symbol.qualifier.is_none()) {
                owning.push((names.text(name)?, SymbolId(index as u32), symbol.kind.is_type()));
            }
        }
        // Where a type and a function share a name, the type owns.
        owning.sort_by_key(|(_, id, is_type)| (*is_type, std::cmp::Reverse(*id)));
        types.extend(owning.iter().map(|(name, id, _)| (*name, *id)));
        let found = texts.iter().filter_map(|(id, text)| {
            let owner = *types.get(simple_owner(text))?;
            (owner != *id && !self.is_inside(owner, *id)).then_some((*id, owner))
        });
        Ok(found.collect())
    }

    fn is_inside(&self, mut symbol: SymbolId, outer: SymbolId) -> bool {
        while symbol.is_some() {
            if symbol == outer {
                return true;
            }
            symbol = self.symbols[symbol.index()].parent;
        }
        false
    }

    fn list(&mut self, names: &Names<'_>, parent: SymbolId, depth: u16, in_type: bool) -> Result<()> {
        let children = std::mem::take(&mut self.children[parent.index()]);
        let mut seen = FxHashSet::default();
        // What a type holds comes before what it does.
        let holds = |child: &&SymbolId| in_type && what(&self.symbols[child.index()], true) == Some(What::Field);
        let order: Vec<SymbolId> =
            children.iter().filter(holds).chain(children.iter().filter(|child| !holds(child))).copied().collect();
        for child in order {
            let symbol = &self.symbols[child.index()];
            if self.lifted(child) {
                // Children stand where the block stands: below the type, or where no line can be made for it.
                self.list(names, child, depth, in_type || symbol.kind.is_type())?;
                continue;
            }
            let Some(what) = what(symbol, in_type) else { continue };
            if matches!(what, What::Field | What::Property) && !seen.insert(symbol.name) {
                continue;
            }
            self.add(names, child, depth, what)?;
        }
        Ok(())
    }

    /// Whether the children of a symbol stand in its place.
    fn lifted(&self, id: SymbolId) -> bool {
        let symbol = &self.symbols[id.index()];
        match symbol.kind {
            SymbolKind::Impl => self.adopted.contains(&id),
            kind => kind.is_module() && symbol.name.is_none(),
        }
    }

    fn add(&mut self, names: &Names<'_>, id: SymbolId, depth: u16, what: What) -> Result<()> {
        let symbol = &self.symbols[id.index()];
        let place = self.layout.nodes.len();
        self.layout.node_of[id.index()] = place as u32;
        let apart = symbol.qualifier.is_some() && !self.adopted.contains(&id);
        self.layout.nodes.push(Node { symbol: id, depth, what, apart });
        if depth >= DEEPEST {
            return Ok(());
        }
        if symbol.kind.is_module() && is_test_module(names, symbol)? {
            let (classes, methods) = self.tally(id);
            let what = What::Tests { classes, methods };
            self.layout.nodes.push(Node { symbol: id, depth: depth + 1, what, apart: false });
            return Ok(());
        }
        match what {
            What::Class => self.list(names, id, depth + 1, symbol.kind.is_type())?,
            // What was put below a function from outside: members of a constructor function.
            What::Function | What::Method => {
                let inside = symbol.span;
                let symbols = self.symbols;
                self.children[id.index()].retain(|child| !inside.contains(symbols[child.index()].span.start));
                self.list(names, id, depth + 1, true)?;
            }
            What::Variable => {
                let symbols = self.symbols;
                self.children[id.index()].retain(|child| symbols[child.index()].kind.is_callable());
                self.list(names, id, depth + 1, true)?;
            }
            _ => {}
        }
        // A module without anything in it says nothing.
        if symbol.kind.is_module() && self.layout.nodes.len() == place + 1 {
            self.layout.nodes.pop();
            self.layout.node_of[id.index()] = NO_NODE;
        }
        Ok(())
    }

    /// Types and functions below a symbol.
    fn tally(&self, outer: SymbolId) -> (u32, u32) {
        let inside = |id: u32| self.is_inside(SymbolId(id), outer);
        let all = (1..self.symbols.len() as u32).filter(|id| *id != outer.0 && inside(*id));
        let mut counts = (0, 0);
        for id in all {
            let symbol = &self.symbols[id as usize];
            counts.0 += u32::from(symbol.kind.is_type() && symbol.kind != SymbolKind::Impl);
            counts.1 += u32::from(symbol.kind.is_callable() && !self.in_callable(symbol));
        }
        counts
    }

    fn in_callable(&self, symbol: &Symbol) -> bool {
        let parent = symbol.parent.get().and_then(|parent| self.symbols.get(parent.index()));
        parent.is_some_and(|parent| parent.kind.is_callable())
    }

    fn count(&mut self) {
        (self.layout.classes, self.layout.methods) = self.tally(SymbolId(0));
    }

    /// What has no line of its own belongs to the line around it.
    fn inherit(&mut self) {
        for index in 1..self.symbols.len() {
            let parent = self.symbols[index].parent;
            if self.layout.node_of[index] == NO_NODE && parent.is_some() && parent.index() < index {
                self.layout.node_of[index] = self.layout.node_of[parent.index()];
            }
        }
        for (owner, block) in self.layout.impls.clone() {
            self.layout.node_of[block.index()] = self.layout.node_of[owner.index()];
        }
    }
}

/// Deeper nesting is not shown.
const DEEPEST: u16 = 12;

/// `Circle` of `<Circle as Shape>`, `Shape` of `draw::Shape`, `Job` of `Job[T]`.
pub(super) fn simple_owner(text: &str) -> &str {
    let text = text.strip_prefix('<').and_then(|rest| rest.split(" as ").next()).unwrap_or(text);
    let text = text.trim_start_matches(['&', '*']).trim();
    let text = text.split(['<', '[', '(']).next().unwrap_or(text).trim();
    text.rsplit(['.', ':', '\\', '/']).next().unwrap_or(text)
}

fn what(symbol: &Symbol, in_type: bool) -> Option<What> {
    use SymbolKind::*;
    match symbol.kind {
        Heading => None,
        Function | Macro if !in_type => Some(What::Function),
        Macro => Some(What::Function),
        Function | Method | Constructor | Destructor | Operator => Some(What::Method),
        Property | Getter | Setter => Some(What::Property),
        Class | Record | Object | Struct | Interface | Protocol | Trait | Enum | Union | Impl => Some(What::Class),
        Module | Namespace | Package => Some(What::Class),
        TypeAlias | Constant | Static | Variable if !in_type => {
            let hidden = symbol.visibility == Visibility::Private && symbol.kind != TypeAlias;
            (!hidden).then_some(What::Variable)
        }
        TypeAlias | Constant | Static | Variable | Field | InstanceVariable | EnumMember => Some(What::Field),
    }
}

/// A module inside a file that only holds its tests.
fn is_test_module(names: &Names<'_>, symbol: &Symbol) -> Result<bool> {
    let Some(name) = symbol.name.get().filter(|_| !symbol.flags.has(Flags::DECLARATION)) else {
        return Ok(false);
    };
    Ok(matches!(names.text(name)?, "test" | "tests"))
}
