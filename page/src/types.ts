// What the server answers, as far as the page shows it. Each is the answer of a question of the same name.

export type Certainty = "exact" | "inferred" | "candidate";

export interface Brief {
  symbol_id: string;
  fqn: string;
  name: string;
  kind: string;
  file: string;
  line_number: number;
  end_line: number;
}

export interface Remarks {
  notes?: string[];
  stale_files?: string[];
  nearest?: string[];
}

export interface Info extends Brief {
  language: string;
  start_line: number;
  signature?: string;
  visibility?: string;
  flags?: string[];
  parent?: string;
}

export interface Unselected extends Remarks {
  selector: string;
  ambiguous: boolean;
  choices: Info[];
  total: number;
}

export interface Status {
  project_name: string;
  schema_version: string;
  statistics: {
    files: number;
    lines: number;
    items: number;
    occurrences: number;
    symbols: number;
    methods: number;
    types: number;
    files_with_problems: number;
  };
  languages: { language: string; files: number; bytes: number }[];
  last_update: number;
  database_size_bytes: number;
  source_bytes: number;
  problems: { file: string; note: string }[];
  skipped: { file: string; note: string }[];
  files_skipped: number;
  unread?: { extension: string; files: number }[];
  stale_files?: string[];
}

export interface Overview {
  entry_points: { file: string; symbol?: Brief }[];
  total_entry_points: number;
  main_types: { symbol: Brief; used_by_files: number }[];
  total_types: number;
}

export interface CentralFile {
  file: string;
  language: string;
  lines: number;
  used_by_files: number;
  used_by_tests: number;
  references: number;
}

export interface Central {
  files: CentralFile[];
  symbols: (Brief & { used_by_files: number })[];
}

export interface HotSpots {
  files: { file: string; language: string; lines: number; commits: number; used_by_files: number }[];
  commits: number;
}

export interface Health {
  languages: {
    language: string;
    files: number;
    references: number;
    inside: number;
    outside: number;
    unproven: number;
    other: number;
  }[];
}

export interface Find extends Remarks {
  symbols: Info[];
  total: number;
  next_offset?: number;
}

export interface Match {
  file: string;
  line_number: number;
  line_type: string;
  text: string;
  start_col: number;
  end_col: number;
}

export interface Lines extends Remarks {
  matches: Match[];
  total_matches: number;
  files_matched: number;
  in_strings?: number;
}

export interface Context extends Remarks {
  symbols: (Brief & { score: number; signature?: string; words: string[] })[];
}

export interface Piece {
  text: string;
  kind?: string;
  symbol?: number;
  external?: string;
  declaration?: boolean;
  certainty?: Certainty;
  how?: string;
}

export interface Listing extends Remarks {
  file: string;
  language: string;
  from: number;
  lines: Piece[][];
  total: number;
  symbols: Brief[];
}

export interface CensusEntry {
  path: string;
  type: "file" | "directory";
  language: string;
  files: number;
  lines: number;
  bytes: number;
  symbols: number;
  uses: number;
  used: number;
  problems: number;
}

export interface Census {
  folder: CensusEntry;
  entries: CensusEntry[];
  total: number;
}

export interface Cloud {
  terms: { term: string; lines: number; files: number; defined: boolean }[];
  total: number;
}

export interface Call {
  depth: number;
  symbol?: Brief;
  name: string;
  external: boolean;
  file: string;
  lines: number[];
  sites: number;
  certainty: Certainty;
}

export interface Calls extends Remarks {
  symbol: Brief;
  calls: Call[];
  total: number;
  next_offset?: number;
  unbound: { total: number };
}

export interface Entities extends Remarks {
  references: {
    entity?: Brief;
    name: string;
    ref_type: string;
    file_path: string;
    line: number;
    certainty: Certainty;
  }[];
  total: number;
}

export interface Relative {
  depth: number;
  name: string;
  symbol?: Brief;
  external: boolean;
  relation: string;
}

export interface Hierarchy extends Remarks {
  bases: Relative[];
  total_bases: number;
  heirs: Relative[];
  total_heirs: number;
}

export interface Site {
  file: string;
  line_number: number;
  kind: string;
  user: Brief;
  certainty: Certainty;
  how?: string;
  text?: string;
}

export interface Refs extends Remarks {
  symbol: Brief;
  references: Site[];
  total: number;
  files: number;
  next_offset?: number;
}

export interface Affected {
  depth: number;
  symbol: Brief;
  via: string;
  kind: string;
  line_number: number;
  certainty: Certainty;
}

export interface Impact extends Remarks {
  symbol: Brief;
  affected: Affected[];
  total: number;
  files: number;
  tests: Affected[];
  total_tests: number;
}

export interface Get extends Remarks {
  symbol: Info;
  content_place: { start_line: number; end_line: number };
}

export interface Hover extends Remarks {
  documentation?: string;
  signature?: string;
}

export interface Diff extends Remarks {
  from: string;
  to?: string;
  files: string[];
  total_files: number;
  counts: Record<string, number>;
  symbols: { fate: string; parts?: string[]; symbol: Brief; was?: Brief; signature: string; old_signature?: string }[];
  total: number;
  concerned: { level: number; symbol: Brief; via: string; step: string; line_number?: number; certainty: Certainty }[];
  total_concerned: number;
  tests: { name: string; runner: string; file: string; line_number?: number; level: number; certainty: Certainty }[];
  total_tests: number;
  all_tests: number;
}

export interface SymbolHistory {
  of?: "lines" | "file";
  commits?: { commit: string; author: string; date: string; subject: string }[];
  partial?: boolean;
}

export interface NetworkNode {
  id: string;
  label: string;
  type: "folder" | "file" | "symbol";
  kind?: string;
  fqn?: string;
  path: string;
  line_number?: number;
  language: string;
  files: number;
  lines: number;
  test: boolean;
  cycle?: number;
}

export interface NetworkEdge {
  from: number;
  to: number;
  references: number;
  exact: number;
  kinds: Record<string, number>;
}

export interface Network extends Remarks {
  nodes: NetworkNode[];
  edges: NetworkEdge[];
  open: string[];
  left_out: number;
}

export interface Route extends Remarks {
  from: Brief;
  to: Brief;
  connected: boolean;
  steps: { symbol: Brief; site: Site }[];
}

export interface CodeMap {
  text: string;
  files: { file: string; form: string; references: number }[];
  total: number;
  left_out: number;
  tokens: number;
}

export interface Sql {
  columns: string[];
  rows: Record<string, unknown>[];
  truncated: boolean;
}

export interface Summary {
  name: string;
  content: string;
  path: string;
}

export interface Docs {
  content: string;
  total_lines: number;
  sources: { path: string; folder: string }[];
  notes?: string[];
}

export function isUnselected(answer: object): answer is Unselected {
  return "choices" in answer;
}
