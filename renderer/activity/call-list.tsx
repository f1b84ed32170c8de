import { Pause, Play } from 'lucide-react';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import type { AppView } from '../../shared/app-view.ts';
import { hasFailed } from '../../shared/status-words.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Facts } from '../components/facts.tsx';
import { targetOfKey, useVisibleRows } from '../components/use-visible-rows.ts';
import { usePause } from '../postern.ts';
import { useIntegration, useSnapshots } from '../store.ts';
import { showIntegration } from '../view.ts';
import { formatRelative, useNow, words } from '../words.ts';
import { describeOutcome, explainOutcome, nameOfApp, shortTime, fullTime, useTitles } from './use-activity.ts';
import type { NumberedCall, TitleOf } from './use-activity.ts';
import './recent-calls.css';

/** Pixels; keep in sync with the style sheet. */
const rowHeight = 36;

interface CallListProps {
  /** Newest first. */
  readonly calls: readonly NumberedCall[];
  /** The server's current name. */
  readonly nameOfServer: (call: NumberedCall) => string;
  readonly onOpen: (call: NumberedCall) => void;
}

/** A single Tab stop; arrow keys move, Enter opens. New calls above keep the scroll position of what is being read. */
export function CallList({ calls, nameOfServer, onOpen }: CallListProps) {
  const listId = useId();
  const rows = useVisibleRows(calls.length, rowHeight);
  const titleOf = useTitles();
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
    // Scroll only when the user moves the selection.
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
        <span className="call-app">{columns.app}</span>
        <span className="call-server">{columns.server}</span>
        <span>{columns.call}</span>
        <span>{columns.outcome}</span>
        <span className="call-took">{columns.duration}</span>
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
              title={titleOf(call)}
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
  readonly title: string;
  readonly server: string;
  readonly selected: boolean;
  readonly position: number;
  readonly count: number;
  /** Pixels from the top of the list. */
  readonly top: number;
  readonly onOpen: () => void;
}

function CallRow({ id, call, title, server, selected, position, count, top, onOpen }: CallRowProps) {
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
      <span className="call-app">{nameOfApp(call)}</span> <span className="call-server">{server}</span>{' '}
      <span className="call-name">{title}</span> <span className="call-outcome">{describeOutcome(call)}</span>{' '}
      <span className="call-took">{words.activity.milliseconds(call.ms)}</span>
    </div>
  );
}

interface CallDialogProps {
  readonly call: NumberedCall;
  readonly server: string;
  readonly onClose: () => void;
}

function PauseButton({ app }: { readonly app: AppView }) {
  const { pauseOf, resumeOf } = words.apps.pausing;
  const { busy, error, toggle } = usePause(app);
  return (
    <>
      {error && <ErrorNotice error={error} />}
      <Button icon={app.isPaused ? Play : Pause} busy={busy} onClick={toggle}>
        {app.isPaused ? resumeOf(app.name) : pauseOf(app.name)}
      </Button>
    </>
  );
}

/** All details of one call. */
export function CallDialog({ call, server, onClose }: CallDialogProps) {
  const { facts, revisions, bytes, milliseconds, open, close } = words.activity;
  const integration = useIntegration(call.integration);
  const app = useSnapshots((state) => state.apps?.find(({ id }) => id === call.app));
  const titleOf = useTitles();
  return (
    <Dialog
      open
      title={titleOf(call)}
      isText
      description={explainOutcome(call)}
      onClose={onClose}
      footer={
        <>
          {app && <PauseButton app={app} />}
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
            { term: facts.time, value: fullTime(call.at) },
            { term: facts.app, value: nameOfApp(call) },
            { term: facts.server, value: server },
            { term: facts.method, value: call.method },
            call.tool !== undefined && { term: facts.tool, value: call.tool },
            { term: facts.outcome, value: call.outcome },
            { term: facts.duration, value: milliseconds(call.ms) },
            { term: facts.requestSize, value: bytes(call.bytesIn) },
            { term: facts.responseSize, value: bytes(call.bytesOut) },
            { term: facts.revision, value: revisions[call.protocol] },
          ]}
        />
      </div>
    </Dialog>
  );
}

export function rowOfCall(call: NumberedCall, titleOf: TitleOf): RecentRow {
  return {
    key: `call ${call.number}`,
    what: titleOf(call),
    ...(hasFailed(call)
      ? { failure: describeOutcome(call) }
      : call.failure?.decision && { decision: describeOutcome(call) }),
    source: [nameOfApp(call)],
    at: call.at,
  };
}

/** An entry of a recent-activity list. */
export interface RecentRow {
  readonly key: string;
  readonly what: string;
  /** How it failed; absent if it succeeded. */
  readonly failure?: string | undefined;
  /** What the user decided, if it did not run because of that. */
  readonly decision?: string | undefined;
  /** App or host. */
  readonly source: readonly (string | undefined)[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Newest first; each row has two lines. */
export function RecentRows({ rows }: { readonly rows: readonly RecentRow[] }) {
  const now = useNow(60_000);
  return (
    <ul className="recent-calls">
      {rows.map(({ key, what, failure, decision, source, at }) => (
        <li key={key} className="recent-call">
          <span className="recent-call-what">
            <span className="recent-call-name">{what}</span>
            {failure !== undefined && <span className="recent-call-failed">{failure}</span>}
            {decision !== undefined && <span className="recent-call-decision">{decision}</span>}
          </span>
          <span className="recent-call-source">{source.filter((part) => part !== undefined).join(' · ')}</span>
          <span className="recent-call-time">{formatRelative(Math.min(at, now), now)}</span>
        </li>
      ))}
    </ul>
  );
}
