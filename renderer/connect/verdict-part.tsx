import { useState } from 'react';
import type { ConnectionView, VerdictView } from '../../shared/connection-view.ts';
import { Disclosure } from '../parts/disclosure.tsx';
import { TracePart } from '../diagnosis/trace-part.tsx';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { useSnapshots } from '../store.ts';
import { showIntegration } from '../view.ts';
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

/** What discovery found, in a sentence; why; whom you trust by going on; and the button for that. */
export function VerdictPart({ connection, verdict }: VerdictPartProps) {
  /** A yes is to these hosts, and to no others that a later verdict names. */
  const asked = verdict.hosts?.hosts.join(' ');
  const [agreedTo, setAgreedTo] = useState<string>();
  const agreed = asked !== undefined && agreedTo === asked;
  const known = useSnapshots((state) =>
    connection.kind === 'connect' ? state.integrations?.find(({ url }) => url === connection.url) : undefined,
  );
  const service = verdict.authorizationServerHost ?? verdict.serverHost;
  return (
    <div className="stack verdict-part" data-at-work="">
      <div className="verdict" role="status">
        <p className="verdict-sentence">{judge(verdict)}</p>
        <p className="soft">{explain(verdict, service)}</p>
      </div>
      {known && (
        <Notice
          title={words.connect.known(known.name)}
          actions={<Button onClick={() => showIntegration(known.id)}>{words.connect.openKnown}</Button>}
        >
          <p>{words.connect.knownText}</p>
        </Notice>
      )}
      <Disclosure label={words.common.why}>
        <DiscoverySteps steps={connection.steps} />
        <Disclosure label={words.errors.actions.diagnosis}>
          <TracePart id={connection.id} />
        </Disclosure>
      </Disclosure>
      {verdict.kind === 'couldNotTell' ? (
        <CouldNotTell connection={connection} namesService={verdict.namedService !== undefined} />
      ) : (
        <>
          {verdict.hosts && (
            <HostsChoice
              hosts={verdict.hosts}
              agreed={agreed}
              onAgree={(yes) => setAgreedTo(yes ? asked : undefined)}
            />
          )}
          <TrustCard url={connection.url} verdict={verdict} />
          <StartForm connection={connection} verdict={verdict} agreed={agreed} />
        </>
      )}
    </div>
  );
}

function judge({ kind, namedService, reason }: VerdictView): string {
  if (namedService === undefined || kind === 'usesKey') return words.connect.verdict[kind];
  return words.connect[reason === 'ASM_UNAVAILABLE' ? 'namedServiceDown' : 'namedService'](namedService);
}

function explain({ kind, toolCount, namedService, reason }: VerdictView, service: string): string {
  switch (kind) {
    case 'usesKey':
      return words.connect.verdictMore.usesKey;
    case 'noSignIn':
      return words.connect.verdictMore.noSignIn(toolCount);
    case 'couldNotTell':
      if (namedService === undefined) return words.connect.verdictMore.couldNotTell;
      return words.connect.verdictMore[reason === 'ASM_UNAVAILABLE' ? 'namedServiceDown' : 'namedService'];
    default:
      return words.connect.verdictMore[kind](service);
  }
}
