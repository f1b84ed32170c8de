import { useState } from 'react';
import type { ReactNode } from 'react';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { AppPreviews, AppView } from '../../shared/app-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { compareNames } from '../integrations/arrange-rows.ts';
import { Button } from '../components/button.tsx';
import { CheckBox } from '../components/check-box.tsx';
import { Dialog } from '../components/dialog.tsx';
import { postern, useAppSearch, useCall } from '../postern.ts';
import { mayUse, useSnapshots, useServersAndCollections } from '../store.ts';
import { retain, viewStateKey, useRetainedState } from '../use-retained-state.ts';
import { closeAppSelection, openAppSelection, useView } from '../view.ts';
import { words } from '../words.ts';
import { AppliedChanges, recordApplied, PendingPaste } from './applied-changes.tsx';
import { PreviewDialog } from './preview-dialog.tsx';
import './apps.css';

const noSelection: Readonly<Record<string, boolean>> = {};

const selectionKey = (ids: readonly string[]): string => viewStateKey(`apps for ${ids.join(' ')}`);

/** Opens the dialog for a server, with this app already chosen. */
export function selectApp(server: string, app: string): void {
  retain(server, selectionKey([server]), { [app]: true });
  openAppSelection([server]);
}

interface AppSelectionProps {
  /** One server, or several selected together. */
  readonly servers: readonly Pick<IntegrationView, 'id' | 'name'>[];
  readonly apps: readonly AppView[];
}

/** Lets the user choose apps for one or more servers, then preview and apply all changes together. */
export function AppSelection({ servers, apps }: AppSelectionProps) {
  /** By app: why its file was left unchanged. */
  const [faults, setFaults] = useState<Readonly<Record<string, PlainError>>>({});
  /** By editor: the chosen profile, if not the default. */
  const [profiles, setProfiles] = useState<Readonly<Record<string, string | undefined>>>({});
  const [appPreviews, setAppPreviews] = useState<AppPreviews>();
  /** The app whose lines to paste are shown again. */
  const [pendingApp, setPendingApp] = useState<AppView>();
  const preview = useCall<AppPreviews>();
  const ids = servers.map(({ id }) => id);
  const [chosen, setChosen] = useRetainedState(ids[0] ?? 'page', selectionKey(ids), noSelection);
  const selectionFor = (app: AppView): Usage => chosen[app.id] ?? usageOf(app, ids);
  const changing = apps.filter((app) => selectionFor(app) !== usageOf(app, ids));
  const loadPreview = async (inProfiles: Readonly<Record<string, string | undefined>>): Promise<void> => {
    setProfiles(inProfiles);
    setPendingApp(undefined);
    const changes = changing.map((app) => {
      const use = selectionFor(app) === true;
      const editorProfile = use ? inProfiles[app.id] : undefined;
      const integrations = ids.filter((id) => mayUse(app, id) !== use);
      const change = { app: app.id, integrations, use };
      return { ...change, ...(editorProfile !== undefined && { editorProfile }) };
    });
    const found = await preview.run(async () => {
      const result = await postern.app.preview({ changes });
      const [alone] = changing;
      const refused = result.ok ? result.value.refused : alone ? [{ app: alone.id, error: result.error }] : [];
      setFaults(Object.fromEntries(refused.map(({ app, error }) => [app, error])));
      return result;
    });
    setAppPreviews(found);
  };
  const showLines = async (app: AppView): Promise<void> => {
    const integrations = ids.filter((id) => app.waiting?.includes(id));
    const changes = [{ app: app.id, integrations, use: true }];
    const found = await preview.run(() => postern.app.preview({ changes }));
    setPendingApp(app);
    setAppPreviews(found);
  };
  const previewed = pendingApp ? [pendingApp] : changing;
  return (
    <>
      <div className="app-choices" role="group" aria-label={words.apps.title}>
        {apps.map((app) => {
          const fault = faults[app.id];
          const use = describeUsage(app, ids);
          return (
            <div className="stack-tight" key={app.id}>
              <CheckBox
                checked={selectionFor(app)}
                label={app.name}
                hint={fault ? words.errors.message(fault) : use}
                onChange={(isSelected) => setChosen({ ...chosen, [app.id]: isSelected })}
              />
              <PendingPaste isStateShown app={app} servers={ids} onShow={() => void showLines(app)} />
            </div>
          );
        })}
      </div>
      {preview.error && <ErrorNotice error={preview.error} actions={{ dismiss: preview.clear }} />}
      <div className="row">
        <Button
          kind="primary"
          busy={preview.busy}
          disabled={changing.length === 0}
          onClick={() => void loadPreview({})}
        >
          {words.apps.reviewChanges}
        </Button>
        <span className="soft" role="status">
          {changing.length > 0 && words.apps.chosen(changing.length)}
        </span>
      </div>
      {appPreviews && (
        <PreviewDialog
          title={titleOf(changeableApps(previewed, appPreviews), selectionFor, nameOf(servers))}
          appPreviews={appPreviews}
          onClose={() => setAppPreviews(undefined)}
          {...(!pendingApp && { onProfile: (app, profile) => void loadPreview({ ...profiles, [app]: profile }) })}
          onDone={(outcomes) => {
            setAppPreviews(undefined);
            setChosen({});
            recordApplied(ids, outcomes, appPreviews);
          }}
        />
      )}
    </>
  );
}

/** Apps whose files can be changed, or all of them if none can. */
function changeableApps(changing: readonly AppView[], { previews }: AppPreviews): readonly AppView[] {
  const changeable = changing.filter(({ id }) => previews.some(({ app }) => app === id));
  return changeable.length > 0 ? changeable : changing;
}

/** Whether an app uses all of the servers, none, or some. */
type Usage = boolean | 'some';

function usageOf(app: AppView, servers: readonly string[]): Usage {
  const used = servers.filter((id) => mayUse(app, id)).length;
  return used > 0 && used < servers.length ? 'some' : used > 0;
}

function describeUsage(app: AppView, servers: readonly string[]): string {
  const { length: all } = servers;
  const used = servers.filter((id) => app.uses.includes(id)).length;
  const isWaiting = servers.some((id) => app.waiting?.includes(id));
  if (isWaiting && used === 0) return words.apps.waiting;
  const use =
    used === all || used === 0 ? words.apps[used > 0 ? 'usesIt' : 'doesNotUseIt'](all) : words.apps.uses(used, all);
  return isWaiting ? `${use} · ${words.apps.waiting}` : use;
}

function nameOf(servers: readonly Pick<IntegrationView, 'name'>[]): string {
  const [only] = servers;
  return only && servers.length === 1 ? only.name : words.arrange.chosen(servers.length);
}

function titleOf(changing: readonly AppView[], selectionFor: (app: AppView) => Usage, server: string): string {
  const names = changing.map(({ name }) => name);
  const added = changing.filter((app) => selectionFor(app) === true);
  if (added.length === changing.length) return words.apps.previewOf(names, true, server);
  return added.length > 0 ? words.apps.previewMixed(names) : words.apps.previewOf(names, false, server);
}

/** With more servers, only the number is shown. */
const maxNames = 12;

/** Chooses apps for several servers: one preview of all changes, and one undo. */
export function AppSelectionDialog() {
  const serverIds = useView((state) => state.selectingAppsFor);
  const servers = useServersAndCollections(serverIds).toSorted((one, other) => compareNames(one.name, other.name));
  if (servers.length === 0) return null;
  return (
    <Dialog
      wide
      open
      title={words.apps.useInApps(nameOf(servers))}
      description={words.apps.useSeveralIntro}
      onClose={closeAppSelection}
      footer={<Button onClick={closeAppSelection}>{words.common.close}</Button>}
    >
      <div className="stack">
        {servers.length > 1 && servers.length <= maxNames && (
          <p className="soft">{servers.map(({ name }) => name).join(', ')}</p>
        )}
        <AppliedChanges servers={servers.map(({ id }) => id)} />
        <DetectedApps>{(apps) => <AppSelection servers={servers} apps={apps} />}</DetectedApps>
      </div>
    </Dialog>
  );
}

/** Apps on this computer, detected again on mount. Explains what to do if there are none. */
export function DetectedApps({ children }: { readonly children: (apps: readonly AppView[]) => ReactNode }) {
  const apps = useSnapshots((state) => state.apps);
  useAppSearch();
  if (apps === undefined) return <p role="status">{words.apps.searching}</p>;
  if (apps.length > 0) return children(apps);
  return (
    <div className="stack-tight">
      <p>{words.apps.none}</p>
      <p className="soft">{words.apps.noneNext}</p>
      <div>
        <Button onClick={() => void postern.app.find()}>{words.apps.searchAgain}</Button>
      </div>
    </div>
  );
}
