import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { Dialog } from '../parts/dialog.tsx';
import { forget, useKept } from '../use-kept.ts';
import { closePalette, useView } from '../view.ts';
import { words } from '../words.ts';
import { rankEntries } from './rank-entries.ts';
import { type PaletteEntry, usePaletteEntries } from './use-palette-entries.ts';
import './palette.css';

/** Every server, page and action by a few letters of its name. */
export function Palette() {
  const isOpen = useView((state) => state.isPaletteOpen === true);
  if (!isOpen) return null;
  return (
    <Dialog open title={words.palette.title} onClose={closePalette}>
      <PaletteSearch />
    </Dialog>
  );
}

const place = 'palette';
const nothing = { query: '' };

function PaletteSearch() {
  const id = useId();
  const entries = usePaletteEntries();
  const [{ query }, keep] = useKept('page', place, nothing);
  const [chosen, setChosen] = useState(0);
  const wanted = useDeferredValue(query);
  const found = useMemo(() => rankEntries(entries, wanted), [entries, wanted]);
  const list = useRef<HTMLUListElement>(null);
  const current = Math.min(chosen, found.length - 1);
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: 'nearest' });
  }, [current, found]);

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && found.length > 0) setChosen((current + step + found.length) % found.length);
    // What is typed by now: the list that is drawn may be behind.
    const first = wanted === query ? found[current] : rankEntries(entries, query)[0];
    if (event.key === 'Enter' && first) run(first);
    if (step !== 0 || event.key === 'Enter') event.preventDefault();
  };
  return (
    <>
      <input
        className="input"
        role="combobox"
        aria-label={words.palette.label}
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
        placeholder={words.palette.label}
        spellCheck={false}
        autoComplete="off"
        value={query}
        onChange={(event) => {
          if (event.target.value === '') forget('page', place);
          else keep({ query: event.target.value });
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
        // What was typed before stands there, and goes with the first letter.
        onFocus={(event) => event.target.select()}
      />
      {found.length === 0 && (
        <p className="soft" role="status">
          {words.palette.nothing}
        </p>
      )}
      <ul ref={list} id={`${id}-list`} className="palette-list" role="listbox" aria-label={words.palette.found}>
        {found.map((entry, index) => (
          <li
            key={entry.id}
            id={`${id}-${index}`}
            className={`palette-entry${index === current ? ' selected' : ''}`}
            role="option"
            aria-selected={index === current}
            onClick={() => run(entry)}
            onPointerMove={() => setChosen(index)}
          >
            <span className="palette-label">{entry.label}</span>
            <span className="palette-kind">{entry.kind}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Once it is closed and the focus is back, so that what it leads to can take it. */
function run(entry: PaletteEntry): void {
  forget('page', place);
  flushSync(closePalette);
  setTimeout(entry.run);
}
