import { useEffect, useRef } from 'react';
import type { DeletionView } from '../../shared/deletion-view.ts';
import { Button } from '../parts/button.tsx';
import { Toast } from '../parts/toast.tsx';
import { postern } from '../postern.ts';
import { flash, flashError, useView } from '../view.ts';
import { words } from '../words.ts';

/** What is being deleted, with its undo as long as there is one, and then how that went. */
export function DeletionToast({ deletion }: { readonly deletion: DeletionView }) {
  const { id, kind, name, servers, state } = deletion;
  const count = servers.length;
  // No other place says it.
  const hasFailed = deletion.outcome?.failure !== undefined;
  const view = useView((current) => current.view);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What was pressed for it has gone with the page: the next step is here.
    if (document.activeElement === document.body) place.current?.querySelector('button')?.focus();
  }, [state]);
  useEffect(() => {
    if (state === 'done' && !hasFailed) return () => void postern.deletion.dismiss({ id });
  }, [id, state, hasFailed, view]);
  const undo = async (): Promise<void> => {
    const result = await postern.deletion.undo({ id });
    if (!result.ok) return flashError(result.error);
    const { restored, entriesLeft } = result.value;
    if (restored === 0) flash(() => [words.deletion.tooLate]);
    else flash(() => [words.deletion.back[kind](name, restored), words.deletion.entriesLeft(entriesLeft)]);
  };
  const lines = {
    undoable: () => [words.deletion.begun[kind](name, count), words.deletion.final],
    deleting: () => [words.deletion.begun[kind](name, count), words.deletion.telling],
    done: () => outcomeOf(deletion),
  }[state]();
  return (
    <Toast
      ref={place}
      actions={
        <>
          {state === 'undoable' && <Button onClick={() => void undo()}>{words.deletion.undo}</Button>}
          {state === 'undoable' && (
            <Button kind="quiet" onClick={() => void postern.deletion.finish({ id })}>
              {words.deletion.now}
            </Button>
          )}
          {state === 'done' && hasFailed && (
            <Button onClick={() => void postern.deletion.finish({ id })}>{words.common.tryAgain}</Button>
          )}
          {state === 'done' && (
            <Button kind="quiet" onClick={() => void postern.deletion.dismiss({ id })}>
              {words.common.dismiss}
            </Button>
          )}
        </>
      }
    >
      {lines.filter(Boolean).map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Toast>
  );
}

function outcomeOf({ kind, name, servers, outcome }: DeletionView): readonly string[] {
  if (!outcome) return [];
  const { revocation, registration, ended, endsByItself, registrationsLeft, kept, failure } = outcome;
  if (failure)
    return [
      words.deletion.stillHere[kind](name, servers.length),
      words.deletion.triesAgain(words.errors.message(failure)),
    ];
  const told =
    revocation && registration
      ? [words.integration.revocation[revocation], words.integration.registration[registration]]
      : [
          words.deletion.ended(ended),
          words.deletion.endsByItself(endsByItself),
          words.deletion.registrations(registrationsLeft),
        ];
  const only = servers.length === 1 ? name : undefined;
  const deleted = servers.length - kept;
  return [
    deleted > 0 ? words.deletion.finished[kind](only, deleted) : '',
    kept > 0 ? words.deletion.kept[kind](only, kept) : '',
    ...told,
  ];
}
