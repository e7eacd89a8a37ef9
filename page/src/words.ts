// Numbers, sizes, dates and paths as people read them.

const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export const count = (n: number): string => whole.format(n);
export const compact = (n: number): string => (n < 10_000 ? whole.format(n) : short.format(n));

export function many(n: number, one: string, more = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : more}`;
}

export function bytes(n: number): string {
  for (const [unit, size] of [["GB", 1e9], ["MB", 1e6], ["KB", 1e3]] as const) {
    if (n >= size) return `${(n / size).toFixed(n >= size * 10 ? 0 : 1)} ${unit}`;
  }
  return `${n} B`;
}

export function share(part: number, all: number): string {
  if (all === 0) return "–";
  const percent = (100 * part) / all;
  return percent > 0 && percent < 1 ? "<1 %" : `${Math.round(percent)} %`;
}

export function ago(seconds: number, now = Date.now() / 1000): string {
  const passed = Math.max(0, now - seconds);
  for (const [unit, size] of [["year", 31_557_600], ["month", 2_629_800], ["day", 86_400], ["hour", 3600], ["minute", 60]] as const) {
    if (passed >= size) return `${many(Math.floor(passed / size), unit)} ago`;
  }
  return "just now";
}

export const fileName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** A qualified name in two parts: where it is, and what it is called. */
export function split(fqn: string, name: string): [string, string] {
  const at = name ? fqn.lastIndexOf(name) : -1;
  return at > 0 ? [fqn.slice(0, at), fqn.slice(at)] : ["", fqn];
}

/** The same without what the path of its file says anyway: the module that is called like the file. */
export function scoped(symbol: { fqn: string; name: string; file: string }): [string, string] {
  if (!symbol.name) return ["", fileName(symbol.file)];
  const [scope, own] = split(symbol.fqn, symbol.name);
  const stem = fileName(symbol.file).split(".")[0]!;
  const parts = scope.match(/[^.:#\\/]+[.:#\\/]*/g) ?? [];
  const at = parts.findLastIndex((part) => part.replace(/[.:#\\/]+$/, "") === stem);
  return [(at >= 0 ? parts.slice(at + 1) : parts.slice(-1)).join(""), own];
}

/** The same number for the same text, on every visit. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}
