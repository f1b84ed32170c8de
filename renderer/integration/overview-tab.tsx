import { Blocks } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { isSameError } from '../../shared/error-traits.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { secretEndingSoon } from '../../shared/status-words.ts';
import type { ServerEventView } from '../../shared/trace.ts';
import { RecentRows, rowOfCall } from '../activity/call-list.tsx';
import type { RecentRow } from '../activity/call-list.tsx';
import { allCalls, filterCalls, appOf, useActivity, useTitles } from '../activity/use-activity.ts';
import type { NumberedCall } from '../activity/use-activity.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { TracePanel } from '../diagnosis/trace-panel.tsx';
import { needsKey } from '../integrations/server-icon.tsx';
import { Button } from '../components/button.tsx';
import { Disclosure } from '../components/disclosure.tsx';
import { Notice } from '../components/notice.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots, useAppUses } from '../store.ts';
import { retain, viewStateKey } from '../use-retained-state.ts';
import { beginRemoval, flash, show } from '../view.ts';
import { formatRelative, formatMoment, useNow, words } from '../words.ts';
import { AccountFacts, PermissionList, AccountSummary } from './account-facts.tsx';
import { ReplaceKey } from './server-fix.tsx';
import './overview-tab.css';
import { placeTimePoints } from './time-line-points.ts';
import type { TimePoint } from './time-line-points.ts';

/** Milliseconds; nobody waits here for the next call. */
const maxInterval = 5_000;

/** Account, apps, scopes, lifetime, and what can be done about them. */
export function OverviewTab({ integration }: { readonly integration: IntegrationView }) {
  const { id, method, state, busy, nextRefreshAt, options } = integration;
  const call = useCall<unknown>();
  const calls = useActivity(true, maxInterval);
  const signsIn = method !== 'NoAuth';
  const hasSecret = signsIn || options.headerName !== undefined;
  const isSignedIn = state === 'integrated';
  return (
    <div className="stack measure">
      <SecretEndingNotice integration={integration} />
      <div className="overview-facts">
        {hasSecret && isSignedIn && (
          <AccountSummary integration={integration}>
            {options.headerName !== undefined && !needsKey(integration) && <ReplaceKey integration={integration} />}
            {signsIn && (
              <Button onClick={() => void call.run(() => postern.integration.switchAccount({ id }))}>
                {words.account.switchAccount}
              </Button>
            )}
          </AccountSummary>
        )}
        <UsedBy integration={integration} calls={calls ?? []} />
      </div>
      {signsIn && isSignedIn && (
        <PermissionList
          integration={integration}
          onGrant={() => void call.run(() => postern.integration.signInAgain({ id }))}
        />
      )}
      {call.error && !isSameError(call.error, integration.status.error) && (
        <ErrorNotice
          error={call.error}
          actions={{
            dismiss: call.clear,
            storage: () => show({ name: 'settings', target: 'keychain' }),
            signIn: () => void call.run(() => postern.integration.signInAgain({ id })),
            retry: () => void call.run(() => postern.integration.refresh({ id })),
            remove: () => beginRemoval([id]),
          }}
        />
      )}
      <RecentActivity integration={integration} calls={calls} />
      {signsIn ? (
        <Disclosure label={words.account.details}>
          {isSignedIn && <TokenTimeLine integration={integration} />}
          {isSignedIn && nextRefreshAt !== undefined && (
            <div>
              <Button
                busy={busy === 'refreshing'}
                onClick={() =>
                  void call
                    .run(() => postern.integration.refresh({ id }))
                    .then((done) => done !== undefined && flash(() => [words.account.refreshed]))
                }
              >
                {words.account.refresh}
              </Button>
            </div>
          )}
          <AccountFacts integration={integration} />
        </Disclosure>
      ) : (
        <AccountFacts integration={integration} />
      )}
      <Disclosure label={words.diagnosis.lastSignIn}>
        <TracePanel id={id} integration={integration} />
      </Disclosure>
    </div>
  );
}

interface UsedByProps {
  readonly integration: IntegrationView;
  readonly calls: readonly NumberedCall[];
}

/** Apps that use the server, each with its number of calls today. */
function UsedBy({ integration: { id }, calls }: UsedByProps) {
  const apps = useSnapshots((state) => state.apps);
  const isUsed = useAppUses();
  if (apps === undefined) return null;
  const today = new Date().setHours(0, 0, 0, 0);
  const callsToday = filterCalls(calls, { ...allCalls, server: id }).filter(({ at }) => at >= today);
  const users = apps.filter((app) => isUsed(app, id));
  const named = users.map((app) =>
    words.account.userCalls(app.name, callsToday.filter((call) => appOf(call) === app.id).length),
  );
  return (
    <section className="fact-card" aria-label={words.account.usedBy}>
      <Blocks className="used-by-mark faint" aria-hidden="true" size={18} />
      <p className="fact-card-text">
        {named.length > 0 ? (
          <>
            <span className="soft">{words.account.usedBy}</span> {named.join(', ')}
          </>
        ) : (
          <span className="soft">{words.account.usedByNone}</span>
        )}
      </p>
    </section>
  );
}

const maxShown = 8;

interface RecentActivityProps {
  readonly integration: IntegrationView;
  /** Of all servers, newest first; `undefined` until the first read. */
  readonly calls: readonly NumberedCall[] | undefined;
}

/** Recent sign-in events and calls of this server, then its earlier events, with a link to its calls. */
function RecentActivity({ integration, calls }: RecentActivityProps) {
  const { id } = integration;
  const now = useNow(60_000);
  const isOff = useSnapshots((state) => state.desktop?.settings.activity === 'off');
  const titleOf = useTitles();
  const events = useEvents(integration);
  const found = useMemo(() => filterCalls(calls ?? [], { ...allCalls, server: id }), [calls, id]);
  if (calls === undefined) return null;
  const serverEvents = newestFirst(eventRows(integration, events, now));
  const rows = newestFirst([
    ...serverEvents,
    ...found.slice(0, maxShown).map((call) => rowOfCall(call, titleOf)),
  ]).slice(0, maxShown);
  const earlier = serverEvents.filter((row) => !rows.includes(row));
  const showCalls = (): void => {
    retain('page', viewStateKey('activity'), { ...allCalls, server: id });
    show({ name: 'activity' });
  };
  return (
    <section className="stack-tight" aria-label={words.account.recentActivity}>
      <h2>{words.account.recentActivity}</h2>
      <RecentRows rows={rows} />
      {found.length === 0 ? (
        <p className="soft small">{isOff ? words.activity.off : words.activity.noneOfServer}</p>
      ) : (
        <div>
          <Button onClick={showCalls}>{words.home.allCalls}</Button>
        </div>
      )}
      {earlier.length > 0 && (
        <Disclosure label={words.account.earlierEvents(earlier.length)}>
          <RecentRows rows={earlier} />
        </Disclosure>
      )}
    </section>
  );
}

/** The server's logged events, newest first, including earlier runs of Postern. Read again when the server changes. */
function useEvents(integration: IntegrationView): readonly ServerEventView[] {
  const [events, setEvents] = useState<readonly ServerEventView[]>([]);
  const { id } = integration;
  useEffect(() => {
    let isStopped = false;
    void postern.integration.events({ id }).then((result) => !isStopped && result.ok && setEvents(result.value.events));
    return () => void (isStopped = true);
  }, [id, integration]);
  return events;
}

/**
 * Events of a server other than calls, plus what its own record says has ended. The current problem is already shown in
 * the header, so its event is omitted or shown without the error.
 */
function eventRows(
  integration: IntegrationView,
  events: readonly ServerEventView[],
  now: number,
): readonly RecentRow[] {
  const { createdAt, signedInAt, refreshedAt, expiresAt, clientSecretExpiresAt, signInHost, host } = integration;
  const { status, state } = integration;
  const { happened } = words.account;
  const dated: readonly (readonly [key: keyof typeof happened, at: number | undefined, where: string | undefined])[] = [
    ['secretEnded', clientSecretExpiresAt, signInHost],
    ['accessEnded', state === 'signedOut' ? undefined : expiresAt, signInHost],
    ['renewed', refreshedAt, signInHost],
    ['signedIn', signedInAt, signInHost],
    ['added', createdAt, host],
  ];
  const shownInHeader = events.find((event) => isSameError(event, status.error));
  // The record also covers what happened before events were logged.
  const isLogged = (key: string, at: number): boolean => events.some((each) => each.kind === key && each.at === at);
  return [
    ...dated.flatMap(([key, at, where]) =>
      at === undefined || at > now || isLogged(key, at) ? [] : [{ key, what: happened[key], source: [where], at }],
    ),
    ...events.flatMap((event, index) => {
      const { kind, at, code, failure } = event;
      if (event === shownInHeader && kind === 'problem') return [];
      return {
        key: `event ${index}`,
        what: happened[kind],
        ...(code && event !== shownInHeader && { failure: words.errors.ofCode(code) ?? failure ?? code }),
        source: [kind === 'added' ? host : signInHost],
        at,
      };
    }),
  ];
}

function newestFirst(rows: readonly RecentRow[]): readonly RecentRow[] {
  return rows.toSorted((one, other) => other.at - one.at);
}

/** From seven days before an entered client secret expires: without it, no token can be refreshed. */
function SecretEndingNotice({ integration }: { readonly integration: IntegrationView }) {
  const now = useNow(60_000);
  const end = secretEndingSoon(integration, now);
  if (end === undefined) return null;
  const { title, expired, text, replace } = words.integration.secretEnding;
  return (
    <Notice
      tone="ask"
      title={end > now ? title(formatRelative(end, now)) : expired}
      actions={
        <Button onClick={() => show({ name: 'integration', id: integration.id, tab: 'settings', openAdvanced: true })}>
          {replace}
        </Button>
      }
    >
      {text}
    </Notice>
  );
}

/** From sign-in to expiry, with "now" in between; described in words for screen readers. */
function TokenTimeLine({ integration }: { readonly integration: IntegrationView }) {
  const now = useNow(10_000);
  const line = placeTimePoints(integration, now);
  if (line.points.length < 2) return null;
  const label = line.points
    .map(({ name, at }) => `${words.account.timeLine[name]} ${formatMoment(at, now)}, ${formatRelative(at, now)}`)
    .join('; ');
  return (
    <figure className="time-line">
      <figcaption className="hidden">{words.account.timeLine.title}</figcaption>
      <svg role="img" aria-label={words.account.timeLine.label(label)} width="100%" height="84">
        <line className="line-future" x1={`${line.now}%`} x2="100%" y1="34" y2="34" />
        <line className="line-past" x1="0%" x2={`${line.now}%`} y1="34" y2="34" />
        <text className="line-now-word" x={`${line.now}%`} y="12" textAnchor={anchorOf(line.now)}>
          {words.account.timeLine.now}
        </text>
        <line className="line-now" x1={`${line.now}%`} x2={`${line.now}%`} y1="18" y2="42" />
        {line.points.map((point) => (
          <Point key={point.name} point={point} now={now} />
        ))}
      </svg>
    </figure>
  );
}

function Point({ point: { name, at, x }, now }: { readonly point: TimePoint; readonly now: number }) {
  const anchor = anchorOf(x);
  // Keep the first and last circle inside the drawing.
  const shift = anchor === 'start' ? 6 : anchor === 'end' ? -6 : 0;
  return (
    <>
      <circle
        className={`line-point ${name}${at <= now ? ' past' : ''}`}
        cx={`${x}%`}
        cy="34"
        r="5"
        transform={`translate(${shift} 0)`}
      />
      <text className="line-word" x={`${x}%`} y="60" textAnchor={anchor}>
        {words.account.timeLine[name]}
      </text>
      <text className="line-when" x={`${x}%`} y="77" textAnchor={anchor}>
        {formatRelative(at, now)}
      </text>
    </>
  );
}

function anchorOf(x: number): 'start' | 'middle' | 'end' {
  if (x < 4) return 'start';
  return x > 96 ? 'end' : 'middle';
}
