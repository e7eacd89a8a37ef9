//! Types that are written as strings: `"Node"`, `"dict[str, Node] | None"`.

use codegraph_languages::table::{Act, Op};
use codegraph_model::*;

use crate::frame::*;
use crate::walk::Walk;

/// The longest text that is read as a type.
const LONGEST: u32 = 200;

impl Walk<'_> {
    /// The type that the content of a string names, where it can be one.
    pub(crate) fn quoted_type(&mut self, frame: &Frame, content: Span) -> Option<ExprId> {
        if !self.language.quoted_types || frame.ctx != Ctx::Type || content.len() > LONGEST || self.is_literal_type() {
            return None;
        }
        let mut reader = Reader { text: self.text(content), start: content.start, at: 0 };
        let ty = reader.union()?;
        reader.ends().then(|| self.written_type(&ty))
    }

    /// The arguments of `Literal` are values.
    fn is_literal_type(&self) -> bool {
        let around = self.frames.iter().rev().find(|f| matches!(f.act, Act::Apply | Act::Unary(Op::Index)));
        around.is_some_and(|frame| {
            let text = &self.source[frame.span.range()];
            text.split(|b| *b == b'[').next().is_some_and(|name| name.ends_with(b"Literal"))
        })
    }

    fn written_type(&mut self, ty: &Written) -> ExprId {
        match ty {
            Written::Path(parts) => {
                let mut expr = ExprId::NONE;
                for span in parts {
                    let name = self.words.intern(&self.source[span.range()]);
                    let reference = self.reference(name, *span, RefKind::TypeRef, expr);
                    expr = self.expr(ExprOp::Ref, reference.0, 0);
                }
                expr
            }
            Written::Apply(base, args) => {
                let base = self.written_type(base);
                let args: Vec<ExprId> = args.iter().map(|arg| self.written_type(arg)).collect();
                let cells = args.iter().rev().fold(ExprId::NONE, |rest, arg| self.expr(ExprOp::Cons, arg.0, rest.0));
                self.expr(ExprOp::Apply, base.0, cells.0)
            }
            Written::Either(left, right) => {
                let (left, right) = (self.written_type(left), self.written_type(right));
                self.expr(ExprOp::Either, left.0, right.0)
            }
        }
    }
}

enum Written {
    Path(Vec<Span>),
    Apply(Box<Written>, Vec<Written>),
    Either(Box<Written>, Box<Written>),
}

struct Reader<'t> {
    text: &'t [u8],
    start: u32,
    at: usize,
}

impl Reader<'_> {
    fn union(&mut self) -> Option<Written> {
        let left = self.applied()?;
        match self.takes(b'|') {
            true => Some(Written::Either(Box::new(left), Box::new(self.union()?))),
            false => Some(left),
        }
    }

    fn applied(&mut self) -> Option<Written> {
        let mut parts = vec![self.word()?];
        while self.takes(b'.') {
            parts.push(self.word()?);
        }
        let path = Written::Path(parts);
        if !self.takes(b'[') {
            return Some(path);
        }
        let mut args = vec![self.union()?];
        while self.takes(b',') {
            args.push(self.union()?);
        }
        self.takes(b']').then(|| Written::Apply(Box::new(path), args))
    }

    fn word(&mut self) -> Option<Span> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let len = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        if len == 0 || rest[0].is_ascii_digit() {
            return None;
        }
        let from = self.start + self.at as u32;
        self.at += len;
        Some(Span::new(from, from + len as u32))
    }

    fn takes(&mut self, byte: u8) -> bool {
        self.skip_space();
        let found = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn ends(&mut self) -> bool {
        self.skip_space();
        self.at == self.text.len()
    }

    fn skip_space(&mut self) {
        self.at += self.text[self.at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    }
}
