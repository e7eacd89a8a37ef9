//! Prints what extraction says about a file: `cargo run --example show FILE`.
#![allow(clippy::unwrap_used, reason = "a tool for developers of tables")]

use codegraph_model::*;

fn main() {
    let path = std::env::args().nth(1).expect("usage: show FILE");
    let source = std::fs::read(&path).unwrap();
    let language = codegraph_languages::detect(&path, &source).expect("a supported language");
    let facts = codegraph_extract::extract(&source, language);
    let text = |s: Span| String::from_utf8_lossy(&source[s.range()]).replace('\n', " ");
    println!("package {:?} header {:?}", facts.package.get().map(|p| facts.name(p)), text(facts.header));
    for (i, s) in facts.symbols.iter().enumerate() {
        let depth = std::iter::successors(Some(s.parent), |p| p.get().map(|p| facts.symbols[p.index()].parent))
            .take_while(|p| p.is_some())
            .count();
        let params: Vec<String> = s
            .params
            .iter()
            .map(|p| format!("{}:{}={}", text(p.name), text(p.type_span), text(p.default)))
            .collect();
        println!(
            "{:indent$}{i} {} {}{} L{}-{} ({}) -> {} {:?} [{}] bases {:?} deco {:?} doc {:?}",
            "",
            s.kind.word(),
            s.qualifier.get().map(|q| format!("{}/", facts.name(q))).unwrap_or_default(),
            facts.name(s.name),
            facts.line_of(s.span.start),
            facts.line_of(s.span.end),
            params.join(", "),
            text(s.type_span),
            s.visibility,
            s.flags.words().collect::<Vec<_>>().join(" "),
            s.bases.iter().map(|b| text(*b)).collect::<Vec<_>>(),
            s.decorators.iter().map(|b| text(*b)).collect::<Vec<_>>(),
            text(s.doc).chars().take(40).collect::<String>(),
            indent = depth * 2,
        );
    }
    for b in &facts.bindings {
        println!(
            "bind {:?} {} L{} scope {} ty {} init {}",
            b.kind,
            facts.name(b.name),
            facts.line_of(b.span.start),
            b.scope.0,
            show(&facts, b.ty),
            show(&facts, b.init)
        );
    }
    for i in &facts.imports {
        println!(
            "import {:?} from {:?} as {:?} level {} flags {:b}",
            i.path.iter().map(|r| facts.name(facts.refs[r.index()].name)).collect::<Vec<_>>(),
            i.source.get().map(|s| facts.name(s)),
            i.alias.get().map(|s| facts.name(s)),
            i.level,
            i.flags.0
        );
    }
    for n in &facts.notes {
        println!("note {} {:?} {}", facts.name(facts.symbols[n.symbol.index()].name), n.tie, show(&facts, n.expr));
    }
    for r in &facts.refs {
        let scope = &facts.scopes[r.scope.index()];
        println!(
            "ref {} {} L{} in {} recv {} args {}",
            r.kind.word(),
            facts.name(r.name),
            facts.line_of(r.span.start),
            facts.name(facts.symbols[scope.owner.index()].name),
            show(&facts, r.receiver),
            r.args
        );
    }
    println!("terms {} problems {:?}", facts.terms.len(), facts.problems);
}

fn show(facts: &FileFacts, id: ExprId) -> String {
    if id.is_none() {
        return "-".into();
    }
    let e = facts.exprs[id.index()];
    let a = || show(facts, ExprId(e.a));
    match e.op {
        ExprOp::Ref => {
            let r = &facts.refs[e.a as usize];
            let name = facts.name(r.name);
            if r.receiver.is_some() { format!("{}.{name}", show(facts, r.receiver)) } else { name.to_owned() }
        }
        ExprOp::Call => format!("{}()", a()),
        ExprOp::Apply | ExprOp::Either | ExprOp::Cons => format!("{:?}({}, {})", e.op, a(), show(facts, ExprId(e.b))),
        ExprOp::Item => format!("{}[{}]", a(), e.b),
        ExprOp::Key => format!("{}.{{{}}}", a(), facts.name(StrId(e.b))),
        ExprOp::Literal => format!("literal{}", e.a),
        ExprOp::Own => format!("own {}", facts.name(facts.symbols[e.a as usize].name)),
        ExprOp::This | ExprOp::Super | ExprOp::Lambda => format!("{:?}", e.op),
        _ => format!("{:?}({})", e.op, a()),
    }
}
