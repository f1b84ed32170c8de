import { Check, Lock, LockOpen, Minus, X } from 'lucide-react';
import { useState } from 'react';
import type { ConnectionView, HostsView, StepView, VerdictView } from '../../shared/connection-view.ts';
import { isLoopbackHost } from '../../shared/web-address.ts';
import { describeScope, useKnownServer } from '../catalog/catalog.ts';
import { TracePanel } from '../diagnosis/trace-panel.tsx';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../components/button.tsx';
import { CheckBox } from '../components/check-box.tsx';
import { Chips } from '../components/chips.tsx';
import { Disclosure } from '../components/disclosure.tsx';
import { Facts, HostName } from '../components/facts.tsx';
import { Notice } from '../components/notice.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { showIntegration } from '../view.ts';
import { words } from '../words.ts';
import './discovery-steps.css';
import { EndpointForm, KeyForm, KnownEndpoints } from './key-form.tsx';
import './route-drawing.css';
import { SignInHost, useServiceName } from './connect-card.tsx';
import { StartForm } from './start-form.tsx';
import type { SettledVerdict } from './start-form.tsx';

interface VerdictPanelProps {
  readonly connection: ConnectionView;
  readonly verdict: VerdictView;
}

/** What discovery found and why, whom the user would trust, and the button to continue. */
export function VerdictPanel({ connection, verdict }: VerdictPanelProps) {
  /** Consent is for exactly these hosts; a later verdict with others asks again. */
  const requestedHosts = verdict.hosts?.hosts.join(' ');
  const [agreedTo, setAgreedTo] = useState<string>();
  const agreed = requestedHosts !== undefined && agreedTo === requestedHosts;
  const known = useSnapshots((state) =>
    connection.kind === 'connect' ? state.integrations?.find(({ url }) => url === connection.url) : undefined,
  );
  const host = verdict.authorizationServerHost ?? verdict.serverHost;
  const service = useServiceName(connection);
  const evidence = (
    <Disclosure label={words.common.why}>
      <DiscoverySteps steps={connection.steps} />
      <Disclosure label={words.errors.actions.diagnosis}>
        <TracePanel id={connection.id} />
      </Disclosure>
    </Disclosure>
  );
  const isSettled = isSettledVerdict(verdict);
  const saysMore = !isSettled || verdict.kind === 'needsOAuthApp' || !signsIn(verdict);
  return (
    <>
      <div className="verdict" role="status">
        <p className={isSettled ? 'soft' : 'verdict-sentence'}>
          {isSettled && signsIn(verdict) && verdict.kind !== 'needsOAuthApp' && <SignInHost host={host} />}{' '}
          {verdictSentence(verdict)}
        </p>
        {saysMore && <p className="soft">{verdictExplanation(verdict, host)}</p>}
      </div>
      {isSettled && <Unexpected verdict={verdict} />}
      {known && (
        <Notice
          title={words.connect.known(known.name)}
          actions={<Button onClick={() => showIntegration(known.id)}>{words.connect.openKnown}</Button>}
        >
          <p>{words.connect.knownText}</p>
        </Notice>
      )}
      {isSettled ? (
        <>
          <CardPermissions url={connection.url} verdict={verdict} />
          <CardHints url={connection.url} />
          {verdict.hosts && (
            <HostsConsent
              hosts={verdict.hosts}
              agreed={agreed}
              onAgree={(isAgreed) => setAgreedTo(isAgreed ? requestedHosts : undefined)}
            />
          )}
          <StartForm connection={connection} verdict={verdict} service={service} agreed={agreed}>
            {!saysMore && <p className="soft">{verdictExplanation(verdict, host)}</p>}
            <TrustCard url={connection.url} verdict={verdict} />
            {evidence}
          </StartForm>
        </>
      ) : (
        <>
          {evidence}
          <UnknownSignIn connection={connection} namesService={verdict.namedService !== undefined} />
        </>
      )}
    </>
  );
}

export const isSettledVerdict = (verdict: VerdictView): verdict is SettledVerdict => verdict.kind !== 'couldNotTell';

const signsIn = ({ kind }: VerdictView): boolean => kind !== 'noSignIn' && kind !== 'usesKey';

/** Unencrypted, but never on a network. */
const isAllOnThisComputer = ({ serverHost, authorizationServerHost }: VerdictView): boolean =>
  isLoopbackHost(serverHost) && (authorizationServerHost === undefined || isLoopbackHost(authorizationServerHost));

/** Shown before the details are opened. */
const maxPermissions = 4;

function CardPermissions({ url, verdict }: TrustCardProps) {
  const scopes = useDescribedScopes(url, verdict).slice(0, maxPermissions);
  if (!signsIn(verdict) || scopes.length === 0) return null;
  const rest = verdict.scopes.length - scopes.length;
  return (
    <div className="card-permissions">
      <ul className="stack-tight" aria-label={words.connect.trust.scopes}>
        {scopes.map(({ name, description }) => (
          <li key={name}>
            <Check aria-hidden="true" size={15} strokeWidth={2.5} />
            {description ?? <code>{name}</code>}
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="soft small">{words.connect.card.more(rest)}</p>}
    </div>
  );
}

/** What users of this service should know first, from the catalog. */
function CardHints({ url }: { readonly url: string }) {
  const { hints = [] } = useKnownServer(url) ?? {};
  if (hints.length === 0) return null;
  return (
    <ul className="known-facts soft small">
      {hints.map((hint) => (
        <li key={hint}>{words.catalog.translate(hint)}</li>
      ))}
    </ul>
  );
}

/** What the user should not have to look for before they continue. */
function Unexpected({ verdict }: { readonly verdict: VerdictView }) {
  const { serverHost: server, authorizationServerHost: service, differentOwner, exception } = verdict;
  const { trust, card } = words.connect;
  const isLocal = isAllOnThisComputer(verdict);
  const warnings = [
    differentOwner && service !== undefined && trust.differentOwner(service, server),
    exception && trust.exception(exception.named, exception.issuer),
    !verdict.encrypted && !isLocal && `${trust.encryptedNo}.`,
    signsIn(verdict) && !verdict.pkce && `${trust.pkceNo}.`,
    ...verdict.notes.map((note) => note === 'host-confusable' && words.notes[note]),
  ].filter((warning) => typeof warning === 'string');
  return (
    <>
      {isLocal && <p className="soft">{card.onThisComputer}</p>}
      {warnings.length > 0 && (
        <Notice tone="ask" title={card.check}>
          <ul className="stack-tight">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

function verdictSentence({ kind, namedService, namedServiceDown }: VerdictView): string {
  if (namedService === undefined || kind === 'usesKey') return words.connect.verdict[kind];
  return words.connect[namedServiceDown ? 'namedServiceDown' : 'namedService'](namedService);
}

function verdictExplanation({ kind, toolCount, namedService, namedServiceDown }: VerdictView, service: string): string {
  switch (kind) {
    case 'usesKey':
      return words.connect.verdictMore.usesKey;
    case 'noSignIn':
      return words.connect.verdictMore.noSignIn(toolCount);
    case 'couldNotTell':
      if (namedService === undefined) return words.connect.verdictMore.couldNotTell;
      return words.connect.verdictMore[namedServiceDown ? 'namedServiceDown' : 'namedService'];
    default:
      return words.connect.verdictMore[kind](service);
  }
}

interface UnknownSignInProps {
  readonly connection: ConnectionView;
  /**
   * Servers before mid-2025 name no authorization server, so the default endpoints apply only to those (MCP
   * 2025-03-26).
   */
  readonly namesService: boolean;
}

/**
 * The server requires a sign-in but does not say how: default endpoints of older servers, a key, or endpoints by hand.
 */
function UnknownSignIn({ connection, namesService }: UnknownSignInProps) {
  const { id, url, options } = connection;
  const legacy = useCall<{ id: string }>();
  return (
    <div className="option-cards">
      <KnownEndpoints connection={connection} />
      {!namesService && (
        <section className="option-card">
          <h2>{words.connect.legacyTitle}</h2>
          <p className="soft">{words.connect.legacyText}</p>
          {legacy.error && <ErrorNotice error={legacy.error} />}
          <Button
            busy={legacy.busy}
            onClick={() =>
              void legacy.run(() =>
                postern.connection.discover({ id, url, options: { ...options, legacyEndpoints: true } }),
              )
            }
          >
            {words.connect.legacyButton}
          </Button>
        </section>
      )}
      <KeyForm connection={connection} />
      <EndpointForm connection={connection} />
    </div>
  );
}

interface DiscoveryStepsProps {
  readonly steps: readonly StepView[];
  /** Discovery is running: the last step is in progress, and steps are announced. */
  readonly live?: boolean;
}

/** Requests and responses in order: live while running, evidence afterwards. */
export function DiscoverySteps({ steps, live = false }: DiscoveryStepsProps) {
  return (
    <div className="steps-panel">
      <ol className="steps" aria-label={words.connect.stepsLabel} aria-live={live ? 'polite' : undefined}>
        {steps.map((step, index) => (
          <li className={`step ${step.outcome}`} key={`${step.step} ${step.url ?? ''} ${index}`}>
            <StepMark outcome={step.outcome} />
            <span className="step-text">
              {words.connect.steps[step.outcome][step.step]}
              {step.code && step.outcome === 'failed' && <span className="mono small"> {step.code}</span>}
            </span>
            {step.url && (
              <span className="step-url address">
                <HostName>{step.url}</HostName>
                {step.status !== undefined && <span className="step-status"> {step.status}</span>}
              </span>
            )}
          </li>
        ))}
      </ol>
      {live && <p className="faint small">{words.connect.nothingSent}</p>}
    </div>
  );
}

function StepMark({ outcome }: { readonly outcome: StepView['outcome'] }) {
  switch (outcome) {
    case 'waiting':
    case 'started':
      return <span className="spinner step-mark" aria-hidden="true" />;
    case 'found':
      return <Check className="step-mark" aria-hidden="true" size={15} strokeWidth={2.5} />;
    case 'not-found':
      return <Minus className="step-mark" aria-hidden="true" size={15} strokeWidth={2.5} />;
    case 'failed':
      return <X className="step-mark" aria-hidden="true" size={15} strokeWidth={2.5} />;
  }
}

interface HostsConsentProps {
  readonly hosts: HostsView;
  readonly agreed: boolean;
  readonly onAgree: (agreed: boolean) => void;
}

/** Hosts of different owners; the sign-in does not start without consent. */
export function HostsConsent({ hosts, agreed, onAgree }: HostsConsentProps) {
  return (
    <Notice tone="ask" title={words.hosts.title}>
      <p>{words.hosts.text}</p>
      <Facts
        facts={[
          { term: words.hosts.page, value: <HostName>{hosts.page}</HostName> },
          { term: words.hosts.token, value: <HostName>{hosts.token}</HostName> },
          { term: words.hosts.service, value: <HostName>{hosts.service}</HostName> },
        ]}
      />
      <CheckBox checked={agreed} onChange={onAgree} label={words.hosts.agree(hosts.hosts)} />
    </Notice>
  );
}

interface TrustCardProps {
  /** Of the server. */
  readonly url: string;
  readonly verdict: VerdictView;
}

/** Whom the user is about to trust, and with what. */
function TrustCard({ url, verdict }: TrustCardProps) {
  const { serverHost: server, authorizationServerHost: service, scopes, encrypted, differentOwner, notes } = verdict;
  const staysHere = isAllOnThisComputer(verdict);
  const hasSignIn = signsIn(verdict);
  return (
    <section className="trust" aria-label={words.connect.trust.label}>
      <RouteDrawing
        server={server}
        service={service}
        encryption={encrypted ? 'closed' : staysHere ? 'inside' : 'open'}
        warn={differentOwner}
      />
      <div className="trust-facts">
        <Facts
          facts={[
            hasSignIn && {
              term: words.connect.trust.scopes,
              value:
                scopes.length > 0 ? <RequestedScopes url={url} verdict={verdict} /> : words.connect.trust.scopesNone,
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
            hasSignIn && {
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

function useDescribedScopes(url: string, { scopes, issuer }: VerdictView) {
  const service = useKnownServer(url)?.name;
  return scopes.map((name) => ({ name, description: describeScope({ service, issuer, among: scopes }, name) }));
}

/** What the scopes allow, in plain words where known; otherwise their names. */
function RequestedScopes({ url, verdict }: TrustCardProps) {
  const described = useDescribedScopes(url, verdict);
  const named = described.flatMap(({ name, description }) => (description === undefined ? [name] : []));
  return (
    <>
      {named.length < described.length && (
        <ul>
          {described.map(({ name, description }) => description !== undefined && <li key={name}>{description}</li>)}
        </ul>
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
  /** Absent if there is no sign-in, or it is at the server's own host. */
  readonly service?: string | undefined;
  /** `inside`: unencrypted, but never on a network. */
  readonly encryption: 'closed' | 'inside' | 'open';
  /** The authorization server belongs to a different owner. */
  readonly warn?: boolean;
}

/** Draws the path of the user's data: which hosts connect, and whether they encrypt. */
function RouteDrawing({ server, service, encryption, warn = false }: RouteDrawingProps) {
  const isSame = service === undefined || service === server;
  const line = (
    <span className={`route-line ${encryption}`} aria-hidden="true">
      {encryption === 'closed' && <Lock size={12} />}
      {encryption === 'open' && <LockOpen size={12} />}
    </span>
  );
  return (
    <div className="route" role="group" aria-label={words.connect.route.label(server, isSame ? undefined : service)}>
      <div className="route-stop">
        <span className="route-node home" aria-hidden="true" />
        {line}
        <span className="route-role">{words.connect.route.computer}</span>
      </div>
      <div className="route-stop">
        <span className="route-node" aria-hidden="true" />
        {!isSame && line}
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
