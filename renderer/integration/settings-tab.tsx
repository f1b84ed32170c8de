import { useState } from 'react';
import type { FormEvent } from 'react';
import { pkcePolicies } from '../../shared/integration.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { show } from '../view.ts';
import { words } from '../words.ts';
import { CredentialsSettings } from './credentials-settings.tsx';

/** What the person chose for this server; each holds for every later sign-in. */
export function SettingsTab({ integration }: { readonly integration: IntegrationView }) {
  const { id, method } = integration;
  const [name, setName] = useState(integration.name);
  const [options, setOptions] = useState(integration.options);
  const call = useCall<null>();
  const save = (event: FormEvent): void => {
    event.preventDefault();
    void call.run(() => postern.integration.update({ id, name: name.trim(), options }));
  };
  const signsIn = method !== 'NoAuth';
  return (
    <div className="measure settings-tab">
      <form className="form-narrow" onSubmit={save} onChange={call.clear}>
        <Field label={words.integration.name}>
          {(control) => (
            <TextInput
              {...control}
              required
              maxLength={80}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        {signsIn && (
          <>
            <Field label={words.integration.scope} hint={words.integration.scopeHint}>
              {(control) => (
                <TextInput
                  {...control}
                  mono
                  maxLength={8_192}
                  value={options.scope ?? ''}
                  onChange={(event) => setOptions({ ...options, scope: event.target.value })}
                />
              )}
            </Field>
            <Field label={words.integration.pkce}>
              {(control) => (
                <Choice
                  {...control}
                  value={options.pkce}
                  options={pkcePolicies.map((value) => ({ value, label: words.credentials.pkcePolicy[value] }))}
                  onChoose={(pkce) => setOptions({ ...options, pkce })}
                />
              )}
            </Field>
            <CheckBox
              checked={options.sendResource}
              onChange={(sendResource) => setOptions({ ...options, sendResource })}
              label={words.integration.sendResource}
              hint={words.integration.sendResourceHint}
            />
            <CheckBox
              checked={options.legacyEndpoints}
              onChange={(legacyEndpoints) => setOptions({ ...options, legacyEndpoints })}
              label={words.integration.legacy}
            />
          </>
        )}
        <CheckBox
          checked={options.local}
          onChange={(local) => setOptions({ ...options, local })}
          label={words.integration.local}
          hint={words.integration.localHint}
        />
        {options.local && (
          <CheckBox
            checked={options.allowHttp}
            onChange={(allowHttp) => setOptions({ ...options, allowHttp })}
            label={words.integration.allowHttp}
          />
        )}
        {call.error && <ErrorNotice error={call.error} />}
        <div className="row">
          <Button type="submit" kind="primary" busy={call.busy} disabled={name.trim() === ''}>
            {words.common.save}
          </Button>
          <span className="soft small" role="status">
            {call.value === null ? words.integration.saved : signsIn && words.integration.forNextSignIn}
          </span>
        </div>
      </form>
      {signsIn && (
        <>
          <CredentialsSettings id={id} />
          <section className="section">
            <h2>{words.integration.surface}</h2>
            <div className="row">
              <span className="soft">{words.integration.surfaceText}</span>
              <Button kind="quiet" onClick={() => show({ name: 'settings' })}>
                {words.integration.surfaceLink}
              </Button>
            </div>
          </section>
        </>
      )}
    </div>
  );
}
