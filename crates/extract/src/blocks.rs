//! Blocks that calls are given besides their arguments: what runs them, and what their parameters get. And members of a base that
//! stand for those of others.

use codegraph_languages::table::{Act, Slot};
use codegraph_model::*;

use crate::frame::*;
use crate::walk::{NO_STEPS, Walk};
use crate::words::is_word_byte;

impl Walk<'_> {
    /// `yield a, b`: the block of the method around is run with these.
    pub(crate) fn close_run_block(&mut self, frame: &Frame) -> Payload {
        if let Some(Value { payload: Payload::Args(.., list), .. }) = self.value(frame, Slot::Args) {
            self.note_run(list);
        }
        Payload::Nothing
    }

    /// `block.call(a, b)`, where `block` is the parameter that holds the block.
    pub(crate) fn note_block_call(&mut self, reference: u32, list: ExprId) {
        if list.is_some() && self.language.block_calls == self.words.text(self.facts.refs[reference as usize].name) {
            self.note_run(list);
        }
    }

    fn note_run(&mut self, list: ExprId) {
        let symbol = self.callables.last().map(|c| c.symbol).filter(|s| s.is_some());
        if let (Some(symbol), true) = (symbol, list.is_some()) {
            let expr = self.expr(ExprOp::Tuple, list.0, 0);
            self.facts.notes.push(Note { symbol, tie: Tie::Yield, expr });
        }
    }

    /// Whether a list of arguments is what a block is run with.
    pub(crate) fn runs_block(&self, list: &Frame) -> bool {
        if self.language.block_calls.is_empty() {
            return false;
        }
        let around = self.frames[..self.frames.len() - 1].last().copied();
        match around {
            Some(frame) if frame.act == Act::RunBlock => true,
            Some(frame) if frame.act == Act::Call && list.slot == Slot::Args => self.calls_block(&frame),
            _ => false,
        }
    }

    fn calls_block(&self, call: &Frame) -> bool {
        let callee = self.expr_in(call, Slot::Callee);
        let Some(Expr { op: ExprOp::Ref, a, .. }) = callee.get().map(|callee| self.facts.exprs[callee.index()]) else {
            return false;
        };
        let Reference { name, receiver, .. } = self.facts.refs[a as usize];
        let Some(Expr { op: ExprOp::Ref, a, .. }) = receiver.get().map(|of| self.facts.exprs[of.index()]) else {
            return false;
        };
        self.language.block_calls == self.words.text(name)
            && self.is_block(self.words.text(self.facts.refs[a as usize].name).as_bytes())
    }

    /// `other(&block)`: the block of the method around is run by what is called here.
    pub(crate) fn note_handed_on(&mut self, frame: &Frame, callee: ExprId) {
        if self.language.block_calls.is_empty() {
            return;
        }
        let Some(args) = self.value(frame, Slot::Args).map(|args| self.text(args.span)) else { return };
        let Some(mark) = args.iter().rposition(|b| *b == b'&') else { return };
        let name = &args[mark + 1..];
        let name = &name[..name.iter().take_while(|b| is_word_byte(**b)).count()];
        let symbol = self.callables.last().map(|c| c.symbol).filter(|s| s.is_some());
        if let (Some(symbol), true) = (symbol, !name.is_empty() && self.is_block(name)) {
            let expr = self.expr(ExprOp::Takes, callee.0, BLOCK_PLACE);
            self.facts.notes.push(Note { symbol, tie: Tie::Yield, expr });
        }
    }

    /// Whether a name is that of the parameter that holds the block: `&name`.
    fn is_block(&self, text: &[u8]) -> bool {
        let params = self.callables.last().map_or(&[][..], |callable| &callable.params[..]);
        params.iter().any(|param| {
            let own = self.text(param.name);
            own == text && self.source[..param.name.start as usize].ends_with(b"&")
                || own.strip_prefix(b"&") == Some(text)
        })
    }

    /// The function that the parameters of a block belong to: what the call around it runs it as.
    pub(crate) fn given_to_block(&mut self, frame: &Frame, kind: BindingKind) -> ExprId {
        if kind != BindingKind::Param || self.language.block_calls.is_empty() {
            return ExprId::NONE;
        }
        let depth = self.frames.len() - 1;
        let plain = self.bounds_of(frame).iter().all(|bound| self.bounds[*bound as usize].steps == NO_STEPS);
        let [.., call, block] = &self.frames[..depth] else { return ExprId::NONE };
        if !plain || !matches!(block.act, Act::Scope(ScopeKind::Block)) || call.act != Act::Call {
            return ExprId::NONE;
        }
        let call = *call;
        let callee = self.expr_in(&call, Slot::Callee);
        if callee.is_some() { self.expr(ExprOp::Takes, callee.0, BLOCK_PLACE) } else { callee }
    }

    /// In a block the receiver is what the method makes it that runs the block.
    pub(crate) fn open_block(&mut self, kind: ScopeKind, span: Span) {
        if kind != ScopeKind::Block || self.language.block_receivers.is_empty() {
            return;
        }
        // The block itself is not among the open nodes yet.
        let Some(call) = self.frames.last().copied().filter(|f| f.act == Act::Call) else { return };
        let callee = self.expr_in(&call, Slot::Callee);
        if callee.is_none() {
            return;
        }
        let block = self.expr(ExprOp::Takes, callee.0, BLOCK_PLACE);
        let init = self.expr(ExprOp::Takes, block.0, RECEIVER_PLACE);
        let name = self.words.intern_made(BLOCK_RECEIVER.to_owned());
        let (kind, scope, span) = (BindingKind::Label, self.scope, Span::new(span.start, span.start));
        self.facts.bindings.push(Binding { kind, name, span, scope, from: span.start, ty: ExprId::NONE, init });
    }

    /// `instance_eval(&block)`: the method around runs its block for the receiver of this call.
    pub(crate) fn note_within(&mut self, frame: &Frame, reference: u32) {
        let Reference { name, receiver, .. } = self.facts.refs[reference as usize];
        if !self.language.block_receivers.contains(&self.words.text(name)) {
            return;
        }
        let passes = self.value(frame, Slot::Args).is_some_and(|args| self.text(args.span).contains(&b'&'));
        let symbol = self.callables.last().map(|c| c.symbol).filter(|s| s.is_some() && passes);
        if let Some(symbol) = symbol {
            let expr = match receiver.get() {
                Some(receiver) => receiver,
                None => self.expr(ExprOp::This, self.receiver_scope().0, 0),
            };
            self.facts.notes.push(Note { symbol, tie: Tie::Within, expr });
        }
    }

    /// `A::x insteadof B`: of members of one name, the type around has that of `A`.
    pub(crate) fn close_instead(&mut self, frame: &Frame) -> Payload {
        let member = self.expr_in(frame, Slot::Callee);
        if member.is_some() {
            let symbol = self.owner();
            self.facts.notes.push(Note { symbol, tie: Tie::Instead, expr: member });
        }
        Payload::Nothing
    }
}
