import { useState } from 'react';
import type { ConnectionView, VerdictView } from '../../shared/connection-view.ts';
import { Disclosure } from '../parts/disclosure.tsx';
import { TracePart } from '../diagnosis/trace-part.tsx';
import { words } from '../words.ts';
import { CouldNotTell } from './could-not-tell.tsx';
import { DiscoverySteps } from './discovery-steps.tsx';
import { HostsChoice } from './hosts-choice.tsx';
import { StartForm } from './start-form.tsx';
import { TrustCard } from './trust-card.tsx';

interface VerdictPartProps {
  readonly connection: ConnectionView;
  readonly verdict: VerdictView;
}

/** What discovery found, in a sentence; why; whom one trusts by going on; and the button that goes on. */
export function VerdictPart({ connection, verdict }: VerdictPartProps) {
  const [agreed, setAgreed] = useState(false);
  const service = verdict.authorizationServerHost ?? verdict.serverHost;
  return (
    <div className="stack verdict-part">
      <div className="verdict" role="status">
        <p className="verdict-sentence">{words.connect.verdict[verdict.kind]}</p>
        <p className="soft">{explain(verdict, service)}</p>
      </div>
      <Disclosure label={words.common.why}>
        <DiscoverySteps steps={connection.steps} />
        <Disclosure label={words.errors.actions.diagnosis}>
          <TracePart id={connection.id} />
        </Disclosure>
      </Disclosure>
      {verdict.kind === 'couldNotTell' ? (
        <CouldNotTell connection={connection} />
      ) : (
        <>
          {verdict.hosts && <HostsChoice hosts={verdict.hosts} agreed={agreed} onAgree={setAgreed} />}
          <TrustCard verdict={verdict} />
          <StartForm connection={connection} verdict={verdict} agreed={agreed} />
        </>
      )}
    </div>
  );
}

function explain({ kind, toolCount }: VerdictView, service: string): string {
  switch (kind) {
    case 'noSignIn':
      return words.connect.verdictMore.noSignIn(toolCount);
    case 'couldNotTell':
      return words.connect.verdictMore.couldNotTell;
    default:
      return words.connect.verdictMore[kind](service);
  }
}
