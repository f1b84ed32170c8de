import { Blocks } from 'lucide-react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { secretEndingSoon } from '../../shared/status-words.ts';
import { allCalls, filterCalls, appOf, useActivity } from '../activity/use-activity.ts';
import type { NumberedCall } from '../activity/use-activity.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { needsKey } from '../integrations/server-icon.tsx';
import { Button } from '../components/button.tsx';
import { Disclosure } from '../components/disclosure.tsx';
import { Notice } from '../components/notice.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots, useAppUses } from '../store.ts';
import { beginRemoval, flash, show } from '../view.ts';
import { formatRelative, formatMoment, useNow, words } from '../words.ts';
import { AccountFacts, PermissionList, AccountSummary } from './account-facts.tsx';
import { ReplaceKey } from './server-fix.tsx';
import './overview-tab.css';
import { RecentActivity } from './server-activity-tab.tsx';
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
      {call.error && call.error.message !== integration.status.error?.message && (
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
