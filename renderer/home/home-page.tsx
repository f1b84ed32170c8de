import { memo, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { needsPerson } from '../../shared/status-words.ts';
import { RecentCalls } from '../activity/call-list.tsx';
import { useActivity } from '../activity/calls.ts';
import { MendButton, MendError, useMend } from '../integration/mend.tsx';
import { sortIntegrations } from '../integrations/arrange-rows.ts';
import { describeStatus, ServerIcon, StatusMark } from '../integrations/server-icon.tsx';
import { Button } from '../parts/button.tsx';
import { ProgramList } from '../programs/programs-page.tsx';
import { MissedQuestions } from '../programs/use-question.tsx';
import { useSnapshots, useUses } from '../store.ts';
import { leadOn, show, showIntegration } from '../view.ts';
import { useLanguage, words } from '../words.ts';
import './home.css';

/** What there is to do, and what goes on. Without servers it is the page that connects the first. */
export function HomePage() {
  const isEmpty = useSnapshots((state) => state.integrations?.length === 0);
  useLayoutEffect(() => {
    // That page then stays: a server that comes from elsewhere takes nothing away that is being typed there.
    if (isEmpty) leadOn({ name: 'connect' });
  }, [isEmpty]);
  if (isEmpty) return null;
  return (
    <div className="page home">
      <h1>{words.home.title}</h1>
      <MissedQuestions />
      <NeedingServers />
      <UsedPrograms />
      <LastCalls />
    </div>
  );
}

/** The programs that use a server, with how many each. */
function UsedPrograms() {
  const programs = useSnapshots((state) => state.programs);
  const integrations = useSnapshots((state) => state.integrations);
  if (programs === undefined) return null;
  const isUsed = useUses();
  const used = programs.filter((program) => integrations?.some(({ id }) => isUsed(program, id)) || program.waiting);
  return (
    <section className="section" aria-labelledby="used-title">
      <h2 id="used-title">{words.home.programs}</h2>
      {used.length > 0 ? (
        <ProgramList programs={used} />
      ) : (
        <div className="home-none">
          <p className="soft">{words.home.noPrograms}</p>
          <Button onClick={() => show({ name: 'programs' })}>{words.activity.toPrograms}</Button>
        </div>
      )}
    </section>
  );
}

/** Milliseconds: nobody waits here for the next call. */
const longest = 5_000;

/** The newest calls of programs, and the way to all of them. */
function LastCalls() {
  const calls = useActivity(true, longest);
  const integrations = useSnapshots((state) => state.integrations);
  const isOff = useSnapshots((state) => state.app?.settings.activity === 'off');
  if (calls === undefined) return null;
  const nameOf = (id: string | undefined): string | undefined => integrations?.find((each) => each.id === id)?.name;
  return (
    <section className="section" aria-labelledby="calls-title">
      <h2 id="calls-title">{words.home.calls}</h2>
      {calls.length === 0 ? (
        <p className="soft">{isOff ? words.activity.off : words.activity.none}</p>
      ) : (
        <>
          <RecentCalls calls={calls} nameOfServer={(call) => nameOf(call.integration) ?? call.server} />
          <div>
            <Button onClick={() => show({ name: 'activity' })}>{words.home.allCalls}</Button>
          </div>
        </>
      )}
    </section>
  );
}

/** A thousand rows at once would hold the window up: so many come with each frame. */
const first = 20;

/** The servers that wait for the person, each with the step that its own page offers. */
function NeedingServers() {
  const integrations = useSnapshots((state) => state.integrations);
  const needing = useMemo(() => sortIntegrations(integrations ?? []).filter(needsPerson), [integrations]);
  const [drawn, setDrawn] = useState(first);
  const isWhole = drawn > first;
  useEffect(() => {
    if (!isWhole || drawn >= needing.length) return;
    const frame = requestAnimationFrame(() => setDrawn(drawn + first));
    return () => cancelAnimationFrame(frame);
  }, [isWhole, drawn, needing.length]);
  const isAskedElse = useSnapshots(
    ({ approvals = [], connections = [] }) => approvals.length > 0 || connections.some(({ turn }) => turn === 'person'),
  );
  if (needing.length === 0) return isAskedElse ? null : <p className="soft">{words.home.nothing}</p>;
  return (
    <section className="section" aria-labelledby="needing-title">
      <h2 id="needing-title">{words.sidebar.needYou(needing.length)}</h2>
      <ul className="home-list">
        {needing.slice(0, drawn).map((integration) => (
          // What was said of a step is over with the state that it was for.
          <NeedingServer key={`${integration.id} ${integration.state}`} integration={integration} />
        ))}
      </ul>
      {!isWhole && needing.length > first && (
        <div>
          <Button onClick={() => setDrawn(2 * first)}>{words.sidebar.showAll}</Button>
        </div>
      )}
    </section>
  );
}

const NeedingServer = memo(function NeedingServer({ integration }: { readonly integration: IntegrationView }) {
  useLanguage();
  const { id, name, status, busy } = integration;
  // How a sign-in goes on is seen on the page of the server.
  const mend = useMend(integration, () => showIntegration(id));
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
      {busy === undefined && <MendButton integration={integration} mend={mend} />}
      <MendError integration={integration} mend={mend} />
    </li>
  );
});
