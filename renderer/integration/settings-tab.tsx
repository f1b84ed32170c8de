import { useState } from 'react';
import type { FormEvent } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { findEndpointMistakes } from '../credentials/typed-endpoints.ts';
import type { EndpointMistakes } from '../credentials/typed-endpoints.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { Disclosure } from '../parts/disclosure.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { CredentialsSettings } from './credentials-settings.tsx';
import { changedChoices, changesToSave, choicesOf, isAdvanced, touchedSince } from './settings-draft.ts';
import type { SettingsDraft, TypedApp } from './settings-draft.ts';
import { AdvancedSignInSettings, SurfaceChoice } from './sign-in-settings.tsx';

interface SettingsTabProps {
  readonly integration: IntegrationView;
  /** What was changed and not saved; kept by the page, whichever tab or server is looked at. */
  readonly draft: SettingsDraft;
  readonly onDraft: (change: SettingsDraft | ((before: SettingsDraft) => SettingsDraft)) => void;
  readonly app: TypedApp;
  readonly onApp: (app: TypedApp) => void;
  /** The person was led to something that does not stand in sight. */
  readonly openAdvanced: boolean;
}

/** What the person chose for this server; each holds for every later sign-in. */
export function SettingsTab({ integration, draft, onDraft, app, onApp, openAdvanced }: SettingsTabProps) {
  const { id, method } = integration;
  const [mistakes, setMistakes] = useState<EndpointMistakes>();
  const call = useCall<null>();
  const signsIn = method !== 'NoAuth';
  const choices = { ...choicesOf(integration), ...draft };
  const changed = changedChoices(integration, draft);
  const change = (part: SettingsDraft): void => {
    call.clear();
    onDraft((before) => ({ ...before, ...part }));
  };
  const discard = (): void => {
    call.clear();
    setMistakes(undefined);
    onDraft({});
  };
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const found = signsIn ? findEndpointMistakes(choices.endpoints) : undefined;
    setMistakes(found);
    if (found) return;
    void call
      .run(() => postern.integration.update(changesToSave(integration, draft)))
      .then((done) => done === null && onDraft((now) => touchedSince(now, draft)));
  };
  return (
    <div className="measure settings-tab">
      <form className="form-narrow" onSubmit={save}>
        <Field id="server-name" label={words.integration.name}>
          {(control) => (
            <TextInput
              {...control}
              required
              maxLength={80}
              value={choices.name}
              onChange={(event) => change({ name: event.target.value })}
            />
          )}
        </Field>
        {signsIn && <SurfaceChoice choices={choices} onChange={change} />}
        <Disclosure
          label={words.integration.advanced}
          forceOpen={openAdvanced || mistakes !== undefined || changed.some(isAdvanced)}
        >
          {signsIn && <AdvancedSignInSettings choices={choices} onChange={change} mistakes={mistakes} />}
          <CheckBox
            checked={choices.local}
            onChange={(local) => change({ local })}
            label={words.integration.local}
            hint={words.integration.localHint}
          />
          {choices.local && (
            <CheckBox
              checked={choices.allowHttp}
              onChange={(allowHttp) => change({ allowHttp })}
              label={words.integration.allowHttp}
            />
          )}
        </Disclosure>
        {call.error && <ErrorNotice error={call.error} />}
        <div className="row">
          <Button
            type="submit"
            kind="primary"
            busy={call.busy}
            disabled={changed.length === 0 || choices.name.trim() === ''}
          >
            {words.common.save}
          </Button>
          {changed.length > 0 && !call.busy && (
            <Button kind="quiet" onClick={discard}>
              {words.integration.discard}
            </Button>
          )}
          <span className="soft small" role="status">
            {call.value === null ? words.integration.saved : signsIn && words.integration.forNextSignIn}
          </span>
        </div>
      </form>
      {signsIn && <CredentialsSettings id={id} app={app} onApp={onApp} isOpen={openAdvanced} />}
    </div>
  );
}
