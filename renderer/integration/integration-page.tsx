import { Ellipsis } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { IpcOutput, IpcResult } from '../../shared/ipc-contract.ts';
import type { LocalCommand } from '../../shared/local-command.ts';
import { ConnectionPanel } from '../connect/connection-panel.tsx';
import { CommandFacts } from '../connect/local-server-form.tsx';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { describeStatus, ServerIcon, StatusMark, needsKey } from '../integrations/server-icon.tsx';
import { useServerMenu } from '../integrations/use-server-menu.tsx';
import { Button, IconButton } from '../components/button.tsx';
import { CheckBox } from '../components/check-box.tsx';
import { Facts, hostOfAddress } from '../components/facts.tsx';
import { Notice, PageBoundary } from '../components/notice.tsx';
import { Tabs } from '../components/tabs.tsx';
import { PermissionsSection } from '../permissions/permissions-section.tsx';
import { postern, useCall } from '../postern.ts';
import { AppliedChanges } from '../apps/applied-changes.tsx';
import { DetectedApps } from '../apps/app-selection.tsx';
import { ServerApps } from '../apps/server-apps.tsx';
import { useIntegration, useSnapshots } from '../store.ts';
import { useRetainedState } from '../use-retained-state.ts';
import { integrationTabs, show, showIntegration, useView } from '../view.ts';
import type { IntegrationSection, IntegrationTab } from '../view.ts';
import { formatMoment, useNow, words } from '../words.ts';
import { ConnectedPage } from './connected-page.tsx';
import './integration-page.css';
import { ServerFixButton, ServerFixError, useServerFix } from './server-fix.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { changedChoices, isTyped, noOAuthApp } from './settings-draft.ts';
import type { SettingsDraft, TypedOAuthApp } from './settings-draft.ts';
import { SettingsTab } from './settings-tab.tsx';
import { ToolsTab } from './tools-tab.tsx';

interface IntegrationPageProps {
  readonly id: string;
  readonly tab: IntegrationTab;
  /** Just connected. */
  readonly isNew: boolean;
  /** The section to scroll to. */
  readonly section: IntegrationSection | undefined;
  /** Opens the advanced settings, which the user was sent to. */
  readonly openAdvanced: boolean;
}

const nothingChanged: SettingsDraft = {};

export function IntegrationPage({ id, tab, isNew, section, openAdvanced }: IntegrationPageProps) {
  const integration = useIntegration(id);
  // Each request to show the section is a view of its own, even of the section that is already open.
  const view = useView((state) => state.view);
  useEffect(() => {
    if (section === undefined) return;
    const target = document.querySelector<HTMLElement>(`#server-${section}`);
    target?.scrollIntoView({ block: 'start' });
    target?.focus();
  }, [view, section]);
  const [draft, setDraft] = useRetainedState(id, 'settings', nothingChanged);
  const [oauthApp, setOAuthApp] = useRetainedState<TypedOAuthApp>(id, 'oauthApp', noOAuthApp);
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
  if (isNew && integration.status.name === 'ready') return <ConnectedPage integration={integration} />;
  const isUnsaved = isTyped(oauthApp) || changedChoices(integration, draft).length > 0;
  const hasChanged = integration.toolReview?.changedAt !== undefined;
  const settings = (
    <div className="stack">
      <SettingsTab
        integration={integration}
        draft={draft}
        onDraft={setDraft}
        oauthApp={oauthApp}
        onOAuthApp={setOAuthApp}
        openAdvanced={openAdvanced}
      />
      {integration.command && <ProcessSection id={id} command={integration.command} />}
    </div>
  );
  return (
    <div className="page wide">
      <IntegrationHeader key={integration.state} integration={integration} tab={tab} />
      <SignInStatus integration={integration} />
      {hasChanged && (
        <Notice
          tone="ask"
          title={words.permits.changedNotice}
          actions={<Button onClick={() => showIntegration(id, 'permissions')}>{words.permits.review}</Button>}
        />
      )}
      <Tabs
        label={words.integration.tabs}
        value={tab}
        onChange={(next) => show({ name: 'integration', id, tab: next })}
        tabs={integrationTabs.map((name) => ({
          name,
          label: words.integration[name],
          mark:
            name === 'settings' && isUnsaved
              ? words.integration.unsaved
              : name === 'apps' && hasChanged
                ? words.permits.changedMark
                : undefined,
          // A tab that fails to render must not block the others.
          content: () => (
            <PageBoundary key={name}>{name === 'settings' ? settings : contentOf(name, integration)}</PageBoundary>
          ),
        }))}
      />
    </div>
  );
}

function contentOf(tab: Exclude<IntegrationTab, 'settings'>, integration: IntegrationView) {
  switch (tab) {
    case 'overview':
      // A new state remounts the tab, which drops messages about the previous sign-in.
      return <OverviewTab key={integration.state} integration={integration} />;
    case 'tools':
      return <ToolsTab integration={integration} />;
    case 'apps':
      return <AppsTab integration={integration} />;
  }
}

/** The integration's sign-in, in flight or failed. */
function SignInStatus({ integration }: { readonly integration: IntegrationView }) {
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
}

/** Name and status, with the next step: a fix, or using it in apps. */
function IntegrationHeader({ integration, tab }: IntegrationHeaderProps) {
  const { id, name, url, status, busy, wantedBy } = integration;
  const isUsed = useSnapshots((state) => state.apps?.some(({ uses }) => uses.includes(id)) ?? false);
  const fix = useServerFix(integration);
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
              {hostOfAddress(url, integration.host)}
            </span>
          </p>
        </div>
        {busy === undefined && status.name === 'ready' && tab !== 'apps' && (
          <Button
            // Other tabs have a next step of their own.
            kind={isUsed || tab !== 'overview' ? 'plain' : 'primary'}
            className="to-apps"
            onClick={() => showIntegration(id, 'apps')}
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
        {menu.element}
      </div>
      {busy === undefined && status.name !== 'ready' && (
        <div className="integration-reason">
          {wantedBy !== undefined && (
            <p className="integration-wanted">{words.integration.couldNotUse(wantedBy, name)}</p>
          )}
          <p className="soft">
            {describeReason(integration)} {wantedBy !== undefined && words.integration.couldNotUseNext(wantedBy)}
          </p>
          <ServerFixButton integration={integration} fix={fix} isPrimary={!hasPrimaryAction(tab, integration)} />
        </div>
      )}
      <ServerFixError integration={integration} fix={fix} />
    </header>
  );
}

/** The tab works regardless, and has its own primary button. */
function hasPrimaryAction(tab: IntegrationTab, { status }: IntegrationView): boolean {
  return tab === 'apps' || tab === 'settings' || (tab === 'tools' && status.name === 'needsAccess');
}

function describeReason(integration: IntegrationView): string {
  const { error, name, mayHaveMoved } = integration.status;
  if (error === undefined) return needsKey(integration) ? words.account.keyGone : words.integration.sentence[name];
  // In these states the button already is the next step.
  const isSelfExplanatory = name === 'signIn' || name === 'signInAgain' || name === 'needsAccess';
  if (isSelfExplanatory) return words.errors.message(error);
  return `${words.errors.message(error)} ${mayHaveMoved ? words.integration.mayHaveMoved : words.errors.nextStep(error.remedy)}`;
}

/** Which apps use this server, and which of its tools they may call. */
function AppsTab({ integration }: { readonly integration: IntegrationView }) {
  return (
    <div className="stack measure">
      <p className="soft">{words.apps.useIntro}</p>
      <AppliedChanges servers={[integration.id]} />
      <DetectedApps>{(apps) => <ServerApps integration={integration} apps={apps} />}</DetectedApps>
      <PermissionsSection integration={integration} />
    </div>
  );
}

type Status = IpcOutput<'local:status'>;

/** Milliseconds. */
const pollInterval = 1_000;
/** Characters of output shown; the oldest are dropped. */
const maxOutput = 200_000;

/** The server's processes and output, with Start and Stop. */
function ProcessSection({ id, command }: { readonly id: string; readonly command: LocalCommand }) {
  const { status, output, error, refresh } = useProcessStatus(id);
  const now = useNow(30_000);
  const call = useCall<unknown>();
  const { local } = words;
  const act = (make: () => Promise<IpcResult<unknown>>): void => void call.run(make).then(refresh);
  const state = status && shownState(status);
  return (
    <section className="section measure" aria-labelledby="process-title">
      <h2 id="process-title">{words.integration.process}</h2>
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
        <h3 id="what-runs">{local.whatRuns}</h3>
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
        <h3 id="output-title">{local.output}</h3>
        <p className="soft small">{local.outputHint}</p>
        {output === '' ? (
          <p className="soft">{local.noOutput}</p>
        ) : (
          <pre className="process-output mono" tabIndex={0} aria-labelledby="output-title">
            {output}
          </pre>
        )}
      </section>
    </section>
  );
}

/** If it waits for the user, the header already says so. */
function shownState({ state, isAllowed, processes }: Status) {
  if (state === 'failed' && processes.length > 0) return 'running';
  if (state === 'stopped' || state === 'failed') return undefined;
  return isAllowed || processes.length > 0 ? state : undefined;
}

interface ProcessSnapshot {
  readonly status: Status | undefined;
  readonly output: string;
  readonly error: PlainError | undefined;
  /** Reads at once. */
  readonly refresh: () => void;
}

/** Polls the status while mounted, and fetches only new output. */
function useProcessStatus(id: string): ProcessSnapshot {
  const [seen, setSeen] = useState<Omit<ProcessSnapshot, 'refresh'>>({
    status: undefined,
    output: '',
    error: undefined,
  });
  const refresh = useRef(() => {});
  useEffect(() => {
    let since = 0;
    let isStopped = false;
    let timer: number | undefined;
    const poll = async (): Promise<void> => {
      window.clearTimeout(timer);
      const result = await postern.local.status({ id, since });
      if (isStopped) return;
      if (result.ok) {
        const { output, total } = result.value;
        since = total;
        setSeen((before) => ({
          status: result.value,
          output: `${before.output}${output}`.slice(-maxOutput),
          error: undefined,
        }));
      } else setSeen((before) => ({ ...before, error: result.error }));
      window.clearTimeout(timer);
      timer = window.setTimeout(() => void poll(), pollInterval);
    };
    refresh.current = () => void poll();
    void poll();
    return () => {
      isStopped = true;
      window.clearTimeout(timer);
    };
  }, [id]);
  return { ...seen, refresh: () => refresh.current() };
}
