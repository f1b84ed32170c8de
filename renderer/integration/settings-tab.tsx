import { useState } from 'react';
import type { FormEvent } from 'react';
import { callbackHosts, windowSurfaces } from '../../shared/choices.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import {
  ClientAuthenticationField,
  EndpointFields,
  ClientCredentialFields,
  PkceField,
  SecretExpiryField,
} from '../credentials/credential-fields.tsx';
import { findEndpointMistakes, endpointsOrNull, secretExpiry } from '../credentials/credential-values.ts';
import type { EndpointMistakes } from '../credentials/credential-values.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../components/button.tsx';
import { CheckBox } from '../components/check-box.tsx';
import { Disclosure } from '../components/disclosure.tsx';
import { Choice, Field, TextInput } from '../components/field.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { words } from '../words.ts';
import {
  changedChoices,
  changesToSave,
  choicesOf,
  isAdvanced,
  isTyped,
  noOAuthApp,
  touchedSince,
} from './settings-draft.ts';
import type { SettingsChoices, SettingsDraft, TypedOAuthApp } from './settings-draft.ts';

interface SettingsTabProps {
  readonly integration: IntegrationView;
  /** Unsaved changes, held by the page so they survive switching tabs and servers. */
  readonly draft: SettingsDraft;
  readonly onDraft: (change: SettingsDraft | ((before: SettingsDraft) => SettingsDraft)) => void;
  readonly oauthApp: TypedOAuthApp;
  readonly onOAuthApp: (oauthApp: TypedOAuthApp) => void;
  /** Opens the section that the user was sent to. */
  readonly openAdvanced: boolean;
}

/** Settings of one server; they apply to all later sign-ins. */
export function SettingsTab({ integration, draft, onDraft, oauthApp, onOAuthApp, openAdvanced }: SettingsTabProps) {
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
      {signsIn && <CredentialsSettings id={id} oauthApp={oauthApp} onOAuthApp={onOAuthApp} isOpen={openAdvanced} />}
    </div>
  );
}

/** No value of its own: follow the app settings. */
const usualChoice = 'usual' as const;

interface SignInSettingsProps {
  readonly choices: SettingsChoices;
  readonly onChange: (change: SettingsDraft) => void;
}

function SurfaceChoice({ choices, onChange }: SignInSettingsProps) {
  const usual = useSnapshots((state) => state.desktop?.settings.signInSurface ?? 'popup');
  return (
    <Field label={words.integration.surface}>
      {(control) => (
        <Choice
          {...control}
          value={choices.signInSurface ?? usualChoice}
          options={[
            { value: usualChoice, label: words.integration.sameAsSettings(words.settings.surfaces[usual]) },
            ...windowSurfaces.map((value) => ({ value, label: words.settings.surfaces[value] })),
          ]}
          onChoose={(value) => onChange({ signInSurface: value === usualChoice ? null : value })}
        />
      )}
    </Field>
  );
}

interface AdvancedProps extends SignInSettingsProps {
  readonly mistakes: EndpointMistakes | undefined;
}

/** Sign-in options, for services that leave a choice. */
function AdvancedSignInSettings({ choices, onChange, mistakes }: AdvancedProps) {
  const usualHost = useSnapshots((state) => state.desktop?.settings.callbackHost ?? '127.0.0.1');
  const { endpoints } = choices;
  return (
    <>
      <Field label={words.integration.callbackHost} hint={words.integration.callbackHostHint}>
        {(control) => (
          <Choice
            {...control}
            value={choices.callbackHost ?? usualChoice}
            options={[
              { value: usualChoice, label: words.integration.sameAsSettings(usualHost) },
              ...callbackHosts.map((value) => ({ value, label: value })),
            ]}
            onChoose={(value) => onChange({ callbackHost: value === usualChoice ? null : value })}
          />
        )}
      </Field>
      <Field label={words.integration.scope} hint={words.integration.scopeHint}>
        {(control) => (
          <TextInput
            {...control}
            mono
            maxLength={8_192}
            value={choices.scope}
            onChange={(event) => onChange({ scope: event.target.value })}
          />
        )}
      </Field>
      <PkceField label={words.integration.pkce} value={choices.pkce} onChoose={(pkce) => onChange({ pkce })} />
      <CheckBox
        checked={choices.sendResource}
        onChange={(sendResource) => onChange({ sendResource })}
        label={words.integration.sendResource}
        hint={words.integration.sendResourceHint}
      />
      <CheckBox
        checked={choices.pushRequests}
        onChange={(pushRequests) => onChange({ pushRequests })}
        label={words.integration.pushRequests}
        hint={words.integration.pushRequestsHint}
      />
      <CheckBox
        checked={choices.legacyEndpoints}
        onChange={(legacyEndpoints) => onChange({ legacyEndpoints })}
        label={words.integration.legacy}
      />
      <Disclosure label={words.integration.endpoints} forceOpen={endpointsOrNull(endpoints) !== null}>
        <EndpointFields
          values={endpoints}
          onChange={(typed) => onChange({ endpoints: typed })}
          // Mistakes found when saving, as long as they remain.
          mistakes={mistakes && findEndpointMistakes(endpoints)}
          hint={words.endpoints.hint}
        />
      </Disclosure>
    </>
  );
}

interface CredentialsSettingsProps {
  readonly id: string;
  readonly oauthApp: TypedOAuthApp;
  readonly onOAuthApp: (oauthApp: TypedOAuthApp) => void;
  readonly isOpen: boolean;
}

/** Another OAuth app for the next sign-in, e.g. after the secret was rotated at the service (spec 7). */
function CredentialsSettings({ id, oauthApp, onOAuthApp, isOpen }: CredentialsSettingsProps) {
  const call = useCall<null>();
  const change = (part: Partial<TypedOAuthApp>): void => onOAuthApp({ ...oauthApp, ...part });
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const { clientId, clientSecret, clientAuthentication, secretEnds } = oauthApp;
    void call
      .run(() =>
        postern.integration.setCredentials({
          id,
          clientId: clientId.trim(),
          ...(clientSecret.trim() !== '' && { clientSecret: clientSecret.trim() }),
          ...(clientAuthentication !== 'auto' && { clientAuthentication }),
          ...secretExpiry(secretEnds),
        }),
      )
      // Drop the input once main has accepted it; keep it if main refused.
      .then((accepted) => accepted === null && onOAuthApp(noOAuthApp));
  };
  return (
    <Disclosure label={words.integration.credentialsTitle} forceOpen={isOpen || isTyped(oauthApp)}>
      <p className="soft">{words.integration.credentialsText}</p>
      <form className="form-narrow" onSubmit={save}>
        <ClientCredentialFields values={oauthApp} onChange={change} />
        <ClientAuthenticationField
          value={oauthApp.clientAuthentication}
          onChoose={(clientAuthentication) => change({ clientAuthentication })}
        />
        <SecretExpiryField value={oauthApp.secretEnds} onChange={(secretEnds) => change({ secretEnds })} />
        {call.error && <ErrorNotice error={call.error} />}
        <div className="row">
          <Button type="submit" busy={call.busy} disabled={oauthApp.clientId.trim() === ''}>
            {words.integration.credentialsSave}
          </Button>
          <span className="soft small" role="status">
            {call.value === null && words.integration.credentialsSaved}
          </span>
        </div>
      </form>
    </Disclosure>
  );
}
