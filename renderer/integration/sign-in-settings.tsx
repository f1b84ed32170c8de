import { callbackHosts, pkcePolicies, windowSurfaces } from '../../shared/choices.ts';
import { EndpointFields } from '../credentials/endpoint-fields.tsx';
import { findEndpointMistakes, givenEndpoints } from '../credentials/typed-endpoints.ts';
import type { EndpointMistakes } from '../credentials/typed-endpoints.ts';
import { CheckBox } from '../parts/check-box.tsx';
import { Choice } from '../parts/choice.tsx';
import { Disclosure } from '../parts/disclosure.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { useSnapshots } from '../store.ts';
import { words } from '../words.ts';
import type { SettingsChoices, SettingsDraft } from './settings-draft.ts';

/** No choice of its own: as in the settings of the program. */
const usualChoice = 'usual' as const;

interface SignInSettingsProps {
  readonly choices: SettingsChoices;
  readonly onChange: (change: SettingsDraft) => void;
}

export function SurfaceChoice({ choices, onChange }: SignInSettingsProps) {
  const usual = useSnapshots((state) => state.app?.settings.signInSurface ?? 'popup');
  return (
    <Field label={words.integration.surface}>
      {(control) => (
        <Choice
          {...control}
          value={choices.signInSurface ?? usualChoice}
          options={[
            { value: usualChoice, label: words.integration.surfaceUsual(words.settings.surfaces[usual]) },
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

/** How to sign in to this server, for people whose service leaves a choice. */
export function AdvancedSignInSettings({ choices, onChange, mistakes }: AdvancedProps) {
  const usualHost = useSnapshots((state) => state.app?.settings.callbackHost ?? '127.0.0.1');
  const { endpoints } = choices;
  return (
    <>
      <Field label={words.integration.callbackHost} hint={words.integration.callbackHostHint}>
        {(control) => (
          <Choice
            {...control}
            value={choices.callbackHost ?? usualChoice}
            options={[
              { value: usualChoice, label: words.integration.surfaceUsual(usualHost) },
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
      <Field label={words.integration.pkce}>
        {(control) => (
          <Choice
            {...control}
            value={choices.pkce}
            options={pkcePolicies.map((value) => ({ value, label: words.credentials.pkcePolicy[value] }))}
            onChoose={(pkce) => onChange({ pkce })}
          />
        )}
      </Field>
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
      <Disclosure label={words.integration.endpoints} forceOpen={givenEndpoints(endpoints) !== null}>
        <EndpointFields
          values={endpoints}
          onChange={(typed) => onChange({ endpoints: typed })}
          // What was wrong when it was saved, as long as it still is.
          mistakes={mistakes && findEndpointMistakes(endpoints)}
          hint={words.endpoints.hint}
        />
      </Disclosure>
    </>
  );
}
