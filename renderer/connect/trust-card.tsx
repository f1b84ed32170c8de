import { Lock, LockOpen } from 'lucide-react';
import type { VerdictView } from '../../shared/connection-view.ts';
import { isLoopbackHost } from '../../shared/web-address.ts';
import { describeScope, useKnownServer } from '../catalogue/catalogue.ts';
import { Chips } from '../parts/chips.tsx';
import { Facts, HostName } from '../parts/facts.tsx';
import { words } from '../words.ts';
import './route-drawing.css';

interface TrustCardProps {
  /** Of the server. */
  readonly url: string;
  readonly verdict: VerdictView;
}

/** Whom the person is about to trust, and with what. */
export function TrustCard({ url, verdict }: TrustCardProps) {
  const { serverHost: server, authorizationServerHost: service, scopes, encrypted, differentOwner, notes } = verdict;
  const staysHere = isLoopbackHost(server) && (service === undefined || isLoopbackHost(service));
  const signsIn = verdict.kind !== 'noSignIn' && verdict.kind !== 'usesKey';
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
              value: scopes.length > 0 ? <AskedFor url={url} verdict={verdict} /> : words.connect.trust.scopesNone,
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

/** What the permissions allow, in words where they are known; the others by their names. */
function AskedFor({ url, verdict: { scopes, issuer } }: TrustCardProps) {
  const service = useKnownServer(url)?.name;
  const told = scopes.map((name) => ({ name, said: describeScope({ service, issuer, among: scopes }, name) }));
  const named = told.flatMap(({ name, said }) => (said === undefined ? [name] : []));
  return (
    <>
      {named.length < told.length && (
        <ul>{told.map(({ name, said }) => said !== undefined && <li key={name}>{said}</li>)}</ul>
      )}
      {named.length > 0 && <Chips items={named} />}
    </>
  );
}

function describePkce({ pkce, pkceListed }: VerdictView) {
  if (!pkce) return <span className="warn">{words.connect.trust.pkceNo}</span>;
  return pkceListed ? words.connect.trust.pkceYes : words.connect.trust.pkceUnlisted;
}

interface RouteDrawingProps {
  readonly server: string;
  /** Absent: no sign-in, or at the server's own host. */
  readonly service?: string | undefined;
  /** `inside`: not encrypted, and never on a network. */
  readonly wire: 'closed' | 'inside' | 'open';
  /** The sign-in service belongs to somebody else. */
  readonly warn?: boolean;
}

/** The way that the person's data takes: who talks to whom, and whether the wire is closed. */
function RouteDrawing({ server, service, wire: kind, warn = false }: RouteDrawingProps) {
  const isSame = service === undefined || service === server;
  const wire = (
    <span className={`route-wire ${kind}`} aria-hidden="true">
      {kind === 'closed' && <Lock size={12} />}
      {kind === 'open' && <LockOpen size={12} />}
    </span>
  );
  return (
    <div className="route" role="group" aria-label={words.connect.route.label(server, isSame ? undefined : service)}>
      <div className="route-stop">
        <span className="route-node home" aria-hidden="true" />
        {wire}
        <span className="route-role">{words.connect.route.computer}</span>
      </div>
      <div className="route-stop">
        <span className="route-node" aria-hidden="true" />
        {!isSame && wire}
        <span className="route-role">
          {isSame && service !== undefined ? words.connect.route.same : words.connect.route.server}
        </span>
        <span className="route-host address">
          <HostName>{server}</HostName>
        </span>
      </div>
      {!isSame && (
        <div className={`route-stop${warn ? ' other' : ''}`}>
          <span className="route-node" aria-hidden="true" />
          <span className="route-role">{words.connect.route.service}</span>
          <span className="route-host address">
            <HostName>{service}</HostName>
          </span>
        </div>
      )}
    </div>
  );
}
