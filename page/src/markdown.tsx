// Markdown as far as summaries use it, made of elements and text: nothing in it can become anything else.
import type { ComponentChildren } from "preact";
import { href } from "./router";

export function Markdown({ text }: { text: string }) {
  return <div class="markdown">{blocks(text.split("\n"))}</div>;
}

function blocks(lines: string[]): ComponentChildren[] {
  const out: ComponentChildren[] = [];
  let paragraph: string[] = [];
  let list: string[] = [];
  const flush = () => {
    if (paragraph.length) out.push(<p key={out.length}>{inline(paragraph.join(" "))}</p>);
    if (list.length) out.push(<ul key={out.length}>{list.map((item, i) => <li key={i}>{inline(item)}</li>)}</ul>);
    [paragraph, list] = [[], []];
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    const item = /^\s*[-*]\s+(.*)$/.exec(line);
    if (/^\s*<!--.*-->\s*$/.test(line)) continue;
    if (/^\s*```/.test(line)) {
      flush();
      const end = lines.findIndex((other, j) => j > i && /^\s*```/.test(other));
      const stop = end < 0 ? lines.length : end;
      out.push(<pre key={out.length} class="mono">{lines.slice(i + 1, stop).join("\n")}</pre>);
      i = stop;
    } else if (heading) {
      flush();
      out.push(heading[1]!.length < 3 ? <h3 key={out.length}>{inline(heading[2]!)}</h3> : <h4 key={out.length}>{inline(heading[2]!)}</h4>);
    } else if (item) {
      if (paragraph.length) flush();
      list.push(item[1]!);
    } else if (/^\s*\|/.test(line)) {
      flush();
      out.push(<pre key={out.length} class="mono">{line}</pre>);
    } else if (line.trim() === "") flush();
    else if (list.length) list[list.length - 1] += ` ${line.trim()}`;
    else paragraph.push(line.trim());
  }
  flush();
  return out;
}

/** Code and emphasis; what code names can be searched for. */
function inline(text: string): ComponentChildren[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, i) => {
    if (/^`[^`]+`$/.test(part)) {
      const code = part.slice(1, -1);
      return /^[\w.$:#/-]+$/.test(code) ? <a key={i} class="mono" href={href("/search", { q: code })}>{code}</a> : <code key={i}>{code}</code>;
    }
    if (/^\*\*[^*]+\*\*$/.test(part)) return <strong key={i}>{part.slice(2, -2)}</strong>;
    return part;
  });
}
