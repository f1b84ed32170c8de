import { useState } from 'react';
import type { FormEvent } from 'react';
import type { AppView } from '../../shared/app-view.ts';
import { officialRegistry } from '../../shared/choices.ts';
import { readRegistryAddress } from '../../shared/registry-address.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { Field } from '../parts/field.tsx';
import { placeOfAddress } from '../parts/place-of-address.ts';
import { TextInput } from '../parts/text-input.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { Setting } from './setting.tsx';

/** Whether the MCP registry may be searched, and which one. */
export function RegistrySection({ app }: { readonly app: AppView }) {
  const { searchesRegistry, registry } = app.settings;
  const call = useCall<null>();
  const own = words.registry;
  return (
    <section className="section" aria-labelledby="settings-registry-title">
      <h2 id="settings-registry-title">{own.title}</h2>
      <Setting name={own.setting} flush>
        <CheckBox
          checked={searchesRegistry}
          onChange={(isOn) => void call.run(() => postern.settings.update({ searchesRegistry: isOn }))}
          label={own.choose}
          hint={own.sends(placeOfAddress(registry, ''))}
        />
      </Setting>
      <Setting name={own.address}>
        <RegistryAddressForm key={registry} registry={registry} />
      </Setting>
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </section>
  );
}

function RegistryAddressForm({ registry }: { readonly registry: string }) {
  const [text, setText] = useState(registry);
  const [tried, setTried] = useState<string>();
  const call = useCall<null>();
  const own = words.registry;
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const { address } = readRegistryAddress(text);
    setTried(text);
    if (address !== undefined) void call.run(() => postern.settings.update({ registry: address }));
  };
  const { refused } = readRegistryAddress(tried ?? registry);
  const why = refused
    ? own.refused[refused]
    : call.error && `${words.errors.message(call.error)} ${words.errors.nextStep(call.error.remedy)}`;
  return (
    <form onSubmit={save}>
      <Field
        label={<span className="hidden">{own.address}</span>}
        hint={own.addressHint}
        // It was said of what was tried.
        error={tried === undefined || text === tried ? why : undefined}
      >
        {(control) => (
          <div className="row">
            <TextInput
              {...control}
              className="origin-input"
              inputMode="url"
              maxLength={2_048}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
            <Button type="submit" busy={call.busy} disabled={text.trim() === registry}>
              {words.common.save}
            </Button>
            {registry !== officialRegistry && (
              <Button
                kind="quiet"
                disabled={call.busy}
                onClick={() => void call.run(() => postern.settings.update({ registry: null }))}
              >
                {own.official}
              </Button>
            )}
          </div>
        )}
      </Field>
    </form>
  );
}
