import { useState } from 'react';
import type { FormEvent } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { findEndpointMistakes, givenEndpoints, noEndpoints } from '../credentials/typed-endpoints.ts';
import type { EndpointMistakes } from '../credentials/typed-endpoints.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { CredentialsSettings } from './credentials-settings.tsx';
import { SignInSettings } from './sign-in-settings.tsx';

/** What the person chose for this server; each holds for every later sign-in. */
export function SettingsTab({ integration }: { readonly integration: IntegrationView }) {
  const { id, method } = integration;
  const [name, setName] = useState(integration.name);
  const [options, setOptions] = useState(integration.options);
  const [endpoints, setEndpoints] = useState(options.endpoints ?? noEndpoints);
  const [mistakes, setMistakes] = useState<EndpointMistakes>();
  const call = useCall<null>();
  const signsIn = method !== 'NoAuth';
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const found = signsIn ? findEndpointMistakes(endpoints) : undefined;
    setMistakes(found);
    if (found) return;
    // What is not chosen any more has to be said: what is left out stays.
    const chosen = {
      ...options,
      endpoints: givenEndpoints(endpoints),
      signInSurface: options.signInSurface ?? null,
      callbackHost: options.callbackHost ?? null,
    };
    void call.run(() => postern.integration.update({ id, name: name.trim(), options: chosen }));
  };
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
          <SignInSettings
            options={options}
            onChange={setOptions}
            endpoints={endpoints}
            onEndpoints={setEndpoints}
            mistakes={mistakes}
          />
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
      {signsIn && <CredentialsSettings id={id} />}
    </div>
  );
}
