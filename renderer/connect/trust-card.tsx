import type { VerdictView } from '../../shared/connection-view.ts';
import { Chips } from '../parts/chips.tsx';
import { Facts } from '../parts/facts.tsx';
import { words } from '../words.ts';
import { isLoopbackHost } from '../parts/is-loopback-host.ts';
import { RouteDrawing } from './route-drawing.tsx';

interface TrustCardProps {
  readonly verdict: VerdictView;
}

/** Whom the person is about to trust, and with what. */
export function TrustCard({ verdict }: TrustCardProps) {
  const { serverHost: server, authorizationServerHost: service, scopes, encrypted, differentOwner, notes } = verdict;
  const staysHere = isLoopbackHost(server) && (service === undefined || isLoopbackHost(service));
  const signsIn = verdict.kind !== 'noSignIn';
  return (
    <section className="trust" aria-label={words.connect.trust.label}>
      <RouteDrawing
        server={server}
        service={service}
        wire={encrypted ? 'closed' : staysHere ? 'inside' : 'open'}
        warn={differentOwner}
      />
      <div className="trust-facts">
        <Facts
          facts={[
            signsIn && {
              term: words.connect.trust.scopes,
              value: scopes.length > 0 ? <Chips items={scopes} /> : words.connect.trust.scopesNone,
            },
            {
              term: words.connect.trust.encryption,
              value: encrypted ? (
                words.connect.trust.encryptedYes
              ) : staysHere ? (
                words.connect.trust.encryptedLocal
              ) : (
                <strong className="warn">{words.connect.trust.encryptedNo}</strong>
              ),
            },
            signsIn && {
              term: words.connect.trust.pkce,
              value: describePkce(verdict),
            },
            differentOwner &&
              service !== undefined && {
                term: words.connect.trust.owner,
                value: <span className="warn">{words.connect.trust.differentOwner(service, server)}</span>,
              },
            verdict.exception && {
              term: words.connect.trust.service,
              value: (
                <span className="warn">
                  {words.connect.trust.exception(verdict.exception.named, verdict.exception.issuer)}
                </span>
              ),
            },
            notes.length > 0 && {
              term: words.connect.trust.notes,
              value: (
                <ul>
                  {notes.map((note) => (
                    <li key={note} className={note === 'host-confusable' ? 'warn' : undefined}>
                      {words.notes[note]}
                    </li>
                  ))}
                </ul>
              ),
            },
          ]}
        />
      </div>
    </section>
  );
}

function describePkce({ pkce, pkceListed }: VerdictView) {
  if (!pkce) return <span className="warn">{words.connect.trust.pkceNo}</span>;
  return pkceListed ? words.connect.trust.pkceYes : words.connect.trust.pkceUnlisted;
}
