import type { AppView } from '../../shared/app-view.ts';
import { officialRegistry } from '../../shared/choices.ts';
import { readRegistryAddress } from '../../shared/registry-address.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { placeOfAddress } from '../parts/place-of-address.ts';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { AddressSettingForm } from './address-setting-form.tsx';
import { Setting } from './setting.tsx';

/** Whether the MCP registry may be searched, and which one. */
export function RegistrySection({ app }: { readonly app: AppView }) {
  const { searchesRegistry, registry } = app.settings;
  const call = useCall<null>();
  const own = words.registry;
  return (
    <section className="section" id="settings-registry" tabIndex={-1} aria-labelledby="settings-registry-title">
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
        <RegistryAddressForm registry={registry} />
      </Setting>
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </section>
  );
}

function RegistryAddressForm({ registry }: { readonly registry: string }) {
  const own = words.registry;
  const read = (text: string) => {
    const { address, refused } = readRegistryAddress(text);
    return { address, why: refused && own.refused[refused] };
  };
  return (
    <AddressSettingForm
      label={own.address}
      hint={own.addressHint}
      setting="registry"
      value={registry}
      maxLength={2_048}
      read={read}
      reset={registry === officialRegistry ? undefined : own.official}
    />
  );
}
