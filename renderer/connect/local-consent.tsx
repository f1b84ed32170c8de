import { useRef } from 'react';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { visibleWord } from '../../shared/visible-word.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { CommandFacts } from '../integrations/command-facts.tsx';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { Working } from '../parts/working.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { forget } from '../use-kept.ts';
import { showConnected } from '../view.ts';
import { words } from '../words.ts';
import { noteConnected } from './imported-list.ts';
import { localPlace } from './use-local-draft.ts';

interface LocalConsentProps {
  readonly name: string;
  /** Of a list that it comes from. */
  readonly entry: string | undefined;
  readonly prepared: IpcOutput<'local:prepare'>;
  readonly onBack: () => void;
  /** A service of the same kind that needs no program here. */
  readonly onRemote: (address: string) => void;
}

/** What will run, before it runs; the yes itself is asked in a dialog of the system. */
export function LocalConsent({ name, entry, prepared, onBack, onRemote }: LocalConsentProps) {
  const { token, command, shown, remote } = prepared;
  const deciding = shown.filter(({ decides }) => decides);
  const others = shown.filter(({ decides }) => !decides);
  const connect = useCall<IpcOutput<'local:connect'>>();
  const call = useRef('');
  const { local } = words;
  const allow = (): void => {
    call.current = crypto.randomUUID();
    void connect
      .run(() => postern.local.connect({ token, call: call.current }))
      .then((connected) => {
        if (!connected) return;
        forget(...localPlace);
        if (entry !== undefined) noteConnected(entry, connected.id);
        showConnected(connected.id);
      });
  };
  return (
    <section className="way" aria-labelledby="consent-title">
      <h2 id="consent-title">{local.consentTitle(name)}</h2>
      {remote && (
        <Notice
          title={local.remoteTitle(remote)}
          actions={<Button onClick={() => onRemote(remote.address)}>{local.useRemote}</Button>}
        >
          <p>{local.remoteText}</p>
        </Notice>
      )}
      <CommandFacts command={command} />
      {deciding.length > 0 && (
        <Notice tone="ask" title={local.deciding}>
          <Variables of={deciding} />
        </Notice>
      )}
      {others.length > 0 && (
        <Notice title={local.givenValues}>
          <Variables of={others} />
        </Notice>
      )}
      {command.sealed && <p>{local.sealed}</p>}
      <p>{local.asYou}</p>
      {connect.error && <ErrorNotice error={connect.error} />}
      {connect.busy && <Working>{local.starting}</Working>}
      <div className="row">
        <Button kind="primary" busy={connect.busy} onClick={allow}>
          {local.allow}
        </Button>
        {connect.busy ? (
          <Button onClick={() => void postern.local.cancel({ call: call.current })}>{local.stopWaiting}</Button>
        ) : (
          <Button kind="quiet" onClick={onBack}>
            {local.back}
          </Button>
        )}
      </div>
    </section>
  );
}

function Variables({ of: variables }: { readonly of: IpcOutput<'local:prepare'>['shown'] }) {
  return (
    <ul className="plain-list">
      {variables.map(({ name, value }) => (
        <li key={name} className="mono command-word">
          {`${visibleWord(name)}=${visibleWord(value)}`}
        </li>
      ))}
    </ul>
  );
}
