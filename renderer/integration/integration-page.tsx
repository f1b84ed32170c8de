import { Ellipsis } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { IpcOutput, IpcResult } from '../../shared/ipc-contract.ts';
import type { LocalCommand } from '../../shared/local-command.ts';
import { ConnectionPanel } from '../connect/connection-panel.tsx';
import { CommandFacts } from '../connect/local-part.tsx';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { describeStatus, ServerIcon, StatusMark, wantsKey } from '../integrations/server-icon.tsx';
import { useServerMenu } from '../integrations/use-server-menu.tsx';
import { Button, IconButton } from '../parts/button.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { Facts, placeOfAddress } from '../parts/facts.tsx';
import { Notice, PageBoundary } from '../parts/notice.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { PermissionsTab } from '../permissions/permissions-tab.tsx';
import { postern, useCall } from '../postern.ts';
import { MadeChanges } from '../programs/made-changes.tsx';
import { FoundPrograms, OfferPrograms, UseInPrograms } from '../programs/use-in-programs.tsx';
import { useIntegration, useSnapshots } from '../store.ts';
import { useKept } from '../use-kept.ts';
import { integrationTabs, show, showIntegration } from '../view.ts';
import type { IntegrationTab } from '../view.ts';
import { formatMoment, useNow, words } from '../words.ts';
import './integration-page.css';
import { MendButton, MendError, useMend } from './mend.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { ServerActivityTab } from './server-activity-tab.tsx';
import { changedChoices, isTyped, noApp } from './settings-draft.ts';
import type { SettingsDraft, TypedApp } from './settings-draft.ts';
import { SettingsTab } from './settings-tab.tsx';
import { ToolsTab } from './tools-tab.tsx';

interface IntegrationPageProps {
  readonly id: string;
  readonly tab: IntegrationTab;
  /** It has just been connected. */
  readonly isNew: boolean;
  /** The person was led to settings that do not stand in sight. */
  readonly openAdvanced: boolean;
}

const nothingChanged: SettingsDraft = {};

export function IntegrationPage({ id, tab, isNew, openAdvanced }: IntegrationPageProps) {
  const integration = useIntegration(id);
  const [draft, setDraft] = useKept(id, 'settings', nothingChanged);
  const [app, setApp] = useKept<TypedApp>(id, 'app', noApp);
  if (integration === undefined) {
    return (
      <div className="page">
        <Notice
          title={words.integration.gone}
          actions={<Button onClick={() => show({ name: 'connect' })}>{words.connect.title}</Button>}
        />
      </div>
    );
  }
  const isUnsaved = isTyped(app) || changedChoices(integration, draft).length > 0;
  const hasChanged = integration.toolReview?.changedAt !== undefined;
  const settings = (
    <SettingsTab
      integration={integration}
      draft={draft}
      onDraft={setDraft}
      app={app}
      onApp={setApp}
      openAdvanced={openAdvanced}
    />
  );
  return (
    <div className="page wide">
      <IntegrationHeader key={integration.state} integration={integration} tab={tab} isNew={isNew} />
      <SignInPart integration={integration} />
      {hasChanged && tab !== 'permissions' && (
        <Notice
          tone="ask"
          title={words.permits.changedNotice}
          actions={<Button onClick={() => showIntegration(id, 'permissions')}>{words.permits.review}</Button>}
        />
      )}
      {isNew && tab !== 'use' && <OfferPrograms integration={integration} onLater={() => showIntegration(id, tab)} />}
      <Tabs
        label={words.integration.tabs}
        value={tabsOf(integration).includes(tab) ? tab : 'overview'}
        onChange={(next) => show({ name: 'integration', id, tab: next, isNew })}
        tabs={tabsOf(integration).map((name) => ({
          name,
          label: words.integration[name],
          mark:
            name === 'settings' && isUnsaved
              ? words.integration.unsaved
              : name === 'permissions' && hasChanged
                ? words.permits.changedMark
                : undefined,
          // One that cannot be drawn leaves the others to go to.
          content: () => (
            <PageBoundary key={name}>{name === 'settings' ? settings : contentOf(name, integration)}</PageBoundary>
          ),
        }))}
      />
    </div>
  );
}

/** One that runs here has a process. */
function tabsOf({ command }: IntegrationView): readonly IntegrationTab[] {
  return integrationTabs.filter((name) => command !== undefined || name !== 'process');
}

function contentOf(tab: Exclude<IntegrationTab, 'settings'>, integration: IntegrationView) {
  switch (tab) {
    case 'overview':
      // What was said of a sign-in is over with it.
      return <OverviewTab key={integration.state} integration={integration} />;
    case 'tools':
      return <ToolsTab integration={integration} />;
    case 'permissions':
      return <PermissionsTab integration={integration} />;
    case 'use':
      return <UseTab integration={integration} />;
    case 'process':
      return integration.command && <ProcessTab id={integration.id} command={integration.command} />;
    case 'activity':
      return <ServerActivityTab integration={integration} />;
  }
}

/** This integration's sign-in: under way, or how it ended. */
function SignInPart({ integration }: { readonly integration: IntegrationView }) {
  const connection = useSnapshots((state) =>
    state.connections?.find(
      ({ id, integrationId }) => id === integration.connectionId || integrationId === integration.id,
    ),
  );
  return connection && <ConnectionPanel connection={connection} />;
}

interface IntegrationHeaderProps {
  readonly integration: IntegrationView;
  readonly tab: IntegrationTab;
  /** What it is for is offered on the page itself. */
  readonly isNew: boolean;
}

/** The name and the one truthful state, with the next step: what mends it, or to use it in programs. */
function IntegrationHeader({ integration, tab, isNew }: IntegrationHeaderProps) {
  const { id, name, url, status, busy, wantedBy } = integration;
  const isUsed = useSnapshots((state) => state.programs?.some(({ uses }) => uses.includes(id)) ?? false);
  const mend = useMend(integration);
  const menu = useServerMenu();
  const label = busy === undefined ? describeStatus(integration) : words.busy[busy];
  return (
    <header className={`integration-head integration-state ${busy ?? status.name}`}>
      <div className="page-head">
        <ServerIcon integration={integration} size="large" />
        <div className="page-titles">
          <h1 title={name}>{name}</h1>
          <p className="integration-state-line small">
            <StatusMark status={busy === undefined ? status.name : 'busy'} />
            <span role="status">{label}</span>
            <span className="soft integration-place" title={url}>
              {placeOfAddress(url, integration.host)}
            </span>
          </p>
        </div>
        {busy === undefined && status.name === 'ready' && tab !== 'use' && !isNew && (
          <Button
            // Other pages have a next step of their own.
            kind={isUsed || tab !== 'overview' ? 'plain' : 'primary'}
            className="to-programs"
            onClick={() => showIntegration(id, 'use')}
          >
            {words.integration.menu.use}
          </Button>
        )}
        <IconButton
          icon={Ellipsis}
          label={words.integration.more}
          aria-haspopup="menu"
          aria-expanded={menu.isOpen}
          onClick={(event) => {
            const { right, bottom } = event.currentTarget.getBoundingClientRect();
            menu.open({ kind: 'servers', servers: [integration], isShown: true }, { x: right, y: bottom });
          }}
        />
        {menu.part}
      </div>
      {busy === undefined && status.name !== 'ready' && (
        <div className="integration-reason">
          {wantedBy !== undefined && <p className="integration-wanted">{words.integration.wanted(wantedBy, name)}</p>}
          <p className="soft">
            {reasonOf(integration)} {wantedBy !== undefined && words.integration.wantedNext(wantedBy)}
          </p>
          <MendButton integration={integration} mend={mend} isMain={!hasMain(tab, integration)} />
        </div>
      )}
      <MendError integration={integration} mend={mend} />
    </header>
  );
}

/** What the tab is for can be done all the same, with a main button of its own. */
function hasMain(tab: IntegrationTab, { status }: IntegrationView): boolean {
  return tab === 'use' || tab === 'settings' || (tab === 'tools' && status.name === 'needsAccess');
}

function reasonOf(integration: IntegrationView): string {
  const { error, name, mayHaveMoved } = integration.status;
  if (error === undefined) return wantsKey(integration) ? words.account.keyGone : words.integration.sentence[name];
  // In these states the button is the next step, so the reason alone is enough.
  const saysItself = name === 'signIn' || name === 'signInAgain' || name === 'needsAccess';
  if (saysItself) return words.errors.message(error);
  return `${words.errors.message(error)} ${mayHaveMoved ? words.integration.mayHaveMoved : words.errors.nextStep(error.remedy)}`;
}

/** Which programs use this server. */
function UseTab({ integration }: { readonly integration: IntegrationView }) {
  return (
    <div className="stack measure">
      <p className="soft">{words.programs.useIntro}</p>
      <MadeChanges servers={[integration.id]} />
      <FoundPrograms>{(programs) => <UseInPrograms servers={[integration]} programs={programs} />}</FoundPrograms>
    </div>
  );
}

type Status = IpcOutput<'local:status'>;

/** Milliseconds between two looks. */
const look = 1_000;
/** Characters of its output that are shown: the end of it. */
const mostShown = 200_000;

/** Its processes, what they have written, and how to end and to start them. */
function ProcessTab({ id, command }: { readonly id: string; readonly command: LocalCommand }) {
  const { status, output, error, again } = useStatus(id);
  const now = useNow(30_000);
  const call = useCall<unknown>();
  const { local } = words;
  const act = (make: () => Promise<IpcResult<unknown>>): void => void call.run(make).then(again);
  const state = status && shownState(status);
  return (
    <div className="stack measure">
      {error && <ErrorNotice error={error} />}
      {state && (
        <div className="row process-state">
          <p role="status">{local.states[state]}</p>
          <Button className="push" busy={call.busy} onClick={() => act(() => postern.local.stop({ id }))}>
            {local.stop}
          </Button>
        </div>
      )}
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
      {status && status.processes.length > 0 && (
        <Facts
          facts={[
            {
              term: local.processList,
              value: (
                <ul className="plain-list">
                  {status.processes.map(({ pid, startedAt }) => (
                    <li key={pid}>{local.process(pid, formatMoment(startedAt, now))}</li>
                  ))}
                </ul>
              ),
            },
          ]}
        />
      )}
      <section className="stack-tight" aria-labelledby="what-runs">
        <h2 id="what-runs">{local.what}</h2>
        <CommandFacts command={command} />
        <CheckBox
          role="switch"
          checked={command.lifetime === 'shared'}
          onChange={(isShared) => act(() => postern.local.share({ id, isShared }))}
          label={local.share}
          hint={local.shareHint}
          disabled={call.busy}
        />
      </section>
      <section className="stack-tight" aria-labelledby="output-title">
        <h2 id="output-title">{local.output}</h2>
        <p className="soft small">{local.outputHint}</p>
        {output === '' ? (
          <p className="soft">{local.noOutput}</p>
        ) : (
          <pre className="process-output mono" tabIndex={0} aria-labelledby="output-title">
            {output}
          </pre>
        )}
      </section>
    </div>
  );
}

/** Where it waits for the person, its page says so above, with what starts it. */
function shownState({ state, isAllowed, processes }: Status) {
  if (state === 'failed' && processes.length > 0) return 'running';
  if (state === 'stopped' || state === 'failed') return undefined;
  return isAllowed || processes.length > 0 ? state : undefined;
}

interface Seen {
  readonly status: Status | undefined;
  readonly output: string;
  readonly error: PlainError | undefined;
  /** Looks at once. */
  readonly again: () => void;
}

/** How it is now, as long as somebody looks; of the output only what is new is fetched. */
function useStatus(id: string): Seen {
  const [seen, setSeen] = useState<Omit<Seen, 'again'>>({ status: undefined, output: '', error: undefined });
  const again = useRef(() => {});
  useEffect(() => {
    let since = 0;
    let isOver = false;
    let timer: number | undefined;
    const ask = async (): Promise<void> => {
      window.clearTimeout(timer);
      const result = await postern.local.status({ id, since });
      if (isOver) return;
      if (result.ok) {
        const { output, total } = result.value;
        since = total;
        setSeen((before) => ({
          status: result.value,
          output: `${before.output}${output}`.slice(-mostShown),
          error: undefined,
        }));
      } else setSeen((before) => ({ ...before, error: result.error }));
      window.clearTimeout(timer);
      timer = window.setTimeout(() => void ask(), look);
    };
    again.current = () => void ask();
    void ask();
    return () => {
      isOver = true;
      window.clearTimeout(timer);
    };
  }, [id]);
  return { ...seen, again: () => again.current() };
}
