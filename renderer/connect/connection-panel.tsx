import type { ConnectionView } from '../../shared/connection-view.ts';
import { ConnectionError } from './connection-error.tsx';
import { CredentialsPart } from '../credentials/credentials-part.tsx';
import { DeviceSheet } from '../sign-in/device-sheet.tsx';
import { SignInSheet } from '../sign-in/sign-in-sheet.tsx';
import { words } from '../words.ts';
import { DiscoverySteps } from './discovery-steps.tsx';
import { HostsQuestion } from './hosts-question.tsx';
import { VerdictPart } from './verdict-part.tsx';
import { Button } from '../parts/button.tsx';
import { Working } from '../parts/working.tsx';
import { postern } from '../postern.ts';

/** One connection in whatever state it is; the same on the connect page and on the page of an integration. */
export function ConnectionPanel({ connection }: { readonly connection: ConnectionView }) {
  const { state, verdict, steps, credentialsRequest, pending, device } = connection;
  const service = verdict?.authorizationServerHost ?? connection.host ?? connection.url;
  if (connection.hostsRequest) return <HostsQuestion id={connection.id} hosts={connection.hostsRequest} />;
  switch (state.name) {
    case 'urlEntered':
      // Cancelled, or its window was closed.
      if (state.cancelled) return <ConnectionError connection={connection} error={state.cancelled} />;
      return <LiveSteps connection={connection} />;
    case 'discovering':
      return <LiveSteps connection={connection} />;
    case 'discovered':
      return verdict ? (
        <VerdictPart connection={connection} verdict={verdict} />
      ) : (
        <DiscoverySteps steps={steps} live />
      );
    case 'registering':
      return (
        <>
          <Working>{words.connect.working.registering(service)}</Working>
          <Stop id={connection.id} />
        </>
      );
    case 'awaitingCredentials':
      return credentialsRequest ? (
        <CredentialsPart connection={connection} request={credentialsRequest} error={state.error} />
      ) : (
        <Working>{words.connect.credentialsWait(service)}</Working>
      );
    case 'authorizationPending':
      if (device) return <DeviceSheet id={connection.id} device={device} expiresAt={state.expiresAt} />;
      return pending ? (
        <SignInSheet connection={connection} pending={pending} expiresAt={state.expiresAt} />
      ) : (
        <Working>{words.progress.authorizationPending}</Working>
      );
    case 'exchanging':
    case 'ticketIssued':
      return (
        <>
          <Working>{words.connect.working[state.name]}</Working>
          {state.name === 'exchanging' && <Stop id={connection.id} />}
        </>
      );
    // What the server is like from here on, its status says.
    case 'integrated':
    case 'reauthenticationRequired':
      return null;
    case 'failed':
      return <ConnectionError connection={connection} error={state.error} />;
  }
}

/** What is asked, as it goes. */
function LiveSteps({ connection: { id, steps } }: { readonly connection: ConnectionView }) {
  return (
    <>
      <DiscoverySteps steps={steps} live />
      <Stop id={id} />
    </>
  );
}

/** A service may take its time. */
function Stop({ id }: { readonly id: string }) {
  return (
    <div>
      <Button onClick={() => void postern.connection.stop({ id })}>{words.connect.stop}</Button>
    </div>
  );
}
