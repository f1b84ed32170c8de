import { Pause, Play } from 'lucide-react';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import type { ProgramView } from '../../shared/program-view.ts';
import { hasFailed } from '../../shared/status-words.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { targetOfKey, useVisibleRows } from '../parts/rows.ts';
import { usePause } from '../postern.ts';
import { useIntegration, useSnapshots } from '../store.ts';
import { showIntegration } from '../view.ts';
import { formatDistance, useNow, words } from '../words.ts';
import { describeOutcome, explainOutcome, nameOfProgram, shortTime, wholeTime } from './calls.ts';
import type { NumberedCall } from './calls.ts';
import './recent-calls.css';

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

interface CallRowProps {
  readonly id: string;
  readonly call: NumberedCall;
  readonly server: string;
  readonly selected: boolean;
  readonly position: number;
  readonly count: number;
  /** Pixels from the top of the list. */
  readonly top: number;
  readonly onOpen: () => void;
}

function CallRow({ id, call, server, selected, position, count, top, onOpen }: CallRowProps) {
  return (
    <div
      id={id}
      className={`call-row${selected ? ' selected' : ''}${hasFailed(call) ? ' failed' : ''}`}
      role="option"
      aria-selected={selected}
      aria-posinset={position + 1}
      aria-setsize={count}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onOpen}
    >
      <span className="call-time">{shortTime(call.at, Date.now())}</span>{' '}
      <span className="call-program">{nameOfProgram(call)}</span> <span className="call-server">{server}</span>{' '}
      <span className="call-name">{call.tool ?? call.method}</span>{' '}
      <span className="call-outcome">{describeOutcome(call)}</span>{' '}
      <span className="call-took">{words.activity.milliseconds(call.ms)}</span>
    </div>
  );
}

interface CallDialogProps {
  readonly call: NumberedCall;
  readonly server: string;
  readonly onClose: () => void;
}

function PauseButton({ program }: { readonly program: ProgramView }) {
  const { pauseOf, resumeOf } = words.programs.pausing;
  const { busy, error, turn } = usePause(program);
  return (
    <>
      {error && <ErrorNotice error={error} />}
      <Button icon={program.isPaused ? Play : Pause} busy={busy} onClick={turn}>
        {program.isPaused ? resumeOf(program.name) : pauseOf(program.name)}
      </Button>
    </>
  );
}

/** All that is known of one call. */
export function CallDialog({ call, server, onClose }: CallDialogProps) {
  const { facts, wires, bytes, milliseconds, open, close } = words.activity;
  const integration = useIntegration(call.integration);
  const program = useSnapshots((state) => state.programs?.find(({ id }) => id === call.program));
  return (
    <Dialog
      open
      title={call.tool ?? call.method}
      isText
      description={explainOutcome(call)}
      onClose={onClose}
      footer={
        <>
          {program && <PauseButton program={program} />}
          {integration && <Button onClick={() => showIntegration(integration.id)}>{open(integration.name)}</Button>}
          <Button kind="primary" onClick={onClose}>
            {close}
          </Button>
        </>
      }
    >
      <div className="call-facts">
        <Facts
          facts={[
            { term: facts.time, value: wholeTime(call.at) },
            { term: facts.program, value: nameOfProgram(call) },
            { term: facts.server, value: server },
            { term: facts.method, value: call.method },
            call.tool !== undefined && { term: facts.tool, value: call.tool },
            { term: facts.outcome, value: call.outcome },
            { term: facts.took, value: milliseconds(call.ms) },
            { term: facts.asked, value: bytes(call.bytesIn) },
            { term: facts.answered, value: bytes(call.bytesOut) },
            { term: facts.wire, value: wires[call.era] },
          ]}
        />
      </div>
    </Dialog>
  );
}

interface RecentCallsProps {
  /** Newest first. */
  readonly calls: readonly NumberedCall[];
  /** What the server of a call is called. */
  readonly nameOfServer: (call: NumberedCall) => string;
}

const shown = 5;

/** The newest calls of programs. */
export function RecentCalls({ calls, nameOfServer }: RecentCallsProps) {
  return <RecentRows rows={calls.slice(0, shown).map((call) => rowOfCall(call, nameOfServer(call)))} />;
}

/** `server`: its name, where more than one could be meant. */
export function rowOfCall(call: NumberedCall, server?: string): RecentRow {
  return {
    key: `call ${call.number}`,
    what: call.tool ?? call.method,
    failure: hasFailed(call) ? describeOutcome(call) : undefined,
    who: [nameOfProgram(call), server],
    at: call.at,
  };
}

/** Something that happened. */
export interface RecentRow {
  readonly key: string;
  readonly what: string;
  /** How it failed, where it did. */
  readonly failure?: string | undefined;
  /** Who did it, and where. */
  readonly who: readonly (string | undefined)[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Newest first, in two lines each. */
export function RecentRows({ rows }: { readonly rows: readonly RecentRow[] }) {
  const now = useNow(60_000);
  return (
    <ul className="recent-calls">
      {rows.map(({ key, what, failure, who, at }) => (
        <li key={key} className="recent-call">
          <span className="recent-call-what">
            <span className="recent-call-name">{what}</span>
            {failure !== undefined && <span className="recent-call-failed">{failure}</span>}
          </span>
          <span className="recent-call-who">{who.filter((part) => part !== undefined).join(' · ')}</span>
          <span className="recent-call-time">{formatDistance(Math.min(at, now), now)}</span>
        </li>
      ))}
    </ul>
  );
}
