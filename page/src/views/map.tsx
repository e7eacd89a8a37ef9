// The compact map at any number of tokens, to read or to hand to a model.
import { useState } from "preact/hooks";
import { useAsk } from "../api";
import { change, usePlace } from "../router";
import type { CodeMap } from "../types";
import { Card, Check, Copy, save, Shown } from "../ui";
import { count, many } from "../words";

const STEPS = [500, 1000, 2000, 4000, 8000, 16000, 32000, 64000];

export function MapView() {
  const { params } = usePlace();
  const tokens = Number(params.get("tokens") ?? 4000);
  const noTests = params.get("tests") === "no";
  const focus = params.get("focus") ?? "";
  const [typed, setTyped] = useState(focus);
  const step = STEPS.reduce((best, one, i) => (Math.abs(one - tokens) < Math.abs(STEPS[best]! - tokens) ? i : best), 0);
  const map = useAsk<CodeMap>("map", { max_tokens: tokens, no_tests: noTests, focus: focus ? focus.split(/\s+/) : undefined });
  return (
    <>
      <h1 class="title">Code map</h1>
      <p class="facts">The most central files with their symbols, calls and references, within a number of tokens.</p>
      <div class="filters">
        <label class="slider">Tokens{" "}
          <input type="range" min="0" max={STEPS.length - 1} value={step} aria-valuetext={count(tokens)} onInput={(event) => change({ tokens: STEPS[Number(event.currentTarget.value)] })} />
          <input type="number" min="100" max="1000000" step="100" value={tokens} aria-label="number of tokens" onChange={(event) => change({ tokens: event.currentTarget.value })} />
        </label>
        <form class="inline" onSubmit={(event) => { event.preventDefault(); change({ focus: typed }); }}>
          <label>Files first <input type="text" class="mono" value={typed} placeholder="src/app.py" onInput={(event) => setTyped(event.currentTarget.value)} onBlur={() => change({ focus: typed })} /></label>
        </form>
        <Check label="without tests" checked={noTests} onChange={(on) => change({ tests: on ? "no" : "" })} />
      </div>
      <Shown asked={map} lines={14}>
        {(data) => (
          <Card
            title={`${many(data.files.length, "file")} of ${count(data.total)}`}
            aside={<><span>{many(data.tokens, "token")}</span><Copy text={() => data.text} /><button type="button" class="button" onClick={() => save("symbol_map.txt", "text/plain", data.text)}>Save</button></>}
          >
            <pre class="map mono" tabIndex={0} aria-label="the map">{data.text}</pre>
          </Card>
        )}
      </Shown>
    </>
  );
}
