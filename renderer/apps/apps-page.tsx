import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { AppPreviews, AppView } from '../../shared/app-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { sortIntegrations } from '../integrations/arrange-rows.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Choice, Field, TextInput } from '../components/field.tsx';
import { RadioChoice } from '../components/radio-choice.tsx';
import { ServiceIcon } from '../components/service-icon.tsx';
import { postern, useCall } from '../postern.ts';
import { useServerCounts, useSnapshots } from '../store.ts';
import { forget, useRetainedState } from '../use-retained-state.ts';
import { flash, show } from '../view.ts';
import { useNow, words } from '../words.ts';
import { CollectionsSection } from './collections-section.tsx';
import { describeApp, PreviewDialog } from './preview-dialog.tsx';
import './apps.css';
import { DetectedApps } from './app-selection.tsx';
import { MissedApprovals } from './approval-dialogs.tsx';

/** Every detected app with what it may use. */
export function AppsPage() {
  const integrations = useSnapshots((state) => state.integrations) ?? [];
  const [isAdding, setAdding] = useState(false);
  return (
    <div className="page">
      <h1>{words.apps.title}</h1>
      <p className="soft">{words.apps.intro}</p>
      <MissedApprovals />
      <DetectedApps>{(apps) => <AppList apps={apps} />}</DetectedApps>
      {integrations.length > 0 && (
        <>
          <div>
            <Button onClick={() => setAdding(true)}>{words.apps.other.add}</Button>
          </div>
          <CollectionsSection />
        </>
      )}
      {isAdding && <OtherAppDialog integrations={sortIntegrations(integrations)} onClose={() => setAdding(false)} />}
    </div>
  );
}

interface OtherAppDialogProps {
  /** At least one. */
  readonly integrations: readonly IntegrationView[];
  readonly onClose: () => void;
}

interface OtherAppDraft {
  readonly name: string;
  readonly integration?: string;
  readonly method: 'command' | 'address';
}

const stateKey = 'other app';
const emptyDraft: OtherAppDraft = { name: '', method: 'command' };

/** An app that Postern does not know: its name, one server, and the lines to paste. */
function OtherAppDialog({ integrations, onClose }: OtherAppDialogProps) {
  const texts = words.apps.other;
  const [entered, setEntered] = useRetainedState('page', stateKey, emptyDraft);
  const { name, method } = entered;
  const integration = (integrations.find(({ id }) => id === entered.integration) ?? integrations[0])?.id ?? '';
  const [appPreviews, setAppPreviews] = useState<AppPreviews>();
  const preview = useCall<AppPreviews>();
  const close = (): void => {
    forget('page', stateKey);
    onClose();
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const input = { name: name.trim(), integration, isHttp: method === 'address' };
    setAppPreviews(await preview.run(() => postern.app.previewOther(input)));
  };
  const server = integrations.find(({ id }) => id === integration)?.name ?? '';
  if (appPreviews)
    return (
      <PreviewDialog
        title={words.apps.previewOf([name.trim()], true, server)}
        appPreviews={appPreviews}
        onClose={onClose}
        onDone={({ made: [made] }) => {
          close();
          if (!made) return;
          // Navigation clears flash messages, so flash afterwards.
          show({ name: 'app', id: made.app });
          flash(() => [words.apps.other.added(made.name)]);
        }}
      />
    );
  return (
    <Dialog
      open
      title={texts.title}
      description={texts.text}
      onClose={onClose}
      footer={
        <>
          <Button onClick={close}>{words.common.cancel}</Button>
          <Button kind="primary" type="submit" form="other-app" busy={preview.busy} disabled={name.trim() === ''}>
            {texts.showLines}
          </Button>
        </>
      }
    >
      <form id="other-app" className="stack" onSubmit={(event) => void submit(event)}>
        <Field label={texts.name} hint={texts.nameHint}>
          {(control) => (
            <TextInput
              {...control}
              value={name}
              maxLength={80}
              onChange={(event) => setEntered({ ...entered, name: event.target.value })}
            />
          )}
        </Field>
        <Field label={texts.server}>
          {(control) => (
            <Choice
              {...control}
              value={integration}
              options={integrations.map((each) => ({ value: each.id, label: each.name }))}
              onChoose={(id) => setEntered({ ...entered, integration: id })}
            />
          )}
        </Field>
        <RadioChoice
          label={texts.connection}
          value={method}
          options={[
            { value: 'command', label: texts.command, hint: texts.commandHint },
            { value: 'address', label: texts.address, hint: texts.addressHint },
          ]}
          onChoose={(chosen) => setEntered({ ...entered, method: chosen })}
        />
        {preview.error && <ErrorNotice error={preview.error} actions={{ dismiss: preview.clear }} />}
      </form>
    </Dialog>
  );
}

/** Apps with their status; a click opens the app's page. */
function AppList({ apps }: { readonly apps: readonly AppView[] }) {
  const countsOf = useServerCounts();
  const now = useNow(60_000);
  return (
    <ul className="app-list">
      {apps.map((app) => (
        <li key={app.id}>
          <button type="button" className="app-row" onClick={() => show({ name: 'app', id: app.id })}>
            <ServiceIcon name={app.name} brand={{ app: app.id }} size="small" />
            <span className="app-name">{app.name}</span>
            <span className="app-state">{describeApp(app, countsOf(app), now)}</span>
            <ChevronRight aria-hidden="true" size={15} />
          </button>
        </li>
      ))}
    </ul>
  );
}
