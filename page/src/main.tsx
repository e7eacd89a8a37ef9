// The frame of the page: where one can go, the search, and the view that the address names.
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, Failure, keepToken, token } from "./api";
import { VIEWS, useKeys } from "./keys";
import { refresh, start, useConnection } from "./live";
import { change, go, href, usePlace } from "./router";
import { apply, setTheme, theme, type Theme } from "./theme";
import { Icon } from "./icons";
import { About } from "./about";
import { OverviewView } from "./views/overview";
import { SearchView } from "./views/search";
import { TreeView } from "./views/tree";
import { FileView } from "./views/file";
import { SymbolView } from "./views/symbol";
import { GraphView } from "./views/graph";
import { ImpactView } from "./views/impact";
import { MapView } from "./views/map";
import { SqlView } from "./views/sql";
import { DocsView } from "./views/docs";

const PAGES: Record<string, { view: () => preact.JSX.Element; title: string }> = {
  "/": { view: OverviewView, title: "Overview" },
  "/search": { view: SearchView, title: "Search" },
  "/tree": { view: TreeView, title: "Tree" },
  "/file": { view: FileView, title: "File" },
  "/symbol": { view: SymbolView, title: "Symbol" },
  "/graph": { view: GraphView, title: "Graph" },
  "/impact": { view: ImpactView, title: "Impact" },
  "/map": { view: MapView, title: "Code map" },
  "/sql": { view: SqlView, title: "SQL" },
  "/docs": { view: DocsView, title: "Docs" },
};

export interface AboutServer {
  name: string | null;
  version: string;
  write: boolean;
  /** Whether there is git. */
  history: boolean;
}

function App() {
  const { path, params } = usePlace();
  const [about, setAbout] = useState<AboutServer | null>(null);
  const [locked, setLocked] = useState(false);
  const [help, setHelp] = useState(false);
  useKeys(() => setHelp(true));
  const look = () =>
    ask<AboutServer>("about").then(
      (found) => {
        setAbout(found);
        setLocked(false);
      },
      (error: unknown) => setLocked(error instanceof Failure && error.status === 401),
    );
  useEffect(() => void look(), []);
  const page = PAGES[path];
  useEffect(() => {
    const what = params.get("path") ?? params.get("q") ?? params.get("symbol");
    document.title = [what, page?.title, about?.name ?? "codegraph"].filter(Boolean).join(" · ");
  }, [path, params, about]);
  if (locked) return <Locked done={() => { refresh(); void look(); }} />;
  return (
    <About.Provider value={about}>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById("main")?.focus(); }}>Skip to the content</a>
      <Top about={about} help={() => setHelp(true)} />
      <nav class="side" aria-label="views">
        {VIEWS.map(([to, name, key]) => (
          <a key={to} href={to} class={isAt(path, to) ? "at" : undefined} aria-current={isAt(path, to) ? "page" : undefined} title={`${name} (g ${key})`}>
            <Icon name={to} />
            <span>{name}</span>
          </a>
        ))}
      </nav>
      <main id="main" tabIndex={-1} class={path === "/graph" ? "wide" : undefined}>
        {page ? <page.view key={path} /> : <p class="empty">There is nothing at {path}. <a href="/">Go to the overview.</a></p>}
      </main>
      {help && <Help close={() => setHelp(false)} />}
    </About.Provider>
  );
}

/** Files and symbols are reached from many views; the tree is where files live. */
function isAt(path: string, to: string): boolean {
  return path === to || (to === "/tree" && path === "/file") || (to === "/search" && path === "/symbol");
}

function Top({ about, help }: { about: AboutServer | null; help: () => void }) {
  const { path, params } = usePlace();
  const { connection, last } = useConnection();
  const typed = path === "/search" ? (params.get("q") ?? "") : "";
  const box = useRef<HTMLInputElement>(null);
  const search = (text: string) => {
    if (path === "/search") change({ q: text });
    else go(href("/search", { q: text }));
  };
  const files = last ? [...last.changed, ...last.added, ...last.removed] : [];
  const live = connection === "lost" ? "the server does not answer" : files.length ? `live; last change: ${files.slice(0, 3).join(", ")}` : "live: the page follows the files";
  return (
    <header class="top">
      <a class="brand" href="/" title="Overview"><img src="/icon.svg" alt="" width="22" height="22" /><span>{about?.name ?? "codegraph"}</span></a>
      <form role="search" onSubmit={(event) => { event.preventDefault(); search(box.current?.value ?? ""); }}>
        <Icon name="/search" />
        <input
          id="search-box" ref={box} type="search" placeholder="Search symbols, files, words…" aria-label="Search"
          autocomplete="off" spellcheck={false} value={typed} onInput={(event) => search(event.currentTarget.value)}
        />
        <kbd aria-hidden="true">/</kbd>
      </form>
      <span class={`live ${connection}`} role="status" title={live}><span class="hidden">{live}</span></span>
      <Themes />
      <button type="button" class="icon" onClick={help} aria-label="Keyboard shortcuts" title="Keyboard shortcuts (?)">?</button>
    </header>
  );
}

const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };

function Themes() {
  const [now, setNow] = useState<Theme>(theme());
  const turn = () => {
    setTheme(NEXT[now]);
    setNow(NEXT[now]);
  };
  return (
    <button type="button" class="icon" onClick={turn} aria-label={`Colours: ${now}`} title={`Colours: ${now}`}>
      <Icon name={`theme-${now}`} />
    </button>
  );
}

function Help({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const keys = [["/", "search"], ["↑ ↓", "choose a result"], ["Enter", "open it"], ...VIEWS.map(([, name, key]) => [`g ${key}`, name]), ["?", "these keys"]];
  return (
    <dialog ref={dialog} class="help" aria-label="Keyboard shortcuts" onClose={close} onClick={(event) => event.target === dialog.current && dialog.current?.close()}>
      <h2>Keys</h2>
      <dl>{keys.map(([key, what]) => <div key={key}><dt>{key!.split(" ").map((one) => <kbd key={one}>{one}</kbd>)}</dt><dd>{what}</dd></div>)}</dl>
      <button type="button" class="button" onClick={() => dialog.current?.close()}>Close</button>
    </dialog>
  );
}

function Locked({ done }: { done: () => void }) {
  const box = useRef<HTMLInputElement>(null);
  const unlock = (event: Event) => {
    event.preventDefault();
    keepToken(box.current?.value ?? "");
    done();
  };
  return (
    <form class="locked card" onSubmit={unlock}>
      <h1>This server asks for a token</h1>
      <p>It is the value of <code>CODEGRAPH_TOKEN</code> where the server was started. It is kept until this tab is closed.</p>
      <input ref={box} type="password" aria-label="Token" autocomplete="off" autofocus />
      <button class="button first" type="submit">Open</button>
    </form>
  );
}

apply();
token();
// The frame of the page was there before the script: it is drawn at once.
const app = document.getElementById("app")!;
app.replaceChildren();
render(<App />, app);
void start();
