//! The read side: one file per question, plain answers that derive `Serialize`. Every surface calls these functions
//! and only formats what they say.
//!
//! Answers are bounded (a limit, a total, a way to go on), honest (an empty one says what was covered) and
//! deterministic. Text is read from the source files when an answer needs it, and only if it is what was indexed.
//! This crate never writes and never asks whether the index is fresh: the surface does, and hands over what is stale.

mod abroad;
mod answer;
mod ast;
mod at;
mod callers;
mod cancel;
mod chunks;
mod collisions;
mod completions;
mod context;
mod cycles;
mod dead_code;
mod definition;
mod deps;
mod diff;
mod dispatch;
mod doubt;
mod editor;
mod entity;
mod error;
mod find;
mod find_ast;
mod flow;
mod get;
mod graph;
mod hierarchy;
mod hints;
mod hits;
mod hover;
mod impact;
mod kept;
mod kinds;
mod label;
mod linked;
mod look;
mod lookup;
mod map;
mod marks;
mod nearest;
mod note;
mod offers;
mod overriding;
mod overview;
mod paths;
mod pattern;
mod phrase;
mod prototype;
mod query;
mod reader;
mod recent;
mod references;
mod refs;
mod relation;
mod rename;
mod route;
mod rows;
mod select;
mod selector;
mod semantic;
mod several;
mod sight;
mod signature;
mod signatures;
mod source;
mod sql;
mod status;
mod symbol;
mod tree;
mod unbound;
mod unseen;
mod usages;
mod variants;
mod vocabulary;
mod words;

pub use codegraph_model::Mode;

pub use abroad::{Abroad, UsedAbroad};
pub use answer::{CALLS_LIMIT, COMPACT_LIMIT, Coverage, DEFAULT_LIMIT, Remarks, UnreadCount, Window};
pub use ast::{Ast, AstAnswer, NodeInfo, Position, ast};
pub use callers::{Call, CallList, Calls, CallsAnswer, Dispatch, callees, callers};
pub use cancel::Cancel;
pub use chunks::{Chunk, ChunkList, Chunks, ChunksAnswer, DEFAULT_CHUNK_BYTES, chunks};
pub use codegraph_live::Published;
pub use collisions::{Collision, CollisionsAnswer, Identity, collisions};
pub use completions::{Completion, Completions, CompletionsAnswer, completions};
pub use context::{
    ContextAnswer, ContextQuestion, ContextSymbol, DEFAULT_TOKENS, LeftOut, ManyFile, ManySymbol, ManyTask, Neighbour,
    ReadNext, ReadRange, context, each_stem,
};
pub use cycles::{Cycle, CycleOf, Cycles, CyclesAnswer, cycles};
pub use dead_code::{DeadCode, DeadCodeAnswer, DeadSymbol, dead_code};
pub use definition::{Definition, DefinitionAnswer, Definitions, definition};
pub use deps::{Deps, DepsAnswer, FileEdge, deps};
pub use diff::{Comparison, Concerned, Diff, DiffAnswer, Fate, OpenName, Part, Side, Step, SymbolDiff, TestCase, side};
pub use editor::{
    CallEnd, CallEnds, Calling, DocumentSymbol, DocumentSymbols, Fold, FoldKind, Highlight, Token, TypeHint,
    document_symbols, folds, highlights, implementations, incoming_calls, item, outgoing_calls, parameters, relatives,
    selections, syntax_problems, tokens, type_definition, type_hints,
};
pub use entity::{EntityAnswer, EntityList, EntityQuestion, EntityRef, get_entity_dependencies, get_entity_dependents};
pub use error::{Error, Result};
pub use find::{Find, FindAnswer, ListedSymbol, find, symbols_like};
pub use find_ast::{FindAst, FindAstAnswer, FoundNode, find_ast};
pub use get::{Extent, GetAnswer, Inherited, Sources, SymbolSource, get};
pub use hierarchy::{Hierarchy, HierarchyAnswer, HierarchyQuestion, Relative, hierarchy};
pub use hover::{Hover, HoverAnswer, Parameter, hover};
pub use impact::{Affected, Impact, ImpactAnswer, ImpactList, impact};
pub use kinds::{EntityKind, NameKind, OutlineKind, UseKind};
pub use label::{LabelAnswer, LabelCount, label};
pub use look::{
    Census, CensusAnswer, CensusEntry, Central, CentralAnswer, CentralFile, CentralSymbol, Cloud, CloudAnswer,
    CloudTerm, Files, FilesAnswer, FoundFile, HealthAnswer, LanguageHealth, Listing, ListingAnswer, Network,
    NetworkAnswer, NetworkEdge, NetworkNode, NodeType, Piece, PieceKind, census, central, cloud, files, health,
    listing, network,
};
pub use map::{Map, MapAnswer, MapChunk, MapEntry, MapForm, MapState, is_map, map};
pub use marks::{DefinitionLines, Mark, Marked, Spot, is_aside_path, is_test_path, line_around};
pub use note::{Note, Then};
pub use offers::{Offered, OfferedTo, offers};
pub use overview::{EntryPoint, FolderCount, MainType, Overview, OverviewAnswer, overview};
pub use paths::{file_filter, is_test};
pub use prototype::prototype;
pub use query::{Match, Nearness, Query, QueryAnswer, TermPlace, query};
pub use reader::{Reader, Unread};
pub use references::{
    Occurrence, ReferenceList, ReferencePlaces, References, ReferencesAnswer, reference_places, references,
};
pub use refs::{Override, Refs, RefsAnswer, Uses, ref_kinds, refs};
pub use relation::{SiteInfo, SymbolBrief};
pub use rename::{FileChanges, Objection, Rename, RenameAnswer, Renaming, TextChange, Why, prepare_rename, rename};
pub use route::{PathAnswer, Route, RouteStep, path};
pub use select::{Selected, Unselected, selected};
pub use selector::{FilePlace, Selector};
pub use several::Several;
pub use signature::{ImportInfo, OutlineEntry, SignatureAnswer, signature};
pub use signatures::{Signatures, SignaturesAnswer, signatures};
pub use source::file_text;
pub use sql::{SqlAnswer, sql, tables};
pub use status::{Counts, FileNote, LanguageCount, StatusAnswer, problem_text, status};
pub use symbol::{Place, SymbolInfo};
pub use tree::{EntryType, Tree, TreeAnswer, TreeEntry, tree};
pub use unbound::{Receiver, SitePlace, Unbound};
pub use unseen::Unseen;
pub use usages::{
    Dependency, DependencyList, FindDependencies, FindDependenciesAnswer, FindUsages, FindUsagesAnswer, Usage,
    find_dependencies, find_usages,
};
pub use vocabulary::{kinds_of, line_types};
pub use words::is_word_byte;
