import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useVisibleRows } from '../integrations/use-visible-rows.ts';
import { targetOfKey } from '../parts/target-of-key.ts';
import { words } from '../words.ts';
import { CallRow } from './call-row.tsx';
import type { NumberedCall } from './use-activity.ts';

/** Pixels; the style sheet has the same number. */
const rowHeight = 36;

interface CallListProps {
  /** Newest first. */
  readonly calls: readonly NumberedCall[];
  /** The server's name as it is now. */
  readonly nameOfServer: (call: NumberedCall) => string;
  readonly onOpen: (call: NumberedCall) => void;
}

/** One stop for the Tab key; arrows choose, Enter opens. What comes above pushes nothing away that is being read. */
export function CallList({ calls, nameOfServer, onOpen }: CallListProps) {
  const listId = useId();
  const rows = useVisibleRows(calls.length, rowHeight);
  const [chosen, setChosen] = useState<number>();
  const selected = calls.findIndex(({ number }) => number === chosen);
  const { ref, reveal } = rows;
  const newest = useRef<number>(undefined);
  useLayoutEffect(() => {
    const box = ref.current;
    const added = calls.findIndex(({ number }) => number === newest.current);
    if (box !== null && box.scrollTop > 0 && added > 0) box.scrollTop += added * rowHeight;
    newest.current = calls[0]?.number;
  }, [calls, ref]);
  useEffect(() => {
    if (chosen !== undefined) reveal(calls.findIndex(({ number }) => number === chosen));
    // Only a choice of the person moves the list.
  }, [chosen]);

  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const call = calls[selected];
    if ((event.key === 'Enter' || event.key === ' ') && call) {
      event.preventDefault();
      return onOpen(call);
    }
    const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / rowHeight) - 1);
    const target = targetOfKey(event.key, selected, page, calls.length);
    const next = target === undefined ? undefined : calls[target];
    if (next === undefined) return;
    event.preventDefault();
    setChosen(next.number);
  };

  const drawn = calls.slice(rows.first, rows.end);
  const isDrawn = selected >= rows.first && selected < rows.end;
  const { columns } = words.activity;
  return (
    <div className="call-table">
      <div className="call-columns" aria-hidden="true">
        <span>{columns.time}</span>
        <span className="call-program">{columns.program}</span>
        <span className="call-server">{columns.server}</span>
        <span>{columns.call}</span>
        <span>{columns.outcome}</span>
        <span className="call-took">{columns.took}</span>
      </div>
      <div
        ref={ref}
        className="call-list"
        role="listbox"
        tabIndex={0}
        aria-label={words.activity.list}
        aria-activedescendant={isDrawn ? `${listId}-${calls[selected]?.number}` : undefined}
        onKeyDown={move}
        onScroll={rows.onScroll}
      >
        <div role="presentation" style={{ height: calls.length * rowHeight }}>
          {drawn.map((call, offset) => (
            <CallRow
              key={call.number}
              id={`${listId}-${call.number}`}
              call={call}
              server={nameOfServer(call)}
              selected={call.number === chosen}
              position={rows.first + offset}
              count={calls.length}
              top={(rows.first + offset) * rowHeight}
              onOpen={() => {
                setChosen(call.number);
                onOpen(call);
              }}
            />
          ))}
        </div>
      </div>
    </div>
  );
}
