import { useState } from 'react';
import type { DragEvent } from 'react';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { postern } from '../postern.ts';
import { useConnection, useSnapshots } from '../store.ts';
import { useCall } from '../use-call.ts';
import { show } from '../view.ts';
import { words } from '../words.ts';
import { AddressForm } from './address-form.tsx';
import { ConnectionPanel } from './connection-panel.tsx';
import { DemoOffer } from './demo-offer.tsx';
import { HowItGoes } from './how-it-goes.tsx';
import { ImportList } from './import-list.tsx';
import { readDropped } from './read-dropped.ts';
import { canAskAgain, useDiscover } from './use-discover.ts';
import './connect.css';

interface ConnectPageProps {
  /** The discovery or sign-in that is looked at. */
  readonly connectionId: string | undefined;
}

export function ConnectPage({ connectionId }: ConnectPageProps) {
  const connection = useConnection(connectionId);
  const isFirst = useSnapshots((state) => state.integrations?.length === 0);
  const demo = useSnapshots((state) => state.app?.demo);
  const [isOver, setIsOver] = useState(false);
  const discovery = useDiscover(connection);
  const reading = useCall<IpcOutput<'import:read'>>();
  const readFile = (text: string): void =>
    void reading.run(() => postern.import.read({ text })).then((list) => list && show({ name: 'connect' }));

  const isUnderWay = connection !== undefined && !canAskAgain(connection);

  const takeDrop = async (event: DragEvent): Promise<void> => {
    event.preventDefault();
    setIsOver(false);
    const dropped = await readDropped(event.dataTransfer);
    if (dropped?.kind === 'file') readFile(dropped.text);
    else if (dropped) discovery.discover(dropped.text);
  };

  return (
    <div
      className={`page connect${isOver ? ' over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={(event) => event.currentTarget.contains(event.relatedTarget as Node | null) || setIsOver(false)}
      onDrop={(event) => void takeDrop(event)}
    >
      <header className="stack-tight">
        <h1>{isUnderWay ? connection.name || connection.host : words.connect[isFirst ? 'firstTitle' : 'title']}</h1>
        {isUnderWay && <p className="mono soft small">{connection.url}</p>}
        {!connection && <p className="soft intro">{words.connect.intro}</p>}
      </header>
      <AddressForm
        key={connection ? `${connection.id} ${connection.url} ${connection.options.local}` : 'new'}
        connection={connection}
        discovery={discovery}
        onFile={readFile}
      />
      {discovery.error && <ErrorNotice error={discovery.error} />}
      {reading.error && <ErrorNotice error={reading.error} actions={{ dismiss: reading.clear }} />}
      {reading.value && !connection && <ImportList entries={reading.value.entries} onDismiss={reading.clear} />}
      {connection && <ConnectionPanel connection={connection} />}
      {!connection && isFirst && !reading.value && <HowItGoes />}
      {!connection && !reading.value && demo && (
        <DemoOffer onTry={() => discovery.discover(demo.url, { local: true })} />
      )}
      {isOver && (
        <div className="drop-veil" aria-hidden="true">
          {words.connect.dropHere}
        </div>
      )}
    </div>
  );
}
