//! The one walk over a syntax tree: opens and closes nodes by their rules and feeds terms, symbols and references.

use codegraph_languages::table::{Act, Language, Modifier, Op, Slot};
use codegraph_model::*;
use rustc_hash::FxHashSet;
use tree_sitter::Tree;

use crate::Text;
use crate::apart::Apart;
use crate::checks::Check;
use crate::compile::{Table, Token};
use crate::define::trimmed;
use crate::doc_types::DocVariable;
use crate::docs::Docs;
use crate::expanded::Expanded;
use crate::frame::*;
use crate::hidden::Hidden;
use crate::implied::Narrowed;
use crate::nodes::{self, Node};
use crate::outline::Heading;
use crate::words::{Words, is_word_byte};

pub(crate) struct Walk<'s> {
    pub(crate) table: &'static Table,
    pub(crate) language: &'static Language,
    pub(crate) source: &'s [u8],
    pub(crate) words: Words<'s>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) values: Vec<Value>,
    pub(crate) bounds: Vec<Bound>,
    /// Destructuring steps as linked lists: step and rest.
    pub(crate) steps: Vec<(Step, u32)>,
    pub(crate) paths: Vec<RefId>,
    pub(crate) callables: Vec<Callable>,
    pub(crate) scope: ScopeId,
    pub(crate) declared: FxHashSet<(ScopeId, StrId)>,
    pub(crate) docs: Docs,
    /// Types that comments give to what is assigned below them.
    pub(crate) doc_variables: Vec<DocVariable>,
    /// Types that tests gave to variables in the branches that are open.
    pub(crate) narrowed: Vec<Narrowed>,
    /// Tests of types whose conditions, or what depends on them, are open.
    pub(crate) checks: Vec<Check>,
    /// Members of the receiver that are known to be of a type.
    pub(crate) members: Vec<(StrId, ExprId)>,
    pub(crate) facts: FileFacts,
    /// Parameters of function declarators by their scope, until a symbol takes them.
    pub(crate) declarator_params: Vec<(ScopeId, Vec<Param>)>,
    /// Headings whose sections are open.
    pub(crate) headings: Vec<Heading>,
    /// Names that the file exports apart from their definitions.
    pub(crate) exported: Vec<StrId>,
    /// Macros that the parser has not seen.
    pub(crate) hidden: Vec<Hidden>,
    /// How many values a closing node leaves for its parent besides its own.
    pub(crate) kept: usize,
    /// Values whose members objects have that are written out, with the places of these.
    pub(crate) copied: Vec<(u32, ExprId)>,
    /// Where members are written that a pattern takes out.
    pub(crate) parts: FxHashSet<u32>,
    /// Fields that functions which are types have, by the names of both.
    pub(crate) fields: FxHashSet<(StrId, StrId)>,
    /// Bounds of type parameters that are said apart: where, of what name.
    pub(crate) type_bounds: Vec<(ScopeId, StrId, ExprId)>,
    /// Local names without an initialiser.
    pub(crate) open_names: FxHashSet<(ScopeId, StrId)>,
    /// Assignments to names that nothing before them declares, with the values.
    pub(crate) undeclared: Vec<(RefId, ExprId)>,
    /// Names of types and bases that calls give them.
    pub(crate) inherited: Vec<(StrId, ExprId)>,
    /// Symbols that turned out to have no name or to be references.
    pub(crate) dissolved: Vec<SymbolId>,
    /// Everything before this offset has been looked at for words.
    pub(crate) text_at: u32,
    errors: u32,
    /// How many macro arguments around the current node are being read as code.
    pub(crate) nested: u32,
    /// The braces of a macro call among definitions: what stands in them is defined where the call stands.
    pub(crate) flat: Span,
    /// Macro arguments that the parser has not read yet.
    pub(crate) apart: Apart,
    /// What stands behind the text of the file.
    pub(crate) expanded: Option<&'s Expanded>,
    /// Macro arguments that do not look like code.
    pub(crate) tokens: Span,
    /// Text that a usual build leaves out.
    inactive: Vec<Span>,
    /// The types among the arguments that were read last.
    pub(crate) type_arguments: ExprId,
}

pub(crate) const NO_STEPS: u32 = u32::MAX;

impl<'s> Walk<'s> {
    pub(crate) fn new(table: &'static Table, text: &Text<'s>, apart: Apart) -> Walk<'s> {
        let (source, length) = (text.whole, text.length as u32);
        let mut walk = Walk {
            table,
            language: table.language,
            source,
            words: Words::new(source),
            frames: Vec::with_capacity(64),
            values: Vec::with_capacity(256),
            bounds: Vec::new(),
            steps: Vec::new(),
            paths: Vec::new(),
            callables: Vec::new(),
            scope: ScopeId(0),
            declared: FxHashSet::default(),
            docs: Docs::default(),
            doc_variables: Vec::new(),
            narrowed: Vec::new(),
            checks: Vec::new(),
            members: Vec::new(),
            facts: FileFacts::default(),
            declarator_params: Vec::new(),
            headings: Vec::new(),
            exported: Vec::new(),
            hidden: Vec::new(),
            kept: 0,
            copied: Vec::new(),
            parts: FxHashSet::default(),
            fields: FxHashSet::default(),
            type_bounds: Vec::new(),
            open_names: FxHashSet::default(),
            undeclared: Vec::new(),
            inherited: Vec::new(),
            dissolved: Vec::new(),
            text_at: 0,
            errors: 0,
            nested: 0,
            flat: Span::default(),
            apart,
            expanded: text.expanded,
            tokens: Span::default(),
            type_arguments: ExprId::NONE,
            inactive: table.language.inactive.map(|find| find(text.own())).unwrap_or_default(),
        };
        let whole = Span::new(0, length);
        let name = walk.words.intern(b"");
        walk.facts.length = length;
        walk.facts.symbols.push(Symbol {
            kind: SymbolKind::Module,
            name,
            span: whole,
            head_end: 0,
            scope: ScopeId(0),
            inner: ScopeId(0),
            visibility: Visibility::Public,
            ..Symbol::default()
        });
        walk.facts.scopes.push(Scope {
            kind: ScopeKind::Module,
            parent: ScopeId::NONE,
            owner: SymbolId(0),
            span: whole,
        });
        walk
    }

    /// Walks the whole tree; none if some text that was to be read apart has not been read.
    pub(crate) fn run(mut self, tree: &Tree) -> Option<FileFacts> {
        self.frames.push(self.root_frame());
        nodes::list(tree, |nodes| self.walk(nodes));
        self.apart.all_read().then(|| self.end())
    }

    /// Visits the nodes of a tree; every node that is opened is closed again.
    pub(crate) fn walk(&mut self, nodes: &[Node]) {
        let around = self.frames.len();
        let mut at = 0;
        while let Some(node) = nodes.get(at) {
            at += 1;
            if self.enter(node) {
                continue;
            }
            at += node.descendants as usize;
            while self.frames.len() > around {
                let open = self.frames.last_mut().expect("there are more than around the tree");
                if open.left > 0 {
                    open.left -= 1;
                    break;
                }
                self.leave();
            }
        }
    }

    /// All words as code, nothing else: for a file that could not be parsed.
    pub(crate) fn words_only(mut self, problem: Problem) -> FileFacts {
        self.facts.problems.push(problem);
        self.end()
    }

    fn end(mut self) -> FileFacts {
        self.gap(self.facts.length, TermMask::CODE);
        self.close_sections(0, 0);
        if self.errors > 0 {
            self.facts.problems.push(Problem::Syntax(self.errors));
        }
        if self.words.overflowed() && !self.facts.problems.contains(&Problem::Dense) {
            self.facts.problems.push(Problem::Dense);
        }
        self.finish()
    }

    fn root_frame(&self) -> Frame {
        Frame {
            rule: 0,
            act: Act::Opaque,
            slot: Slot::Inherit,
            ctx: Ctx::Expr,
            mask: TermMask::CODE,
            span: Span::new(0, self.facts.length),
            values: 0,
            children: 0,
            left: 0,
            outer: ScopeId(0),
            symbol: SymbolId::NONE,
            flags: Flags(0),
            visibility: Visibility::Unknown,
            section: Visibility::Unknown,
            kind: None,
            type_flags: Flags(0),
            doc: Span::default(),
            import: ImportFlags(0),
            first_import: 0,
            first_symbol: self.facts.symbols.len() as u32,
            level: 0,
            callable: false,
            receiver: ExprId::NONE,
            body: u32::MAX,
            child: Span::default(),
        }
    }

    /// Handles a node; true if its children are to be visited.
    fn enter(&mut self, node: &Node) -> bool {
        let kind = self.table.kind(node.kind);
        let span = Span::new(node.start, node.end);
        if kind.token != Token::No && (kind.token == Token::Always || !self.is_name(node)) {
            self.plain_token(node.kind, kind.modifier, span);
            return false;
        }
        let rule = self.table.rule(kind.rule);
        let parent = self.frames.last_mut().expect("the root frame is never closed");
        if !matches!(rule.act, Act::Comment) {
            parent.children += 1;
        }
        let (parent_act, parent_ctx, mask, nth) = (parent.act, parent.ctx, parent.mask, parent.children);
        let parent_slot = parent.slot;
        let (parent_rule, parent_values) = (self.table.rule(parent.rule), parent.values as usize);
        if matches!(parent_act, Act::Params) && parent.slot != Slot::Bind && self.values.len() > parent_values {
            self.flush_params();
        }
        if node.is_error() || node.missing {
            self.errors += 1;
        }
        let slot = self.rather_value(parent_act, parent_rule.slot(node.field, node.kind, nth), parent_values);
        // The parts of a list of arguments are arguments.
        let slot = match parent_act == Act::List && slot == Slot::Inherit && parent_slot == Slot::TypeArgs {
            true => Slot::TypeArgs,
            false => slot,
        };
        let ctx = parent_ctx.of_child(parent_act, slot);
        if parent_act == Act::Params && slot == Slot::Value {
            self.default_of_last(span);
        }
        if slot == Slot::Code && self.read_apart(node.kind, span) {
            return false;
        }
        if ctx == Ctx::Bind {
            self.frames.last_mut().expect("the root frame is never closed").child = span;
        }
        if node.children == 0 {
            if let Some(modifier) = kind.modifier {
                self.modifier(modifier);
            } else if rule.act == Act::Modifiers {
                self.written_modifier(span);
            }
            self.leaf(rule.act, slot, ctx, mask, span, kind.rule);
            return false;
        }
        self.open(kind.rule, slot, ctx, mask, span);
        self.frames.last_mut().expect("it was just opened").left = node.children - 1;
        true
    }

    /// A second name behind the type of a parameter is its default.
    fn rather_value(&self, around: Act, slot: Slot, values: usize) -> Slot {
        if slot != Slot::Bind || !matches!(around, Act::Param(_)) {
            return slot;
        }
        let values = &self.values[values..];
        let named = values.iter().position(|v| matches!(v.payload, Payload::Bound(_)));
        let typed = values.iter().rposition(|v| v.slot == Slot::Type);
        match (named, typed) {
            (Some(named), Some(typed)) if named < typed => Slot::Value,
            _ => slot,
        }
    }

    /// A token with a rule is a name only where its parent has a use for it.
    fn is_name(&self, node: &Node) -> bool {
        let parent = self.frames.last().expect("the root frame is never closed");
        let slot = self.table.rule(parent.rule).slot(node.field, node.kind, 0);
        matches!(slot, Slot::Name | Slot::Property | Slot::Alias | Slot::Item)
    }

    /// In code a token is a keyword or punctuation; in a string or comment it is part of the text.
    fn plain_token(&mut self, id: u16, modifier: Option<Modifier>, span: Span) {
        let parent = self.frames.last().expect("the root frame is never closed");
        let (mask, act) = (parent.mask, parent.act);
        if let Some(modifier) = modifier {
            self.modifier(modifier);
        }
        if matches!(act, Act::Tokens) {
            self.token(span);
        }
        if mask == TermMask::CODE && !matches!(act, Act::Raw | Act::Ident) {
            self.gap(span.start, mask);
            if !self.is_put_in(id, span) {
                self.text_at = self.text_at.max(span.end);
            }
        }
    }

    fn leaf(&mut self, act: Act, slot: Slot, ctx: Ctx, mask: TermMask, span: Span, rule: u16) {
        let ctx = match act {
            Act::TypeIdent => ctx.of_type_name(),
            _ if slot == Slot::Element && self.source[span.start as usize].is_ascii_lowercase() => Ctx::Skip,
            _ => ctx,
        };
        let names = matches!(act, Act::Ident | Act::TypeIdent) || act == Act::Builtin && ctx == Ctx::Bind;
        if names && mask == TermMask::CODE && !self.is_part_of_word(span) {
            self.gap(span.start, mask);
            let inner = self.scope;
            match slot {
                Slot::Body => self.begin_body(span.start),
                Slot::OuterValue => self.scope = self.scope_around_callable(),
                _ => {}
            }
            let payload = self.identifier(ctx, span);
            self.scope = inner;
            self.text_at = self.text_at.max(span.end);
            self.push(slot, payload, span);
            return;
        }
        self.open(rule, slot, ctx, mask, span);
        self.leave();
    }

    /// A keyword that the parser read in the place of other text: that text has words of its own.
    fn is_put_in(&self, id: u16, span: Span) -> bool {
        if self.language.rewrite.is_none() || span.len() < 2 {
            return false;
        }
        let kind = self.table.word(id).as_bytes();
        kind.first().is_some_and(u8::is_ascii_alphabetic) && (kind != self.text(span) || self.is_part_of_word(span))
    }

    fn is_part_of_word(&self, span: Span) -> bool {
        let is_word = |at: usize| self.source.get(at).is_some_and(|b| is_word_byte(*b));
        is_word(span.end as usize) || span.start > 0 && is_word(span.start as usize - 1)
    }

    /// Takes the words between the last visited position and `until`.
    pub(crate) fn gap(&mut self, mut until: u32, mask: TermMask) {
        let source = self.source;
        // A node may end inside a word; the word is taken as a whole later.
        if source.get(until as usize).is_some_and(|b| is_word_byte(*b)) {
            let before = source[self.text_at.min(until) as usize..until as usize].iter().rev();
            until -= before.take_while(|b| is_word_byte(**b)).count() as u32;
        }
        if self.text_at < until {
            self.words.scan(self.text_at as usize, until as usize, mask);
            self.text_at = until;
        }
    }

    /// Words of raw text up to `end`: those in comments and quotes are marked as such.
    pub(crate) fn raw_text(&mut self, end: u32) {
        let source = self.source;
        while self.text_at < end {
            let rest = &source[self.text_at as usize..end as usize];
            let Some(start) = rest.iter().position(|b| matches!(b, b'"' | b'/')) else { return };
            let piece = &rest[start..];
            let (close, mask): (&[u8], TermMask) = match piece {
                [b'"', ..] => (b"\"", TermMask::STRING),
                [b'/', b'*', ..] => (b"*/", TermMask::COMMENT),
                [b'/', b'/', ..] => (b"\n", TermMask::COMMENT),
                _ => (b"", TermMask::CODE),
            };
            let found = (!close.is_empty()).then(|| piece[1..].windows(close.len()).position(|w| w == close)).flatten();
            let len = found.map_or(1, |i| i + 1 + close.len());
            let until = self.text_at + start as u32;
            self.gap(until, TermMask::CODE);
            self.gap(until + len as u32, mask);
        }
    }

    fn open(&mut self, rule: u16, slot: Slot, ctx: Ctx, mask: TermMask, span: Span) {
        let act = self.table.rule(rule).act;
        let mut frame = Frame {
            rule,
            act,
            slot,
            ctx,
            mask,
            span,
            values: self.values.len() as u32,
            outer: self.scope,
            flags: self.table.rule(rule).flags,
            ..self.root_frame()
        };
        if mask == TermMask::STRING && is_code(act) {
            frame.mask = TermMask::CODE;
            self.mark_interpolated();
        }
        match act {
            Act::Comment => frame.mask = TermMask::COMMENT,
            Act::Prose => frame.mask = TermMask::COMMENT,
            Act::Str | Act::Text => frame.mask = TermMask::STRING,
            Act::Literal(Literal::String | Literal::Char | Literal::Regex) => frame.mask = TermMask::STRING,
            Act::Interpolation => {
                frame.mask = TermMask::CODE;
                self.mark_interpolated();
            }
            Act::Raw => frame.mask = TermMask::CODE,
            Act::Skip => frame.ctx = Ctx::Skip,
            Act::Def(kind) | Act::DefOrRef(kind) => self.open_definition(&mut frame, kind),
            Act::DefValue(kind) => self.open_value_definition(&mut frame, kind),
            Act::Lambda => self.open_lambda(&mut frame),
            Act::Defaulted => frame.act = self.defaulted(),
            Act::FunctionType => self.open_function_type(&mut frame),
            Act::FunctionDeclarator => self.open_declarator(&mut frame),
            Act::Scope(ScopeKind::Block) if self.flat == frame.span => {}
            Act::Scope(kind) => {
                self.open_scope(&frame, kind);
                self.open_block(kind, frame.span);
            }
            Act::Params => self.open_params(),
            Act::TypeCase => self.open_scope(&frame, ScopeKind::Block),
            Act::Comprehension => self.open_scope(&frame, ScopeKind::Block),
            Act::Bind { .. } | Act::FieldOrBase => frame.doc = self.doc_for(&frame),
            Act::Wrapper => {
                frame.doc = self.doc_for(&frame);
                frame.first_import = self.facts.imports.len() as u32;
            }
            Act::Literal(Literal::Map) if self.language.object_members => self.open_object(&mut frame),
            Act::Literal(Literal::List) => frame.receiver = self.expected(),
            Act::Shape => self.open_scope(&frame, ScopeKind::Type),
            Act::Import(flags) | Act::ImportItem(flags) => {
                frame.ctx = Ctx::Import;
                frame.import = flags;
                frame.first_import = self.facts.imports.len() as u32;
            }
            Act::Member | Act::Apply => frame.receiver = self.path_receiver(&frame),
            Act::Modifiers if frame.flags != Flags(0) => self.modifier(Modifier::Flag(frame.flags)),
            _ => {}
        }
        // Words of a string or comment may go across its parts: they are taken when the kind of text changes.
        if mask == TermMask::CODE || frame.mask != mask {
            self.gap(span.start, mask);
        }
        // The scope of a module is of the kind that its rule says.
        let of_module = matches!(act, Act::Def(kind) if kind.is_module());
        if let Some(kind) = self.table.rule(rule).scope
            && !self.is_body_of_module(slot)
            && !of_module
        {
            self.open_scope(&frame, kind);
        }
        if slot == Slot::Body {
            self.begin_body(span.start);
        } else if slot == Slot::Otherwise {
            self.begin_otherwise(span.start);
        } else if slot == Slot::Members {
            self.open_scope(&frame, ScopeKind::Type);
        } else if slot == Slot::OuterValue {
            self.scope = self.scope_around_callable();
        }
        self.frames.push(frame);
    }

    /// What stands in the body of a module are its names.
    fn is_body_of_module(&self, slot: Slot) -> bool {
        slot == Slot::Body && self.frames.last().is_some_and(|f| matches!(f.act, Act::Def(kind) if kind.is_module()))
    }

    fn leave(&mut self) {
        let frame = *self.frames.last().expect("a node is closed only after it was opened");
        if matches!(frame.act, Act::Raw) {
            self.raw_text(frame.span.end);
        }
        let around = self.frames.len().checked_sub(2).map(|i| self.frames[i].mask);
        if frame.mask == TermMask::CODE || around != Some(frame.mask) {
            self.gap(frame.span.end, frame.mask);
        }
        let payload = self.close(&frame);
        if !self.checks.is_empty() {
            self.end_checks(&frame);
        }
        if frame.callable && !self.narrowed.is_empty() {
            self.end_narrowed();
        }
        self.frames.pop();
        self.scope = frame.outer;
        // Each of a list of arguments counts for the call, arguments that are types do not.
        if frame.act == Act::List
            && let Some(parent) = self.frames.last_mut().filter(|f| f.slot == Slot::Args)
        {
            parent.children -= 1;
            parent.children += if frame.slot == Slot::TypeArgs { 0 } else { frame.children };
        }
        match frame.act {
            Act::Opaque => self.keep_bounds(&frame),
            // Annotations among modifiers belong to the definition around them.
            Act::Modifiers | Act::List => {}
            _ => self.values.truncate(frame.values as usize + std::mem::take(&mut self.kept)),
        }
        let is_nothing = match frame.act {
            Act::List | Act::Comment => true,
            Act::Skip => payload == Payload::Nothing,
            _ => false,
        };
        if !is_nothing {
            // The members of a list of type parameters are type parameters.
            let of_list = |f: &&Frame| f.act == Act::List && f.slot == Slot::TypeParams;
            let slot = match frame.slot {
                Slot::Inherit if self.frames.last().filter(of_list).is_some() => Slot::TypeParams,
                slot => slot,
            };
            self.push(slot, payload, self.head_of(&frame));
        }
    }

    /// The text that stands for a node: a definition is quoted without its body.
    fn head_of(&self, frame: &Frame) -> Span {
        match frame.act {
            Act::DefOrRef(_) if frame.body != u32::MAX => trimmed(self.source, Span::new(frame.span.start, frame.body)),
            _ => frame.span,
        }
    }

    fn close(&mut self, frame: &Frame) -> Payload {
        match frame.act {
            Act::Ident | Act::TypeIdent => self.identifier_node(frame),
            Act::FieldIdent => self.field_name(frame),
            Act::GlobalIdent => self.global_name(frame),
            Act::Include(flags) => self.close_include(frame, flags),
            Act::Comment => {
                self.comment(frame.span);
                Payload::Nothing
            }
            Act::Str => self.close_string(frame),
            Act::Literal(kind) => self.close_literal(frame, kind),
            Act::Shape => self.close_shape(frame),
            Act::Pass => self.close_pass(frame),
            Act::Opaque | Act::Defaulted => self.close_opaque(frame),
            Act::Def(_) | Act::DefOrRef(_) => self.close_definition(frame),
            Act::DefValue(_) => self.close_value_definition(frame),
            Act::Lambda => self.close_lambda(frame),
            Act::FunctionType => self.close_function_type(frame),
            Act::FunctionDeclarator => self.close_declarator(frame),
            Act::Bind { module, member } => self.close_bind(frame, module, member),
            Act::FieldOrBase => self.close_field_or_base(frame),
            Act::Initialized => self.close_initialized(frame),
            Act::Local(kind) => self.close_local(frame, kind),
            Act::Redirect(kind) => self.close_local(frame, kind),
            Act::Params => self.close_params(frame),
            Act::Param(flags) => self.close_param(frame, flags),
            Act::Call => self.close_call(frame),
            Act::Member => self.close_member(frame),
            Act::Unary(op) => self.close_unary(frame, op),
            Act::Either => self.close_either(frame, ExprOp::Either),
            Act::Meet => self.close_either(frame, ExprOp::Meet),
            Act::Sequence => self.close_sequence(frame),
            Act::Row => self.close_row(frame),
            Act::Keyed => self.close_keyed(frame),
            Act::Apply => self.close_apply(frame),
            Act::Typed => self.close_typed(frame),
            Act::This => self.close_receiver(frame, ExprOp::This),
            Act::Super => self.close_receiver(frame, ExprOp::Super),
            Act::Assign => self.close_assign(frame),
            Act::Return => self.close_return(frame, Tie::Return),
            Act::Yield => self.close_return(frame, Tie::Yield),
            Act::RunBlock => self.close_run_block(frame),
            Act::Instead => self.close_instead(frame),
            Act::Pair => self.close_pair(frame),
            Act::Attribute => self.close_attribute(frame),
            Act::AccessSection => self.close_section(frame),
            Act::Declaration => self.close_declaration(frame),
            Act::TypeCase => self.close_type_case(frame),
            Act::Package => self.close_package(frame),
            Act::Import(_) | Act::ImportItem(_) => self.close_import(frame),
            Act::ImportMark(flags) => self.mark_import(frame, flags),
            Act::ImportDots => self.import_dots(frame),
            Act::Scope(_) => self.last_expr(frame),
            Act::Comprehension => self.close_comprehension(frame),
            Act::Copied => self.close_copied(frame),
            Act::Wrapper => self.close_wrapper(frame),
            Act::Tokens => self.close_tokens(frame),
            Act::Heading => self.close_heading(frame),
            Act::Level(level) => self.heading_level(level),
            Act::Modifiers | Act::List => Payload::Nothing,
            Act::Branch => self.close_branch(frame),
            Act::Check => self.close_check(frame),
            Act::Builtin => Payload::Nothing,
            Act::FieldInit => self.close_field_init(frame),
            Act::Interpolation => Payload::Nothing,
            Act::BasicType => self.basic_type(frame),
            Act::Fields => self.close_fields(frame),
            Act::TypedPattern => self.close_typed_pattern(frame),
            Act::KeywordArgument => self.close_keyword(frame),
            Act::Constraint => self.close_constraint(frame),
            Act::TypeBinding => self.close_type_binding(frame),
            Act::TypeBound => self.close_type_bound(frame),
            Act::Raw | Act::Text | Act::Prose | Act::Skip => self.named_text(frame),
        }
    }

    /// Hands a value to the open parent. Values nobody can want are not kept.
    fn push(&mut self, slot: Slot, payload: Payload, span: Span) {
        if payload == Payload::Nothing
            && matches!(slot, Slot::Inherit | Slot::Expr | Slot::Skip)
            && !self.counts_arguments()
        {
            return;
        }
        let payload = match payload {
            Payload::Text(name) if slot == Slot::Name => self.bound_name(name, span),
            payload => payload,
        };
        self.values.push(Value { slot, payload, span });
    }

    /// Whether the open node holds the arguments of a call, of which each counts.
    fn counts_arguments(&self) -> bool {
        let mut around = self.frames.iter().rev().skip_while(|f| f.act == Act::List);
        self.language.linking.overloads && around.next().is_some_and(|f| f.slot == Slot::Args)
    }

    pub(crate) fn values_of(&self, frame: &Frame) -> &[Value] {
        &self.values[frame.values as usize..]
    }

    pub(crate) fn value(&self, frame: &Frame, slot: Slot) -> Option<Value> {
        self.values_of(frame).iter().copied().find(|v| v.slot == slot)
    }

    pub(crate) fn expr_in(&self, frame: &Frame, slot: Slot) -> ExprId {
        let exprs = self.values_of(frame).iter().filter(|v| v.slot == slot).filter_map(|v| match v.payload {
            Payload::Expr(expr) => Some(expr),
            _ => None,
        });
        exprs.into_iter().next().unwrap_or(ExprId::NONE)
    }

    /// Where the value in a slot starts, qualifiers before it included, and where it ends.
    pub(crate) fn extent(&self, frame: &Frame, slot: Slot) -> Span {
        let mut spans = self.values_of(frame).iter().filter(|v| v.slot == slot).map(|v| v.span);
        let first = spans.next().unwrap_or_default();
        spans.fold(first, |all, span| Span::new(all.start, span.end))
    }

    /// Whether a usual build leaves out the text at an offset.
    pub(crate) fn is_inactive(&self, at: u32) -> bool {
        let next = self.inactive.partition_point(|span| span.end <= at);
        self.inactive.get(next).is_some_and(|span| span.contains(at))
    }

    pub(crate) fn text(&self, span: Span) -> &'s [u8] {
        &self.source[span.range()]
    }

    /// Names bound inside an opaque node go on to the node that declares them.
    fn keep_bounds(&mut self, frame: &Frame) {
        let start = frame.values as usize;
        let flags = frame.flags;
        let mut kept = start;
        for i in start..self.values.len() {
            let mut value = self.values[i];
            if let Payload::Bound(bound) = value.payload {
                self.bounds[bound as usize].flags.insert(flags);
                value.slot = frame.slot;
                value.span = frame.span;
                self.values[kept] = value;
                kept += 1;
            }
        }
        self.values.truncate(kept);
    }

    fn close_opaque(&mut self, frame: &Frame) -> Payload {
        if frame.slot == Slot::Args {
            return self.close_args(frame);
        }
        if frame.ctx == Ctx::Import {
            return self.close_path(frame);
        }
        self.named_text(frame)
    }

    pub(crate) fn close_pass(&mut self, frame: &Frame) -> Payload {
        if frame.slot == Slot::Args {
            return self.close_args(frame);
        }
        if frame.ctx == Ctx::Import {
            return self.close_path(frame);
        }
        self.values_of(frame)
            .iter()
            .rev()
            .map(|v| v.payload)
            .find(|p| *p != Payload::Nothing)
            .unwrap_or_else(|| self.named_text(frame))
    }

    /// In the place of a name, the whole text of a node is the name.
    fn named_text(&self, frame: &Frame) -> Payload {
        match frame.ctx {
            Ctx::Name if !matches!(frame.act, Act::Skip) => {
                let inner = self.values_of(frame).iter().find(|v| matches!(v.payload, Payload::Text(_)));
                inner.map_or(Payload::Text(frame.span), |v| v.payload)
            }
            _ => Payload::Nothing,
        }
    }

    /// A modifier that has no token of its own.
    fn written_modifier(&mut self, span: Span) {
        let text = self.text(span);
        let found = self.language.modifiers.iter().find(|(word, _)| word.as_bytes() == text);
        if let Some((_, modifier)) = found {
            self.modifier(*modifier);
        }
    }

    /// A modifier token belongs to the definition whose header it stands in.
    fn modifier(&mut self, modifier: Modifier) {
        for frame in self.frames.iter_mut().rev() {
            match frame.act {
                Act::Modifiers | Act::AccessSection => {}
                Act::This if modifier == Modifier::Super => {
                    frame.act = Act::Super;
                    return;
                }
                // The declarator may hold modifiers of what it declares.
                Act::FunctionDeclarator | Act::Initialized | Act::Unary(Op::Pointer | Op::Array) => continue,
                Act::Def(_)
                | Act::DefOrRef(_)
                | Act::DefValue(_)
                | Act::Bind { .. }
                | Act::Param(_)
                | Act::Lambda
                | Act::Params
                | Act::Wrapper
                | Act::Import(_)
                | Act::ImportItem(_)
                | Act::Unary(Op::Written | Op::Both) => {
                    apply_modifier(frame, modifier);
                    return;
                }
                _ => return,
            }
            apply_modifier(frame, modifier);
        }
    }
}

pub(crate) fn apply_modifier(frame: &mut Frame, modifier: Modifier) {
    match modifier {
        Modifier::Flag(flags) => {
            frame.flags.insert(flags);
            if flags == Flags::STATIC {
                frame.import.insert(ImportFlags::STATIC);
            }
        }
        Modifier::TypeFlag(flags) => frame.type_flags.insert(flags),
        Modifier::Visible(visibility) => {
            if matches!(frame.act, Act::Import(_)) && visibility == Visibility::Public {
                frame.import.insert(ImportFlags::REEXPORT);
            }
            frame.visibility = visibility;
        }
        Modifier::Kind(kind) => frame.kind = Some(kind),
        Modifier::Op(op) if matches!(frame.act, Act::Unary(_)) => frame.act = Act::Unary(op),
        Modifier::Op(_) => {}
        Modifier::Import(flags) => frame.import.insert(flags),
        Modifier::Super => {}
    }
}

/// Expressions that may stand in a string as they are.
pub(crate) fn is_code(act: Act) -> bool {
    matches!(act, Act::Ident | Act::FieldIdent | Act::GlobalIdent | Act::Member | Act::Call | Act::Unary(_))
}
