//! The open nodes of the walk, what they collect, and what a name means at each place.

use codegraph_languages::table::{Act, Op, Slot};
use codegraph_model::{ExprId, Flags, ImportFlags, ScopeId, Span, StrId, SymbolId, SymbolKind, TermMask, Visibility};

/// What a name means at a place of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ctx {
    Expr,
    Callee,
    Class,
    Macro,
    Write,
    Update,
    Type,
    Inherit,
    Implements,
    Decorator,
    Bind,
    Name,
    Import,
    Skip,
}

impl Ctx {
    /// The context of a child in `slot` of a node with `act` that itself stands in `self`.
    pub(crate) fn of_child(self, act: Act, slot: Slot) -> Ctx {
        use Ctx::*;
        if self == Skip {
            return Skip;
        }
        if self == Import && !matches!(slot, Slot::Alias | Slot::Skip) {
            return Import;
        }
        match slot {
            Slot::Inherit => match act {
                Act::Pass | Act::Sequence | Act::Row | Act::Keyed | Act::Wrapper => self,
                _ => match self {
                    Callee | Class | Macro | Decorator => Expr,
                    other => other,
                },
            },
            Slot::Name | Slot::Alias | Slot::Property => match (act, self) {
                (Act::Package, _) => Skip,
                (Act::Member, Bind | Name) => self,
                (Act::FieldInit, _) if slot == Slot::Property => Update,
                _ => Name,
            },
            Slot::Bind | Slot::Params | Slot::Components | Slot::Receiver | Slot::TypeParams => Bind,
            Slot::Object if act == Act::Member && self == Name => Skip,
            Slot::Path => match self {
                Skip => Skip,
                _ => Type,
            },
            Slot::Type | Slot::Returns | Slot::TypeArgs | Slot::SelfType | Slot::Qualifier => Type,
            Slot::Base => Inherit,
            Slot::Implements => Implements,
            Slot::Decorator => Decorator,
            Slot::Callee => {
                // What is called in the place of a target is assigned to: `a.b = c`.
                if matches!(self, Decorator | Write | Update) { self } else { Callee }
            }
            Slot::Class => Class,
            Slot::Macro => Macro,
            Slot::Element => {
                if act == Act::Call {
                    Callee
                } else {
                    Expr
                }
            }
            Slot::Object | Slot::Otherwise => match (act, self) {
                (Act::Apply, _) | (Act::Either | Act::Unary(Op::Index), Inherit | Implements) => self,
                (Act::Unary(Op::Array | Op::Pointer | Op::Optional), Class) => Type,
                (_, Type | Inherit | Implements | Bind | Name) => Type,
                _ => Expr,
            },
            Slot::Target => Write,
            Slot::Update => Update,
            Slot::Module | Slot::Item => Import,
            Slot::Skip | Slot::WholeName => Skip,
            // What stands in the brackets of a type are its arguments.
            Slot::Expr if act == Act::Unary(Op::Index) && matches!(self, Type | Inherit | Implements) => Type,
            Slot::Key
            | Slot::Code
            | Slot::Subject
            | Slot::Value
            | Slot::Condition
            | Slot::OuterValue
            | Slot::Iterable
            | Slot::Body
            | Slot::Members
            | Slot::Args
            | Slot::Expr => Expr,
        }
    }
}

impl Ctx {
    /// The context for a name that can only be a type.
    pub(crate) fn of_type_name(self) -> Ctx {
        if self == Ctx::Expr { Ctx::Type } else { self }
    }
}

/// What a finished node hands to its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Payload {
    Nothing,
    Expr(ExprId),
    /// A name bound by a pattern: index into the walk's bounds.
    Bound(u32),
    /// The text of a name.
    Text(Span),
    /// A path of import parts: range in the walk's paths.
    Path(u32, u32),
    /// The content of a string literal.
    Source(Span),
    /// A symbol that was declared by an assignment to a member of the receiver.
    Member(SymbolId),
    /// An argument list: how many, the content of the first one if it is a string, its value, and all values.
    Args(u8, Option<Span>, ExprId, ExprId),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Value {
    pub(crate) slot: Slot,
    pub(crate) payload: Payload,
    pub(crate) span: Span,
}

/// A name in a pattern on its way to the node that declares it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    pub(crate) name: StrId,
    pub(crate) span: Span,
    /// Destructuring steps from the whole value to this name: index into the walk's steps.
    pub(crate) steps: u32,
    pub(crate) init: ExprId,
    pub(crate) ty: ExprId,
    pub(crate) type_span: Span,
    pub(crate) flags: Flags,
    /// Scopes written before the name.
    pub(crate) qualifier: Span,
    /// Where it can be used from.
    pub(crate) from: u32,
    /// The declarator that it stands in.
    pub(crate) declarator: Span,
    /// The symbol made for it already.
    pub(crate) symbol: SymbolId,
    /// The documentation right before the name.
    pub(crate) doc: Span,
    /// The scope of a function declarator.
    pub(crate) function: ScopeId,
    /// A pointer, reference or array declarator stands around the name.
    pub(crate) indirect: bool,
    /// The kind that the form of the name says.
    pub(crate) kind: Option<SymbolKind>,
}

/// One destructuring step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Item(u32),
    /// The name of a member, and where it is written.
    Key(StrId, Span),
    /// As the variant or type that an expression names.
    Case(ExprId),
}

/// A node that is still open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) rule: u16,
    pub(crate) act: Act,
    pub(crate) slot: Slot,
    pub(crate) ctx: Ctx,
    pub(crate) mask: TermMask,
    pub(crate) span: Span,
    /// Where this node's values start.
    pub(crate) values: u32,
    /// Number of named children seen.
    pub(crate) children: u32,
    /// Number of children that were not visited yet, tokens included.
    pub(crate) left: u32,
    /// The scope to go back to.
    pub(crate) outer: ScopeId,
    pub(crate) symbol: SymbolId,
    pub(crate) flags: Flags,
    pub(crate) visibility: Visibility,
    /// The visibility that a section label gave to the members that follow.
    pub(crate) section: Visibility,
    pub(crate) kind: Option<SymbolKind>,
    /// Flags of the declared type.
    pub(crate) type_flags: Flags,
    pub(crate) doc: Span,
    pub(crate) import: ImportFlags,
    pub(crate) first_import: u32,
    pub(crate) first_symbol: u32,
    pub(crate) level: u8,
    /// A callable was pushed for this node.
    pub(crate) callable: bool,
    /// The receiver that a nested path inherits from the path around it; what a literal or function has to be.
    pub(crate) receiver: ExprId,
    /// Start of the first body child.
    pub(crate) body: u32,
    /// The last child in which names are bound.
    pub(crate) child: Span,
}

/// A function whose parameters are being collected.
#[derive(Clone, Debug)]
pub(crate) struct Callable {
    pub(crate) symbol: SymbolId,
    pub(crate) params: Vec<codegraph_model::Param>,
    pub(crate) receiver: StrId,
    /// What the function has to be.
    pub(crate) context: ExprId,
    /// What a function without a name returns.
    pub(crate) returned: ExprId,
}
