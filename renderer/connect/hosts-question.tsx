import { useState } from 'react';
import type { HostsView } from '../../shared/connection-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { HostsChoice } from './hosts-choice.tsx';

/** A sign-in under way has come to hosts that nobody has agreed to: it waits, and nothing was opened there. */
export function HostsQuestion({ id, hosts }: { readonly id: string; readonly hosts: HostsView }) {
  const [agreed, setAgreed] = useState(false);
  const call = useCall<null>();
  return (
    <div className="stack" data-at-work="">
      <HostsChoice hosts={hosts} agreed={agreed} onAgree={setAgreed} />
      {call.error && <ErrorNotice error={call.error} />}
      <div className="row">
        <Button
          kind="primary"
          busy={call.busy}
          disabled={!agreed}
          onClick={() => void call.run(() => postern.connection.start({ id, agreesTo: hosts.hosts }))}
        >
          {words.hosts.goOn}
        </Button>
        <Button kind="quiet" onClick={() => void postern.connection.stop({ id })}>
          {words.hosts.stop}
        </Button>
      </div>
    </div>
  );
}
