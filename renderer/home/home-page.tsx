import { memo, useEffect, useId, useLayoutEffect, useMemo, useState } from 'react';
import type { AppView } from '../../shared/app-view.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { Snapshots } from '../../shared/ipc-event.ts';
import { needsUser } from '../../shared/status-words.ts';
import { RecentCalls } from '../activity/call-list.tsx';
import { useActivity } from '../activity/use-activity.ts';
import { ServerFixButton, ServerFixError, useServerFix } from '../integration/server-fix.tsx';
import { sortIntegrations } from '../integrations/arrange-rows.ts';
import { describeStatus, ServerIcon, StatusMark } from '../integrations/server-icon.tsx';
import { Button } from '../components/button.tsx';
import { AppList } from '../apps/apps-page.tsx';
import { MissedApprovals } from '../apps/approval-dialogs.tsx';
import { HeldCallOnHome } from '../permissions/held-calls.tsx';
import { useSnapshots, useAppUses } from '../store.ts';
import { redirect, show, showIntegration } from '../view.ts';
import { useLanguage, words } from '../words.ts';
import './home.css';

/** What needs attention, and recent activity. Without servers it redirects to the connect page. */
export function HomePage() {
  const isEmpty = useSnapshots((state) => state.integrations?.length === 0);
  useLayoutEffect(() => {
    // And stays there: a server that arrives by other means must not take away what the user is typing.
    if (isEmpty) redirect({ name: 'connect' });
  }, [isEmpty]);
  if (isEmpty) return null;
  return (
    <div className="page home">
      <h1>{words.home.title}</h1>
      {/* First, so that nothing that comes or goes above it moves its buttons. */}
      <HeldCallOnHome />
      <MissedApprovals />
      <AttentionList isListed={needsUser} titleOf={words.sidebar.needAttention} isReview={false} />
      <AttentionList isListed={hasToolsToReview} titleOf={() => words.permits.changedMark} isReview />
      <NothingWaits />
      <AppsInUse />
      <LatestCalls />
    </div>
  );
}

/** Apps that use a server, or will once the user has pasted the lines; `undefined` until received. */
function useAppsInUse(): readonly AppView[] | undefined {
  const apps = useSnapshots((state) => state.apps);
  const integrations = useSnapshots((state) => state.integrations);
  const isUsed = useAppUses();
  return apps?.filter((app) => integrations?.some(({ id }) => isUsed(app, id)) || app.waiting);
}

/** Whether anything waits for the user, wherever it is asked. */
function isAnythingWaiting({
  approvals = [],
  heldCalls = [],
  questions = [],
  connections = [],
  integrations = [],
  apps = [],
}: Partial<Snapshots>): boolean {
  return (
    [approvals, heldCalls, questions].some(({ length }) => length > 0) ||
    connections.some(({ turn }) => turn === 'user') ||
    integrations.some((each) => needsUser(each) || hasToolsToReview(each)) ||
    apps.some(({ waiting }) => waiting)
  );
}

/** The only line that says so, with the next step if there is one. */
function NothingWaits() {
  const isWaiting = useSnapshots(isAnythingWaiting);
  const used = useAppsInUse();
  if (isWaiting || used === undefined) return null;
  return used.length > 0 ? (
    <p className="soft">{words.home.nothing}</p>
  ) : (
    <div className="home-none">
      <p className="soft">{words.home.noApps}</p>
      <Button onClick={() => show({ name: 'apps' })}>{words.activity.toApps}</Button>
    </div>
  );
}

/** With their counts. */
function AppsInUse() {
  const used = useAppsInUse();
  if (used === undefined || used.length === 0) return null;
  return (
    <section className="section" aria-labelledby="used-title">
      <h2 id="used-title">{words.home.apps}</h2>
      <AppList apps={used} />
    </section>
  );
}

/** Milliseconds; nobody waits here for the next call. */
const maxInterval = 5_000;

/** The newest calls, with a link to all of them. */
function LatestCalls() {
  const calls = useActivity(true, maxInterval);
  const integrations = useSnapshots((state) => state.integrations);
  if (calls === undefined || calls.length === 0) return null;
  const nameOf = (id: string | undefined): string | undefined => integrations?.find((each) => each.id === id)?.name;
  return (
    <section className="section" aria-labelledby="calls-title">
      <h2 id="calls-title">{words.home.calls}</h2>
      <RecentCalls calls={calls} nameOfServer={(call) => nameOf(call.integration) ?? call.server} />
      <div>
        <Button onClick={() => show({ name: 'activity' })}>{words.home.allCalls}</Button>
      </div>
    </section>
  );
}

/** Rows added per animation frame: a thousand at once would freeze the window. */
const batchSize = 20;

const hasToolsToReview = ({ toolReview }: IntegrationView): boolean => toolReview?.changedAt !== undefined;

interface AttentionListProps {
  readonly isListed: (integration: IntegrationView) => boolean;
  readonly titleOf: (count: number) => string;
  /** Their tools wait for a review. Otherwise, each row has the action from the server's own page. */
  readonly isReview: boolean;
}

/** Servers that wait for the user. */
function AttentionList({ isListed, titleOf, isReview }: AttentionListProps) {
  const titleId = useId();
  const integrations = useSnapshots((state) => state.integrations);
  const needingUser = useMemo(() => sortIntegrations(integrations ?? []).filter(isListed), [integrations, isListed]);
  const [drawn, setDrawn] = useState(batchSize);
  const isExpanded = drawn > batchSize;
  useEffect(() => {
    if (!isExpanded || drawn >= needingUser.length) return;
    const frame = requestAnimationFrame(() => setDrawn(drawn + batchSize));
    return () => cancelAnimationFrame(frame);
  }, [isExpanded, drawn, needingUser.length]);
  if (needingUser.length === 0) return null;
  return (
    <section className="section" aria-labelledby={titleId}>
      <h2 id={titleId}>{titleOf(needingUser.length)}</h2>
      <ul className="home-list">
        {needingUser.slice(0, drawn).map((integration) => (
          // A new state remounts the row, which drops messages about the previous state.
          <AttentionRow key={`${integration.id} ${integration.state}`} integration={integration} isReview={isReview} />
        ))}
      </ul>
      {!isExpanded && needingUser.length > batchSize && (
        <div>
          <Button onClick={() => setDrawn(2 * batchSize)}>{words.sidebar.showAll}</Button>
        </div>
      )}
    </section>
  );
}

interface AttentionRowProps extends Pick<AttentionListProps, 'isReview'> {
  readonly integration: IntegrationView;
}

const AttentionRow = memo(function AttentionRow({ integration, isReview }: AttentionRowProps) {
  useLanguage();
  const { id, name, status, busy } = integration;
  // Progress of the sign-in is on the server's page.
  const fix = useServerFix(integration, () => showIntegration(id));
  return (
    <li className="home-server">
      <span className="integration-tile">
        <ServerIcon integration={integration} size="small" />
        <StatusMark status={busy === undefined ? status.name : 'busy'} />
      </span>
      <div className="home-server-text">
        <button type="button" className="home-link" onClick={() => showIntegration(id)}>
          {name}
        </button>
        <span className={`integration-line ${busy ?? status.name}`}>
          {busy === undefined ? describeStatus(integration) : words.busy[busy]}
        </span>
      </div>
      {isReview ? (
        <Button onClick={() => showIntegration(id, 'permissions')}>{words.permits.review}</Button>
      ) : (
        busy === undefined && <ServerFixButton integration={integration} fix={fix} />
      )}
      <ServerFixError integration={integration} fix={fix} />
    </li>
  );
});
