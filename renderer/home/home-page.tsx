import { memo, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { CallGroup, Today } from '../../shared/activity.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { Snapshots } from '../../shared/ipc-event.ts';
import { needsUser } from '../../shared/status-words.ts';
import { decideTool } from '../../shared/tool-permissions.ts';
import { loadTitles, usePoll, useTitles } from '../activity/use-activity.ts';
import type { TitleOf } from '../activity/use-activity.ts';
import { ServerFixButton, ServerFixError, useServerFix } from '../integration/server-fix.tsx';
import { sortIntegrations } from '../integrations/arrange-rows.ts';
import { describeStatus, ServerIcon, StatusMark } from '../integrations/server-icon.tsx';
import { Button } from '../components/button.tsx';
import { MissedApprovals } from '../apps/approval-dialogs.tsx';
import { HeldCallOnHome } from '../permissions/held-calls.tsx';
import { postern } from '../postern.ts';
import { useSnapshots, useAppUses } from '../store.ts';
import { redirect, show, showIntegration, showPermissions } from '../view.ts';
import { formatMoment, formatRelative, useLanguage, useNow, words } from '../words.ts';
import { UsageMatrix } from './usage-matrix.tsx';
import './home.css';

/** What needs attention, who uses what, and what happened today. Without servers it redirects to the connect page. */
export function HomePage() {
  const isEmpty = useSnapshots((state) => state.integrations?.length === 0);
  useLayoutEffect(() => {
    // And stays there: a server that arrives by other means must not take away what the user is typing.
    if (isEmpty) redirect({ name: 'connect' });
  }, [isEmpty]);
  return !isEmpty && <Home />;
}

function Home() {
  const { today, dismiss } = useToday();
  const unanswered = useUnanswered(today);
  return (
    <div className="page home">
      <h1>{words.home.title}</h1>
      {/* First, so that nothing that comes or goes above it moves its buttons. */}
      <HeldCallOnHome />
      <MissedApprovals />
      <AttentionList isListed={needsUser} titleOf={words.sidebar.needAttention} isReview={false} />
      <AttentionList isListed={hasToolsToReview} titleOf={() => words.permits.changedMark} isReview />
      {unanswered.length === 0 && <NothingWaits />}
      {today && <UsageMatrix uses={today.uses} />}
      {today && <TodaysCalls groups={today.groups} unanswered={unanswered} onDismiss={dismiss} />}
    </div>
  );
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
  const apps = useSnapshots((state) => state.apps);
  const integrations = useSnapshots((state) => state.integrations);
  const isUsed = useAppUses();
  if (isWaiting || apps === undefined) return null;
  return integrations?.some(({ id }) => apps.some((app) => isUsed(app, id))) ? (
    <p className="soft">{words.home.nothing}</p>
  ) : (
    <div className="home-none">
      <p className="soft">{words.home.noApps}</p>
      <Button onClick={() => show({ name: 'apps' })}>{words.activity.toApps}</Button>
    </div>
  );
}

/** Rows shown at first: what comes below must not be out of sight. */
const firstRows = 5;
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
  const needingUser = useMemo(() => sortIntegrations((integrations ?? []).filter(isListed)), [integrations, isListed]);
  const [drawn, setDrawn] = useState(firstRows);
  const isExpanded = drawn > firstRows;
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
      {!isExpanded && needingUser.length > firstRows && (
        <div>
          <Button onClick={() => setDrawn(firstRows + batchSize)}>{words.sidebar.showAll}</Button>
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
        <Button onClick={() => showPermissions(id)}>{words.permits.review}</Button>
      ) : (
        busy === undefined && <ServerFixButton integration={integration} fix={fix} />
      )}
      <ServerFixError integration={integration} fix={fix} />
    </li>
  );
});

const noCalls: Today = { uses: [], groups: [], unanswered: [] };

/** Milliseconds; nobody waits here for the next call. */
const maxInterval = 5_000;

/** Today's calls, polled; `undefined` until the first read. `dismiss`: the user has seen the unanswered ones. */
function useToday() {
  const [today, setToday] = useState<Today>();
  const revision = useRef(0);
  const read = async (): Promise<boolean> => {
    const result = await postern.activity.today({ after: revision.current });
    if (!result.ok) setToday((before) => before ?? noCalls);
    if (!result.ok || !result.value.today) return false;
    revision.current = result.value.revision;
    setToday(result.value.today);
    void loadTitles([...result.value.today.groups, ...result.value.today.unanswered]);
    return true;
  };
  usePoll(true, maxInterval, read);
  const dismiss = async (until: number): Promise<void> => {
    const result = await postern.activity.dismiss({ until });
    if (!result.ok) return;
    revision.current = 0;
    await read();
  };
  return { today, dismiss };
}

/** Unanswered calls about which the user would be asked again. */
function useUnanswered(today: Today | undefined): readonly CallGroup[] {
  const integrations = useSnapshots((state) => state.integrations);
  return useMemo(() => {
    const permissionsOf = new Map(integrations?.map(({ id, permissions }) => [id, permissions]));
    return (today?.unanswered ?? []).filter(
      ({ app, integration = '', tool = '' }) =>
        decideTool(permissionsOf.get(integration), app, { name: tool, readOnly: false }) === 'ask',
    );
  }, [today, integrations]);
}

/** Unanswered calls are never left out. */
const maxLines = 8;

interface TodaysCallsProps {
  readonly groups: readonly CallGroup[];
  readonly unanswered: readonly CallGroup[];
  readonly onDismiss: (until: number) => Promise<void>;
}

/** What happened today, in sentences, below the calls that the user did not answer. */
function TodaysCalls({ groups, unanswered, onDismiss }: TodaysCallsProps) {
  const titleOf = useTitles();
  const shown = new Set(unanswered.map(keyOf));
  const others = groups.filter((group) => !shown.has(keyOf(group))).slice(0, Math.max(0, maxLines - unanswered.length));
  const [newest] = unanswered;
  if (!newest && others.length === 0) return null;
  return (
    <section className="section" aria-labelledby="today-title">
      <h2 id="today-title">{words.home.today}</h2>
      <ul className="home-list">
        {[...unanswered, ...others].map((group) => (
          <TodaysLine key={keyOf(group)} group={group} titleOf={titleOf} isUnseen={shown.has(keyOf(group))} />
        ))}
      </ul>
      <div className="row">
        <Button onClick={() => show({ name: 'activity' })}>{words.home.allCalls}</Button>
        {newest && (
          <Button kind="quiet" onClick={() => void onDismiss(newest.lastAt)}>
            {words.home.dismiss(unanswered.length)}
          </Button>
        )}
      </div>
    </section>
  );
}

const keyOf = ({ app, integration, serverName, method, tool, end }: CallGroup): string =>
  JSON.stringify([app, integration ?? serverName, method, tool, end]);

interface TodaysLineProps {
  readonly group: CallGroup;
  readonly titleOf: TitleOf;
  readonly isUnseen: boolean;
}

function TodaysLine({ group, titleOf, isUnseen }: TodaysLineProps) {
  const { app, appName, integration, serverName, method, end, count, lastAt } = group;
  const knownApp = useSnapshots((state) => state.apps?.find(({ id }) => id === app));
  const server = useSnapshots((state) => state.integrations?.find(({ id }) => id === integration));
  const now = useNow(60_000);
  const { worked, ended, times, unknownApp, allowNextTime } = words.home;
  const sentence = (end === 'ok' && worked[method]) || ended[end];
  return (
    <li className={`today-line ${end}`}>
      <span className="today-text">
        {fillSentence(sentence, {
          app: <strong>{knownApp?.name ?? appName ?? unknownApp}</strong>,
          tool: titleOf(group),
          server: <strong>{server?.name ?? serverName}</strong>,
        })}
      </span>
      <span className="today-time">
        {count === 1 ? formatMoment(lastAt, now) : times(count, formatRelative(Math.min(lastAt, now), now))}
      </span>
      {isUnseen && knownApp && server && (
        <Button kind="quiet" onClick={() => showPermissions(server.id, knownApp.id)}>
          {allowNextTime}
        </Button>
      )}
    </li>
  );
}

/** Our sentence with these parts in place of their names in braces. */
function fillSentence(sentence: string, parts: Readonly<Record<string, ReactNode>>): ReactNode {
  return sentence.split(/\{(\w+)\}/u).map((text, index) => (
    // Every second piece is the name of a part.
    <span key={index}>{index % 2 === 0 ? text : parts[text]}</span>
  ));
}
