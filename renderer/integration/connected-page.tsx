import { useEffect, useRef, useState } from 'react';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { AppView } from '../../shared/app-view.ts';
import { exampleFor } from '../../shared/mcp-view.ts';
import type { ToolPreset } from '../../shared/tool-permissions.ts';
import { DetectedApps } from '../apps/app-selection.tsx';
import { AppliedChanges, PendingPaste, recordApplied, useAppliedChanges } from '../apps/applied-changes.tsx';
import { firstRule } from '../apps/server-apps.tsx';
import { AppFault, useAppChanges } from '../apps/use-app-changes.tsx';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button, CopyLine } from '../components/button.tsx';
import { CheckBox } from '../components/check-box.tsx';
import { Choice, Field } from '../components/field.tsx';
import { ServiceIcon } from '../components/service-icon.tsx';
import { postern, useCall } from '../postern.ts';
import { mayUse, recordTools } from '../store.ts';
import { viewStateKey, useRetainedState } from '../use-retained-state.ts';
import { showIntegration } from '../view.ts';
import { formatRelative, useNow, words } from '../words.ts';
import { listCapabilities } from './capabilities.ts';
import type { Capability, CapabilityListing } from './capabilities.ts';
import { CapabilityDetail } from './capability-detail.tsx';
import './connected-page.css';
import { runKey, startRun } from './runs.ts';
import type { Shape } from './schema-fields.ts';

/** What follows a sign-in: where to use the server, under which rule, and a first result. */
export function ConnectedPage({ integration }: { readonly integration: IntegrationView }) {
  const { id, name, account, user, command, nextRefreshAt } = integration;
  const listing = useCall<CapabilityListing>();
  const { run } = listing;
  useEffect(
    () =>
      void run(() => listCapabilities('tools', id)).then((found) => {
        if (found) recordTools(id, found.items);
      }),
    [run, id],
  );
  const { items: tools, isPartial } = listing.value ?? {};
  const tool = tools?.find(isEasy) ?? tools?.find(isHarmless);
  const { connected } = words.apps;
  const facts = [
    user?.email ?? user?.name ?? account,
    tools !== undefined && isPartial === false && connected.tools(tools.length),
    command !== undefined && connected.onThisComputer,
    nextRefreshAt !== undefined && connected.renews,
  ].filter(Boolean);
  return (
    <div className="page stack">
      <header className="connected-head">
        <SuccessMark />
        <h1>{connected.title(name)}</h1>
        <p className="soft" role="status">
          {facts.join(' · ')}
        </p>
      </header>
      <section className="connected-card" aria-labelledby="connected-where">
        <h2 id="connected-where">{connected.where}</h2>
        <DetectedApps>
          {(apps) => <ConnectedApps integration={integration} apps={apps} tool={tool} hasTools={tools?.length !== 0} />}
        </DetectedApps>
      </section>
      {tool && <FirstTry integration={integration} tool={tool} />}
      {listing.error && (
        <ErrorNotice error={listing.error} actions={{ retry: () => void run(() => listCapabilities('tools', id)) }} />
      )}
      <div>
        <Button kind="quiet" className="at-edge" onClick={() => showIntegration(id)}>
          {connected.open}
        </Button>
      </div>
    </div>
  );
}

/** Drawn, so that it follows the theme and forced colors. */
function SuccessMark() {
  return (
    <svg className="success-mark" viewBox="0 0 28 28" aria-hidden="true">
      <circle cx="14" cy="14" r="14" />
      <path d="M8 14.5l4 4 8-9" pathLength="1" />
    </svg>
  );
}

const simple: ReadonlySet<Shape['kind']> = new Set(['text', 'number', 'boolean', 'choice']);

/** The server says that it only reads, and its required arguments are easy to enter. */
const isHarmless = (tool: Capability): boolean =>
  tool.readOnly &&
  tool.hints === undefined &&
  tool.input().fields.every(({ required, shape }) => !required || simple.has(shape.kind));

/** Needs no arguments. */
const isEasy = (tool: Capability): boolean =>
  isHarmless(tool) && tool.input().fields.every(({ required }) => !required);

/** Milliseconds: what was used longer ago is not switched on. */
const recentUse = 30 * 24 * 60 * 60_000;
const rules = ['ask-changes', 'read-only', 'everything'] as const satisfies readonly ToolPreset[];
type Rule = (typeof rules)[number];

interface ConnectedAppsProps {
  readonly integration: IntegrationView;
  readonly apps: readonly AppView[];
  /** For the sentence to try. */
  readonly tool: Capability | undefined;
  /** False: it has none now, but may add some later. */
  readonly hasTools: boolean;
}

interface AppChoices {
  readonly rule: Rule;
  /** By app: what the user switched. */
  readonly switched: Readonly<Record<string, boolean>>;
}

const noChoices: AppChoices = { rule: firstRule, switched: {} };

function ConnectedApps({ integration, apps, tool, hasTools }: ConnectedAppsProps) {
  const { id, name } = integration;
  const now = useNow(60_000);
  const [{ rule, switched }, setChoices] = useRetainedState(id, viewStateKey('connected'), noChoices);
  const changes = useAppChanges(name, (outcomes, found) => recordApplied([id], outcomes, found));
  const applied = useAppliedChanges([id]);
  const outcome = useRef<HTMLDivElement>(null);
  const { connected } = words.apps;
  useEffect(() => {
    // The button that had the focus is gone.
    if (applied && document.activeElement === document.body) outcome.current?.focus();
  }, [applied]);
  const free = apps.filter((app) => !mayUse(app, id));
  const isOn = (app: AppView): boolean => switched[app.id] ?? isSuggested(app, free, now);
  const changing = free.filter(isOn);
  const requestOf = (app: AppView) => ({ app: app.id, integrations: [id], use: true, preset: rule });
  const requested = changing.map(requestOf);
  const users = apps.filter(({ uses }) => uses.includes(id));
  const asked = users.find((app) => applied?.made.some((each) => each.app === app.id)) ?? users[0];
  return (
    <>
      <div className="app-rows connected-apps" role="group" aria-labelledby="connected-where">
        {apps.map((app) => (
          <div className="app-choice" key={app.id}>
            <ServiceIcon name={app.name} brand={{ app: app.id }} size="small" />
            <ConnectedApp
              app={app}
              server={id}
              isOn={isOn(app)}
              now={now}
              onSwitch={(next) =>
                setChoices((before) => ({ ...before, switched: { ...before.switched, [app.id]: next } }))
              }
            />
            <ConnectedFault app={app} error={changes.faults[app.id]} onRetry={() => changes.apply([requestOf(app)])} />
          </div>
        ))}
      </div>
      {free.length === 0 && !applied && users.length === apps.length && <p>{connected.usedByAll}</p>}
      {free.length > 0 && (
        <>
          <Field label={connected.mayChange} hint={hasTools ? connected.ruleHint : connected.laterTools}>
            {(control) => (
              <Choice
                {...control}
                value={rule}
                options={rules.map((value) => ({ value, label: connected.rules[value] }))}
                onChoose={(next) => setChoices((before) => ({ ...before, rule: next }))}
              />
            )}
          </Field>
          <div className="row">
            <Button
              kind="primary"
              busy={changes.busy}
              disabled={changing.length === 0}
              onClick={() => changes.apply(requested)}
            >
              {connected.use(changing.map((app) => app.name))}
            </Button>
            <Button kind="quiet" disabled={changing.length === 0} onClick={() => changes.review(requested)}>
              {connected.seeLines}
            </Button>
            <span className="soft small">{connected.undoLater}</span>
          </div>
        </>
      )}
      {changes.error && <ErrorNotice error={changes.error} actions={{ dismiss: changes.clear }} />}
      <div ref={outcome} tabIndex={-1} className="connected-outcome">
        <AppliedChanges servers={[id]} />
        {asked && tool && <Example app={asked.name} server={name} id={id} tool={tool} />}
      </div>
      {changes.dialog}
    </>
  );
}

/**
 * Postern knows only when an app last used Postern. As long as it knows of no recent use, it suggests every app that
 * the user has not revoked or paused.
 */
function isSuggested(app: AppView, among: readonly AppView[], now: number): boolean {
  if (app.isRevoked || app.isPaused || app.fault) return false;
  const isRecent = ({ lastUsedAt }: AppView): boolean => lastUsedAt !== undefined && now - lastUsedAt < recentUse;
  return isRecent(app) || !among.some(isRecent);
}

interface ConnectedAppProps {
  readonly app: AppView;
  readonly server: string;
  readonly isOn: boolean;
  readonly now: number;
  readonly onSwitch: (isOn: boolean) => void;
}

function ConnectedApp({ app, server, isOn, now, onSwitch }: ConnectedAppProps) {
  if (mayUse(app, server))
    return (
      <div className="stack-tight app-used">
        <p>
          {app.name}{' '}
          <span className="soft small">{app.uses.includes(server) ? words.apps.usesIt(1) : words.apps.waiting}</span>
        </p>
        <PendingPaste isStateShown app={app} servers={[server]} />
      </div>
    );
  const remark = app.isRevoked
    ? words.apps.revoked
    : app.isPaused
      ? words.apps.paused
      : app.lastUsedAt !== undefined && words.apps.lastUsed(formatRelative(app.lastUsedAt, now));
  return <CheckBox role="switch" checked={isOn} label={app.name} hint={remark} onChange={onSwitch} />;
}

interface ConnectedFaultProps {
  readonly app: AppView;
  /** Why its change was not made. */
  readonly error: PlainError | undefined;
  readonly onRetry: () => void;
}

function ConnectedFault({ app, error, onRetry }: ConnectedFaultProps) {
  if (error) return <AppFault error={error} onRetry={onRetry} />;
  return app.fault && <AppFault error={app.fault} onRetry={() => void postern.app.find()} />;
}

interface ExampleProps {
  readonly app: string;
  readonly server: string;
  readonly id: string;
  readonly tool: Capability;
}

/** A sentence to try in an app. Main writes it to the clipboard from the tools that it knows. */
function Example({ app, server, id, tool }: ExampleProps) {
  const example = exampleFor(tool, server);
  if (!example) return null;
  return (
    <div className="stack-tight">
      <p>{words.apps.connected.ask(app)}</p>
      <CopyLine
        label={words.apps.connected.ask(app)}
        value={words.apps.connected.example(example.title, example.server)}
        onCopy={async () => (await postern.integration.copyExample({ id, tool: tool.name })).ok}
      />
    </div>
  );
}

interface FirstTryProps {
  readonly integration: IntegrationView;
  readonly tool: Capability;
}

/** One harmless tool, run here with the form of the Tools tab. */
function FirstTry({ integration: { id, signedInAt }, tool }: FirstTryProps) {
  const [isOpen, setOpen] = useState(false);
  const begin = (): void => {
    setOpen(true);
    if (!isEasy(tool)) return;
    const run = { id, capability: tool, uri: tool.name, values: {}, anyField: false };
    void startRun(runKey(id, tool), run, signedInAt);
  };
  const { connected } = words.apps;
  return (
    <section className="connected-card" aria-labelledby="connected-try">
      <h2 id="connected-try">{connected.tryHere}</h2>
      {isOpen ? (
        <CapabilityDetail
          integrationId={id}
          signedInAt={signedInAt}
          capability={tool}
          isUsable
          isAside
          onBack={() => setOpen(false)}
        />
      ) : (
        <div className="row">
          <p id="connected-tool">{tool.title}</p>
          <Button className="push" aria-describedby="connected-tool" onClick={begin}>
            {isEasy(tool) ? words.tools.run : connected.tryForm}
          </Button>
        </div>
      )}
    </section>
  );
}
