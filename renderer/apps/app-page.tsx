import { ArrowLeft, Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { AppEntry, AppOutcomes, AppPreviews, AppView } from '../../shared/app-view.ts';
import { UnreadableEntries } from '../connect/import-list.tsx';
import { useListedCommand } from '../connect/use-local-draft.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button, IconButton } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { ServiceIcon } from '../components/service-icon.tsx';
import { postern, useAppSearch, useCall, usePause } from '../postern.ts';
import { useServerCounts, useSnapshots } from '../store.ts';
import type { ServerOrCollection } from '../store.ts';
import { flash, show } from '../view.ts';
import type { FlashText } from '../view.ts';
import { locale, useNow, words } from '../words.ts';
import { describeNotice, describeApp, PreviewDialog } from './preview-dialog.tsx';
import type { ChooseProfile } from './preview-dialog.tsx';
import { AppServers } from './app-servers.tsx';
import './apps.css';

export function AppPage({ id }: { readonly id: string }) {
  useAppSearch();
  const app = useSnapshots((state) => state.apps?.find((each) => each.id === id));
  return (
    <div className="page">
      {app ? (
        <AppHeader app={app} />
      ) : (
        <header className="page-head">
          <BackToApps />
          <h1>{words.apps.title}</h1>
        </header>
      )}
      {app ? <AppDetails app={app} /> : <p>{words.apps.gone}</p>}
    </div>
  );
}

interface PendingPreview {
  readonly title: () => string;
  readonly appPreviews: AppPreviews;
  /** Shows the same change for another editor profile. */
  readonly onProfile?: ChooseProfile | undefined;
}

function AppDetails({ app }: { readonly app: AppView }) {
  const { id, name, path, fault, lastChange } = app;
  const [pending, setPending] = useState<PendingPreview>();
  /** Files that were left unchanged, if there were several. */
  const [refusals, setRefusals] = useState<AppOutcomes['refused']>([]);
  const preview = useCall<AppPreviews>();
  const showPreview = async (
    title: () => string,
    make: Parameters<typeof preview.run>[0],
    onProfile?: ChooseProfile,
  ): Promise<void> => {
    const appPreviews = await preview.run(make);
    setPending(appPreviews && { title, appPreviews, onProfile });
  };
  const previewUse = async (server: ServerOrCollection, use: boolean, editorProfile?: string): Promise<void> => {
    const change = { app: id, integrations: [server.id], use };
    const changes = [{ ...change, ...(editorProfile !== undefined && { editorProfile }) }];
    await showPreview(
      () => words.apps.previewOf([name], use, server.name),
      () => postern.app.preview({ changes }),
      (_app, profile) => void previewUse(server, use, profile),
    );
  };
  return (
    <>
      {preview.error && <ErrorNotice error={preview.error} actions={{ dismiss: preview.clear }} />}
      {refusals.map(({ error }, index) => (
        <ErrorNotice key={index} error={error} actions={{ dismiss: () => setRefusals([]) }} />
      ))}
      <section className="section" aria-labelledby="app-servers">
        <h2 id="app-servers">{words.apps.servers}</h2>
        <AppServers app={app} onUse={(server, use) => void previewUse(server, use)} />
      </section>
      <section className="section" aria-labelledby="app-file">
        <h2 id="app-file">{words.apps.file}</h2>
        {path === '' ? <p className="soft">{words.apps.other.unknownFile}</p> : <p className="app-path mono">{path}</p>}
        {fault && <ErrorNotice error={fault} tone="ask" actions={{ retry: () => void postern.app.find() }} />}
        {lastChange && (
          <div className="row">
            <span className="soft">
              {words.apps.change}: {words.apps.changed(lastChange.names, describeTime(lastChange.at))}
            </span>
            <Button
              kind="quiet"
              onClick={() =>
                void showPreview(
                  () => words.apps.previewUndo(name),
                  () => postern.app.previewUndo({ changes: [{ app: id, change: lastChange.id }] }),
                )
              }
            >
              {words.apps.undo}
            </Button>
          </div>
        )}
      </section>
      {path !== '' && (
        <OtherEntries
          app={app}
          onTakeOver={(entry) =>
            void showPreview(
              () => words.apps.previewTakeOver(entry.name, name),
              () => postern.app.previewTakeOver({ entry: entry.id }),
            )
          }
        />
      )}
      <AppAccess app={app} />
      {pending && (
        <PreviewDialog
          title={pending.title()}
          appPreviews={pending.appPreviews}
          {...(pending.onProfile && { onProfile: pending.onProfile })}
          onClose={() => setPending(undefined)}
          onDone={({ made, refused }) => {
            setPending(undefined);
            setRefusals(refused);
            const written = made.find(({ change }) => change !== undefined);
            if (written) flash(() => [words.apps.done([name]), describeNotice(written)]);
          }}
        />
      )}
    </>
  );
}

function describeTime(at: number): string {
  return new Date(at).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Name, status and pause button of an app, with a notice if it is paused or revoked. */
function AppHeader({ app }: { readonly app: AppView }) {
  const { name, isPaused, isRevoked, uses } = app;
  const { pause, pauseText, isPausedTitle, isPausedText, resume } = words.apps.pausing;
  const countsOf = useServerCounts();
  const now = useNow(60_000);
  const pausing = usePause(app);
  return (
    <>
      <header className="page-head">
        <BackToApps />
        <ServiceIcon name={name} brand={{ app: app.id }} size="large" />
        <div className="page-titles">
          <h1 title={name}>{name}</h1>
          <p className="soft small" role="status">
            {describeApp(app, countsOf(app), now)}
          </p>
        </div>
        {!isPaused && uses.length > 0 && (
          <Button icon={Pause} title={pauseText(name)} busy={pausing.busy} onClick={pausing.toggle}>
            {pause}
          </Button>
        )}
      </header>
      {isRevoked && <p className="soft">{words.apps.revokedText(name)}</p>}
      {isPaused && (
        <Notice
          tone="ask"
          title={isPausedTitle(name)}
          actions={
            <Button icon={Play} busy={pausing.busy} onClick={pausing.toggle}>
              {resume}
            </Button>
          }
        >
          <p>{isPausedText}</p>
        </Notice>
      )}
      {pausing.error && (
        <ErrorNotice error={pausing.error} actions={{ retry: pausing.toggle, dismiss: pausing.clear }} />
      )}
    </>
  );
}

function BackToApps() {
  return <IconButton icon={ArrowLeft} label={words.apps.title} onClick={() => show({ name: 'apps' })} />;
}

/** Revokes all access of an app (main asks for confirmation first), then offers to remove its entries. */
function AppAccess({ app: { id, name, path, uses, waiting, isRevoked } }: { readonly app: AppView }) {
  const isOther = path === '';
  const hasNone = uses.length === 0 && waiting === undefined;
  const revoking = useCall<IpcOutput<'app:revoke'>>();
  const previewing = useCall<AppPreviews>();
  const [appPreviews, setAppPreviews] = useState<AppPreviews>();
  const findEntries = async (message?: FlashText): Promise<void> => {
    const found = await previewing.run(() => postern.app.previewLeaving({ app: id }));
    if (found && (found.previews.length > 0 || found.refused.length > 0)) setAppPreviews(found);
    else if (found) flash(() => [...(message?.() ?? []), words.apps.noEntries(name)]);
  };
  const revoke = async (): Promise<void> => {
    if (!(await revoking.run(() => postern.app.revoke({ app: id })))) return;
    if (isOther) {
      show({ name: 'apps' });
      return flash(() => [words.apps.other.revoked(name)]);
    }
    const message: FlashText = () => [words.apps.revokeDone(name)];
    flash(message);
    await findEntries(message);
  };
  const done = ({ made }: AppOutcomes): void => {
    setAppPreviews(undefined);
    const [first] = made;
    if (first) flash(() => [words.apps.done([name]), describeNotice(first)]);
  };
  if (hasNone && !isRevoked && !isOther) return null;
  const hasOnlyEntries = hasNone && !isOther;
  const begin = hasOnlyEntries ? findEntries : revoke;
  const error = revoking.error ?? previewing.error;
  return (
    <section className="section" aria-labelledby="app-access">
      <h2 id="app-access">{words.apps.access}</h2>
      <p className="soft">
        {isOther
          ? words.apps.other.accessText(name)
          : hasOnlyEntries
            ? words.apps.entriesStay(name)
            : words.apps.accessText(name)}
      </p>
      {error && <ErrorNotice error={error} actions={{ retry: () => void begin() }} />}
      <div>
        <Button
          kind={hasOnlyEntries ? 'plain' : 'danger'}
          busy={revoking.busy || previewing.busy}
          onClick={() => void begin()}
        >
          {hasOnlyEntries ? words.apps.removeEntries : words.apps.revoke}
        </Button>
      </div>
      {appPreviews && (
        <PreviewDialog
          title={words.apps.previewEntries(name)}
          appPreviews={appPreviews}
          onClose={() => setAppPreviews(undefined)}
          onDone={done}
        />
      )}
    </section>
  );
}

interface OtherEntriesProps {
  readonly app: AppView;
  readonly onTakeOver: (entry: AppEntry) => void;
}

/** Other entries in the app's config file, read on request. */
function OtherEntries({ app: { id, lastChange }, onTakeOver }: OtherEntriesProps) {
  const inspection = useCall<IpcOutput<'app:readEntries'>>();
  const hasInspected = useRef(false);
  const inspect = (): void => {
    hasInspected.current = true;
    void inspection.run(() => postern.app.readEntries({ app: id }));
  };
  useEffect(() => {
    // The list may have changed.
    if (hasInspected.current) inspect();
  }, [lastChange?.id]);
  const { entries, unreadable = [], excludedBy = [] } = inspection.value ?? {};
  return (
    <section className="section" aria-labelledby="app-others">
      <h2 id="app-others">{words.apps.others}</h2>
      {!entries && <p className="soft">{words.apps.othersText}</p>}
      {inspection.error && (
        <ErrorNotice error={inspection.error} actions={{ retry: inspect, dismiss: inspection.clear }} />
      )}
      {entries?.length === 0 && unreadable.length === 0 && <p role="status">{words.apps.noOthers}</p>}
      {entries && entries.length > 0 && (
        <ul className="app-list">
          {entries.map((entry) => (
            <OtherEntry key={entry.id} entry={entry} onTakeOver={() => onTakeOver(entry)} />
          ))}
        </ul>
      )}
      <UnreadableEntries entries={unreadable} />
      {excludedBy.map((each) => (
        <Notice key={each.name} tone="ask" title={words.apps.entryExcluded(each.name, each.setting)} />
      ))}
      {!entries && (
        <div>
          <Button busy={inspection.busy} onClick={inspect}>
            {words.apps.showServers}
          </Button>
        </div>
      )}
    </section>
  );
}

function OtherEntry({ entry, onTakeOver }: { readonly entry: AppEntry; readonly onTakeOver: () => void }) {
  const { id, name, project, kind, url, command, secrets, notes, connectedAs, headerNames, lacksCredential } = entry;
  const begin = useCall<IpcOutput<'connection:discover'>>();
  const listed = useListedCommand(id);
  const remarks = [
    project !== undefined && words.apps.ofProject(project),
    secrets.length > 0 && words.apps.withSecrets(secrets),
    ...notes.map((note) => words.connect.importNotes[note]),
    kind === 'local' && words.apps.isCommand,
    connectedAs !== undefined && words.apps.isConnected,
    connectedAs !== undefined &&
      headerNames !== undefined &&
      words.apps.keyOfConnected[lacksCredential ? 'moved' : 'existing'],
  ].filter(Boolean);
  const connect = async (): Promise<void> => {
    const options = {};
    const found = await begin.run(() => postern.connection.discover({ url: url ?? '', options, importEntry: id }));
    if (found) show({ name: 'connect', connectionId: found.id });
  };
  return (
    <li className="app-entry">
      <div>
        <p className="app-name">{name}</p>
        <p className={`${url === undefined ? 'mono' : 'address'} soft small`}>{url ?? command}</p>
        {remarks.length > 0 && <p className="soft small">{remarks.join(' · ')}</p>}
        {begin.error && <ErrorNotice error={begin.error} />}
        {listed.error && <ErrorNotice error={listed.error} />}
      </div>
      {kind === 'remote' && connectedAs === undefined && (
        <Button aria-label={`${words.apps.import}: ${name}`} busy={begin.busy} onClick={() => void connect()}>
          {words.apps.import}
        </Button>
      )}
      {kind === 'local' &&
        connectedAs === undefined &&
        !notes.includes('command-unusable') &&
        !notes.includes('command-empty') && (
          <Button
            aria-label={`${words.local.reviewCommand}: ${name}`}
            busy={listed.busy}
            onClick={() => void listed.open()}
          >
            {words.local.reviewCommand}
          </Button>
        )}
      {connectedAs !== undefined && project === undefined && (
        <Button aria-label={`${words.apps.takeOver} ${name}`} onClick={onTakeOver}>
          {words.apps.takeOver}
        </Button>
      )}
    </li>
  );
}
