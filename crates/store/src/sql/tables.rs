//! The list of unpacked tables. `files`, `metadata` and `dependencies` need no unpacking.

use std::sync::Arc;

use codegraph_model::{FileId, LineType, RefKind, SymbolId, TermId, TermMask};
use rusqlite::types::Value;

use super::AstNode;
use super::columns::*;
use super::file_view::{FileView, Reader};
use super::linked::*;
use super::table::{AnyTable, Column, Key, Over, Table};
use crate::names::reference_id;
use crate::stored::symbol_line_type;
use crate::{LineMask, Result, Term, plain_comment};

/// Every unpacked table.
pub(super) const TABLES: &[&'static dyn AnyTable] = &[
    &SYMBOLS_TABLE, &METHODS, &FUNCTIONS, &CLASSES, &TYPES, &REFERENCES, &CALLS, &USAGES, &ENTITY_CROSS_REF, &LINES,
    &ITEMS, &OCCURRENCES, &SIGNATURES, &AST_NODES,
];

static SYMBOLS_TABLE: Table<SymbolAt> =
    Table { name: "symbols", over: Over::Files, columns: SYMBOLS, rows: |r, file| symbols(r, file, |_| true) };

static METHODS: Table<SymbolAt> = Table {
    name: "methods",
    over: Over::Files,
    columns: &[
        ID, FILE_ID, NAME, PROTOTYPE, LINE_NUMBER, VISIBILITY, IS_STATIC, IS_ASYNC, CLASS_ID, LINE, END_LINE, ARGS,
        DOCSTRING, FILE_PATH,
    ],
    rows: |r, file| symbols(r, file, |s| matches!(s.symbol().kind.entity(), Some("method" | "function"))),
};

static FUNCTIONS: Table<SymbolAt> = Table {
    name: "functions",
    over: Over::Files,
    columns: &[ID, FILE_ID, NAME, LINE, END_LINE, ARGS, DOCSTRING, FILE_PATH],
    rows: |r, file| symbols(r, file, |s| s.symbol().kind.entity() == Some("function")),
};

static CLASSES: Table<SymbolAt> = Table {
    name: "classes",
    over: Over::Files,
    columns: &[ID, FILE_ID, NAME, LINE, END_LINE, DOCSTRING, BASES, FILE_PATH],
    rows: |r, file| symbols(r, file, |s| s.symbol().kind.entity() == Some("class")),
};

static TYPES: Table<SymbolAt> = Table {
    name: "types",
    over: Over::Files,
    columns: &[
        ID,
        FILE_ID,
        NAME,
        column("kind TEXT", |_, s| text(s.symbol().kind.type_kind().unwrap_or_default())),
        LINE_NUMBER,
        END_LINE,
        FILE_PATH,
    ],
    rows: |r, file| symbols(r, file, |s| s.symbol().kind.type_kind().is_some()),
};

fn symbols(reader: &Reader, file: u32, test: fn(&SymbolAt) -> bool) -> Result<Vec<SymbolAt>> {
    let file = reader.file(file, false)?;
    let ids = 0..file.stored.facts.symbols.len() as u32;
    Ok(ids.map(|id| SymbolAt { file: file.clone(), id: SymbolId(id) }).filter(test).collect())
}

const REF_NAME: Column<RefAt> =
    keyed("referenced_symbol TEXT", Key::Named, |reader, r| optional(reader.name(&r.file, r.reference().name)?));

static REFERENCES: Table<RefAt> = Table {
    name: "references",
    over: Over::Files,
    columns: &[
        REF_ID,
        REF_FILE_ID,
        REF_FILE_PATH,
        REF_NAME,
        column("kind TEXT", |reader, r| text(r.kind(reader)?.word())),
        column("kind_normalized TEXT", |reader, r| match r.runs(reader)? {
            true => text(r.kind(reader)?.contract()),
            false => text(RefKind::TypeRef.contract()),
        }),
        REF_START,
        REF_END,
        REF_START_LINE,
        REF_START_COL,
        REF_END_LINE,
        REF_END_COL,
        CALLER_ID,
        CALLER_SYMBOL_ID,
        TARGET_ID,
        TARGET_SYMBOL_ID,
        TARGET,
        IS_EXTERNAL,
        CERTAINTY,
        HOW,
        column("import_alias TEXT", |reader, r| {
            optional(match r.import() {
                Some(import) => reader.name(&r.file, import.alias)?,
                None => None,
            })
        }),
        column("import_level INTEGER", |_, r| {
            Ok(r.import().map_or(Value::Null, |import| Value::Integer(import.level.into())))
        }),
        column("reference_id TEXT", |reader, r| {
            let name = reader.name(&r.file, r.reference().name)?.unwrap_or_default();
            text(reference_id(&name, &r.file.record.path, r.reference().span.start))
        }),
        column("caller_key TEXT", |_, r| text(r.file.symbol_key(r.caller()))),
        TARGET_KEY,
    ],
    rows: |r, file| references(r, file, |_| true),
};

static CALLS: Table<RefAt> = Table {
    name: "calls",
    over: Over::Files,
    columns: &[
        REF_ID,
        REF_FILE_ID,
        REF_FILE_PATH,
        CALLER,
        keyed("callee TEXT", Key::Named, |reader, r| optional(reader.name(&r.file, r.reference().name)?)),
        CALLER_SYMBOL_ID,
        CALLEE_SYMBOL_ID,
        CALLER_ID,
        CALLEE_ID,
        REF_START,
        REF_END,
        REF_START_LINE,
        REF_START_COL,
        REF_END_LINE,
        REF_END_COL,
        column("is_conditional INTEGER", |reader, r| {
            int(r.file.is_conditional(reader, r.reference().span, r.caller()))
        }),
    ],
    rows: |reader, file| {
        let mut rows = Vec::new();
        for row in references(reader, file, |kind| kind.contract() == "call")? {
            if row.runs(reader)? {
                rows.push(row);
            }
        }
        Ok(rows)
    },
};

static USAGES: Table<RefAt> = Table {
    name: "usages",
    over: Over::Files,
    columns: &[
        REF_ID,
        REF_FILE_ID,
        column("line INTEGER", |_, r| int(r.file.position(r.reference().span.start).0)),
        column("usage_type TEXT", |reader, r| text(r.kind(reader)?.word())),
        column("target_type TEXT", |reader, r| optional(r.target_type(reader)?.map(str::to_owned))),
        keyed("target_name TEXT", Key::Named, |reader, r| optional(reader.name(&r.file, r.reference().name)?)),
        TARGET_CLASS,
        column("context TEXT", |_, r| text(r.file.fqn(r.caller()))),
        REF_FILE_PATH,
    ],
    rows: |r, file| references(r, file, |_| true),
};

fn references(reader: &Reader, file: u32, test: fn(RefKind) -> bool) -> Result<Vec<RefAt>> {
    let file = reader.file(file, true)?;
    let refs = file.stored.facts.refs.iter().enumerate().filter(|(_, r)| test(r.kind));
    Ok(refs.map(|(index, _)| RefAt { file: file.clone(), index }).collect())
}

/// A line of a file that has terms or symbols.
struct LineAt {
    file: Arc<FileView>,
    line: u32,
    line_type: LineType,
}

static LINES: Table<LineAt> = Table {
    name: "lines",
    over: Over::Files,
    columns: &[
        column("id INTEGER", |_, l| int(l.file.stored.line_ids.id(l.line))),
        keyed("file_id INTEGER", Key::File, |_, l| int(l.file.record.id.0)),
        column("line_number INTEGER", |_, l| int(l.line)),
        column("line_type TEXT", |_, l| text(l.line_type.word())),
        keyed("file_path TEXT", Key::Path, |_, l| text(l.file.record.path.as_str())),
    ],
    rows: |reader, file| {
        let file = reader.file(file, false)?;
        let types = file.stored.line_types().into_iter().enumerate();
        let lines = types.filter_map(|(at, line_type)| {
            Some(LineAt { file: file.clone(), line: at as u32 + 1, line_type: line_type? })
        });
        Ok(lines.collect())
    },
};

static ITEMS: Table<Term> = Table {
    name: "items",
    over: Over::Terms,
    columns: &[
        keyed("id INTEGER", Key::Term, |_, term| int(term.id.0)),
        keyed("term TEXT", Key::Text, |_, term| text(term.text.as_str())),
    ],
    rows: |reader, term| Ok(reader.store.word(TermId(term))?.into_iter().collect()),
};

/// A term on a line.
struct WordAt {
    term: TermId,
    file: FileId,
    at: LineMask,
}

impl WordAt {
    /// The type of this occurrence: what it defines, else the most telling kind of text.
    fn line_type(&self, reader: &Reader) -> Result<LineType> {
        let mask = self.at.mask;
        if mask.has(TermMask::DEF) {
            let file = reader.file(self.file.0, false)?;
            let facts = &file.stored.facts;
            let defined = facts.symbols.iter().filter(|s| {
                s.name.get().is_some_and(|name| file.stored.term(name) == self.term)
                    && facts.line_of(s.name_span.start) == self.at.line
            });
            if let Some(line_type) = defined.filter_map(|s| symbol_line_type(s.kind)).next() {
                return Ok(line_type);
            }
        }
        Ok(match mask {
            _ if mask.has(TermMask::CODE) || mask.has(TermMask::DEF) => LineType::Code,
            _ if mask.has(TermMask::COMMENT) => LineType::Comment,
            _ => LineType::String,
        })
    }
}

static OCCURRENCES: Table<WordAt> = Table {
    name: "occurrences",
    over: Over::Terms,
    columns: &[
        keyed("item_id INTEGER", Key::Term, |_, w| int(w.term.0)),
        keyed("file_id INTEGER", Key::File, |_, w| int(w.file.0)),
        column("line_id INTEGER", |reader, w| int(reader.file(w.file.0, false)?.stored.line_ids.id(w.at.line))),
        column("line_number INTEGER", |_, w| int(w.at.line)),
        column("line_type TEXT", |reader, w| text(w.line_type(reader)?.word())),
    ],
    rows: |reader, term| {
        let term = TermId(term);
        let postings = reader.store.postings(term)?;
        let words = postings
            .into_iter()
            .flat_map(|posting| posting.lines.into_iter().map(move |at| WordAt { term, file: posting.file, at }));
        Ok(words.collect())
    },
};

static SIGNATURES: Table<Arc<FileView>> = Table {
    name: "signatures",
    over: Over::Files,
    columns: &[
        keyed("file_id INTEGER", Key::File, |_, file| int(file.record.id.0)),
        column("header_comments TEXT", |reader, file| {
            optional(reader.slice(file, file.stored.facts.header).map(|text| plain_comment(&text)))
        }),
        keyed("file_path TEXT", Key::Path, |_, file| text(file.record.path.as_str())),
    ],
    rows: |reader, file| Ok(vec![reader.file(file, false)?]),
};

/// A node of a syntax tree.
struct NodeAt {
    file: Arc<FileView>,
    index: u32,
    node: AstNode,
}

impl NodeAt {
    fn row_id(&self, index: u32) -> i64 {
        i64::from(self.file.record.id.0) << 24 | i64::from(index)
    }
}

static AST_NODES: Table<NodeAt> = Table {
    name: "ast_nodes",
    over: Over::Files,
    columns: &[
        keyed("id INTEGER", Key::Row, |_, n| int(n.row_id(n.index))),
        column("parent_id INTEGER", |_, n| {
            Ok(n.node.parent.map_or(Value::Null, |parent| Value::Integer(n.row_id(parent))))
        }),
        column("kind TEXT", |_, n| text(n.node.kind)),
        column("byte_start INTEGER", |_, n| int(n.node.start)),
        column("byte_end INTEGER", |_, n| int(n.node.end)),
        keyed("file_id INTEGER", Key::File, |_, n| int(n.file.record.id.0)),
        keyed("file_path TEXT", Key::Path, |_, n| text(n.file.record.path.as_str())),
    ],
    rows: |reader, file| {
        let file = reader.file(file, false)?;
        let nodes = reader.sources.ast(&file.record.path, &file.record.language).unwrap_or_default();
        let numbered = nodes.into_iter().enumerate();
        Ok(numbered.map(|(index, node)| NodeAt { file: file.clone(), index: index as u32, node }).collect())
    },
};
