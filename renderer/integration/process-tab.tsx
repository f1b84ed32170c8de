import { useEffect, useRef, useState } from 'react';
import type { LocalCommand } from '../../shared/local-command.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IpcResult } from '../../shared/postern-api.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { CommandFacts } from '../integrations/command-facts.tsx';
import { formatMoment, useNow } from '../moments.ts';
import { Button } from '../parts/button.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { Facts } from '../parts/facts.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import './process-tab.css';

type Status = IpcOutput<'local:status'>;

/** Milliseconds between two looks. */
const look = 1_000;
/** Characters of its output that are shown: the end of it. */
const mostShown = 200_000;

/** Its processes, what they have written, and how to end and to start them. */
export function ProcessTab({ id, command }: { readonly id: string; readonly command: LocalCommand }) {
  const { status, output, error, again } = useStatus(id);
  const now = useNow(30_000);
  const call = useCall<unknown>();
  const { local } = words;
  const act = (make: () => Promise<IpcResult<unknown>>): void => void call.run(make).then(again);
  const state = status && shownState(status);
  return (
    <div className="stack measure">
      {error && <ErrorNotice error={error} />}
      {state && (
        <div className="row process-state">
          <p role="status">{local.states[state]}</p>
          <Button className="push" busy={call.busy} onClick={() => act(() => postern.local.stop({ id }))}>
            {local.stop}
          </Button>
        </div>
      )}
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
      {status && status.processes.length > 0 && (
        <Facts
          facts={[
            {
              term: local.processList,
              value: (
                <ul className="plain-list">
                  {status.processes.map(({ pid, startedAt }) => (
                    <li key={pid}>{local.process(pid, formatMoment(startedAt, now))}</li>
                  ))}
                </ul>
              ),
            },
          ]}
        />
      )}
      <section className="stack-tight" aria-labelledby="what-runs">
        <h2 id="what-runs">{local.what}</h2>
        <CommandFacts command={command} />
        <CheckBox
          role="switch"
          checked={command.lifetime === 'shared'}
          onChange={(isShared) => act(() => postern.local.share({ id, isShared }))}
          label={local.share}
          hint={local.shareHint}
          disabled={call.busy}
        />
      </section>
      <section className="stack-tight" aria-labelledby="output-title">
        <h2 id="output-title">{local.output}</h2>
        <p className="soft small">{local.outputHint}</p>
        {output === '' ? (
          <p className="soft">{local.noOutput}</p>
        ) : (
          <pre className="process-output mono" tabIndex={0} aria-labelledby="output-title">
            {output}
          </pre>
        )}
      </section>
    </div>
  );
}

/** Where it waits for the person, its page says so above, with what starts it. */
function shownState({ state, isAllowed, processes }: Status) {
  if (state === 'failed' && processes.length > 0) return 'running';
  if (state === 'stopped' || state === 'failed') return undefined;
  return isAllowed || processes.length > 0 ? state : undefined;
}

interface Seen {
  readonly status: Status | undefined;
  readonly output: string;
  readonly error: PlainError | undefined;
  /** Looks at once. */
  readonly again: () => void;
}

/** How it is now, as long as somebody looks; of the output only what is new is fetched. */
function useStatus(id: string): Seen {
  const [seen, setSeen] = useState<Omit<Seen, 'again'>>({ status: undefined, output: '', error: undefined });
  const again = useRef(() => {});
  useEffect(() => {
    let since = 0;
    let isOver = false;
    let timer: number | undefined;
    const ask = async (): Promise<void> => {
      window.clearTimeout(timer);
      const result = await postern.local.status({ id, since });
      if (isOver) return;
      if (result.ok) {
        const { output, total } = result.value;
        since = total;
        setSeen((before) => ({
          status: result.value,
          output: `${before.output}${output}`.slice(-mostShown),
          error: undefined,
        }));
      } else setSeen((before) => ({ ...before, error: result.error }));
      window.clearTimeout(timer);
      timer = window.setTimeout(() => void ask(), look);
    };
    again.current = () => void ask();
    void ask();
    return () => {
      isOver = true;
      window.clearTimeout(timer);
    };
  }, [id]);
  return { ...seen, again: () => again.current() };
}
