// What people wrote down: the summary of the project, and the notes for agents. It is edited only where the server lets one.
import { useContext, useState } from "preact/hooks";
import { About } from "../about";
import { Failure, tell, useAsk } from "../api";
import { refresh } from "../live";
import { Markdown } from "../markdown";
import type { Docs, Summary } from "../types";
import { Card, Empty, FileLink, Notes, Shown, Wrong } from "../ui";

export function DocsView() {
  const about = useContext(About);
  const summary = useAsk<Summary>("summary");
  const docs = useAsk<Docs>("docs");
  return (
    <>
      <h1 class="title">Docs</h1>
      <div class="columns">
        <div>
          <Card title="Summary" aside={<span class="mono">{summary.data?.path}</span>}>
            <Shown asked={summary} lines={14}>{(data) => <Markdown text={data.content} />}</Shown>
          </Card>
        </div>
        <div>
          {about?.write ? <Describe /> : <Card title="Add to the summary"><Empty>This server changes nothing. Start it with <code>--write</code> to add what you know here.</Empty></Card>}
          <Card title="Notes for agents" aside="CLAUDE.md, AGENTS.md">
            <Shown asked={docs} lines={6}>
              {(data) => (
                <>
                  <Notes of={data} />
                  {data.sources.length > 0 && <ul class="rows">{data.sources.map((one) => <li key={one.path}><FileLink path={one.path} /></li>)}</ul>}
                  {data.content && <Markdown text={data.content} />}
                </>
              )}
            </Shown>
          </Card>
        </div>
      </div>
    </>
  );
}

const SECTIONS = ["purpose", "architecture", "concepts", "patterns", "custom"];

function Describe() {
  const [section, setSection] = useState("purpose");
  const [title, setTitle] = useState("");
  const [content, setContent] = useState("");
  const [replace, setReplace] = useState(false);
  const [said, setSaid] = useState<{ error?: Failure; done?: boolean }>({});
  const submit = async (event: Event) => {
    event.preventDefault();
    try {
      await tell("describe", { section, content, replace, ...(section === "custom" ? { title } : {}) });
      setContent("");
      setSaid({ done: true });
      refresh();
    } catch (error) {
      setSaid({ error: error instanceof Failure ? error : new Failure("the server does not answer", null, 0) });
    }
  };
  return (
    <Card title="Add to the summary">
      <form class="describe" onSubmit={submit}>
        <label>Section{" "}<select value={section} onChange={(event) => setSection(event.currentTarget.value)}>{SECTIONS.map((one) => <option key={one}>{one}</option>)}</select></label>
        {section === "custom" && <label>Title <input type="text" value={title} required onInput={(event) => setTitle(event.currentTarget.value)} /></label>}
        <textarea rows={6} aria-label="Text, as Markdown" placeholder="What somebody who comes new should know, as Markdown" value={content} required onInput={(event) => setContent(event.currentTarget.value)} />
        <label class="check"><input type="checkbox" checked={replace} onChange={(event) => setReplace(event.currentTarget.checked)} />replace what the section says</label>
        <button class="button first" type="submit">Add</button>
        {said.done && <span role="status">Added.</span>}
        {said.error && <Wrong error={said.error} />}
      </form>
    </Card>
  );
}
