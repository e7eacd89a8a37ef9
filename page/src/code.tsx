// Source in which every name is a link that says what it means and how sure that is. All of it is text, never markup.
import { useEffect } from "preact/hooks";
import { usePlace } from "./router";
import type { Brief, Listing, Piece } from "./types";
import { family, symbolHref } from "./ui";

const PLAIN = new Set(["comment", "string", "keyword"]);

function colour(piece: Piece): string {
  if (!piece.kind) return "";
  if (PLAIN.has(piece.kind)) return piece.kind;
  if (/^(local|parameter|type parameter|label|builtin)$/.test(piece.kind)) return "local";
  if (piece.external) return "foreign";
  return family(piece.kind);
}

function words(piece: Piece, symbol: Brief | undefined): string {
  const sure = piece.certainty ? ` — ${piece.certainty}${piece.how ? `, by ${piece.how}` : ""}` : "";
  if (symbol) return `${symbol.kind.replaceAll("_", " ")} ${symbol.fqn}\n${symbol.file}:${symbol.line_number}${sure}`;
  if (piece.external) return `${piece.external}, outside of the project${sure}`;
  return (piece.kind ?? "").replaceAll("_", " ");
}

function Part({ piece, symbols }: { piece: Piece; symbols: Brief[] }) {
  if (!piece.kind) return <>{piece.text}</>;
  const symbol = piece.symbol === undefined ? undefined : symbols[piece.symbol];
  const sure = piece.certainty && piece.certainty !== "exact" ? ` ${piece.certainty}` : "";
  const name = `${colour(piece)}${piece.declaration ? " here" : ""}${sure}`;
  if (symbol) return <a class={name} href={symbolHref(symbol.symbol_id)} title={words(piece, symbol)}>{piece.text}</a>;
  return <span class={name} title={PLAIN.has(piece.kind) ? undefined : words(piece, undefined)}>{piece.text}</span>;
}

/** Lines with their numbers; the one that the address names is marked. */
export function Code({ listing, mark }: { listing: Listing; mark?: number }) {
  const { hash } = usePlace();
  const named = mark ?? Number(/^L(\d+)/.exec(hash)?.[1] ?? 0);
  useEffect(() => {
    const line = named ? document.getElementById(`L${named}`) : null;
    const box = line?.parentElement;
    // Only the box moves: what is above it stays in sight.
    if (line && box) box.scrollTop = line.offsetTop - box.clientHeight / 3;
  }, [named, listing.file]);
  const pieces = listing.lines.flat();
  const prose = pieces.length > 0 && pieces.filter((piece) => piece.kind === "comment").length > pieces.length * 0.6;
  return (
    <div class={prose ? "code mono prose" : "code mono"} role="region" aria-label={`source of ${listing.file}`} tabIndex={0}>
      {listing.lines.map((pieces, i) => {
        const line = listing.from + i;
        return (
          <div key={line} id={`L${line}`} class={line === named ? "line marked" : "line"}>
            <a class="number" href={`#L${line}`} aria-label={`line ${line}`}>{line}</a>
            <code>{pieces.map((piece, j) => <Part key={j} piece={piece} symbols={listing.symbols} />)}</code>
          </div>
        );
      })}
    </div>
  );
}
