import { useState } from 'react';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { words } from '../words.ts';

type ImportEntry = IpcOutput<'import:read'>['entries'][number];

interface ImportListProps {
  readonly entries: readonly ImportEntry[];
  readonly onDismiss: () => void;
}

/** What a pasted `mcp.json` holds. Each remote server becomes a connection of its own; nothing is run. */
export function ImportList({ entries, onDismiss }: ImportListProps) {
  return (
    <section className="section" aria-labelledby="import-title">
      <h2 id="import-title">{words.connect.importTitle(entries.length)}</h2>
      <p className="soft">{words.connect.importText}</p>
      <ul className="import-list">
        {entries.map((entry) => (
          <ImportRow key={entry.id} entry={entry} />
        ))}
      </ul>
      <div>
        <Button kind="quiet" onClick={onDismiss}>
          {words.common.dismiss}
        </Button>
      </div>
    </section>
  );
}

function ImportRow({ entry }: { readonly entry: ImportEntry }) {
  const [begun, setBegun] = useState(false);
  const { id, kind, name, url, headerNames, notes } = entry;
  const remarks = [
    ...(headerNames === undefined ? [] : [words.connect.importHeaders(headerNames)]),
    ...notes.map((note) => words.connect.importNotes[note]),
  ].filter((remark) => remark !== '');
  const begin = (address: string): void => {
    setBegun(true);
    void postern.connection
      .discover({ url: address, options: {}, importEntry: id })
      .then((result) => result.ok || setBegun(false));
  };
  return (
    <li className="import-row">
      <div>
        <p className="import-name">{name}</p>
        {url !== undefined && <p className="mono small soft">{url}</p>}
        {kind === 'local' && <p className="small soft">{words.connect.importLocal}</p>}
        {remarks.length > 0 && <p className="small soft">{remarks.join(' · ')}</p>}
      </div>
      {url !== undefined && (
        <Button onClick={() => begin(url)} disabled={begun} aria-label={`${words.connect.importConnect}: ${name}`}>
          {begun ? words.connect.importDone : words.connect.importConnect}
        </Button>
      )}
    </li>
  );
}
