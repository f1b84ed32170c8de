import type { CallbackHost, ClientAuthenticationMethod, PkcePolicy, WindowSurface } from '../../shared/choices.ts';
import type { ChosenOptions } from '../../shared/connection-view.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { givenEndpoints, noEndpoints } from '../credentials/credential-values.ts';
import type { TypedEndpoints } from '../credentials/credential-values.ts';

/** What the settings of a server let a person choose; `null`: none of its own. */
export interface SettingsChoices {
  readonly name: string;
  readonly signInSurface: WindowSurface | null;
  readonly callbackHost: CallbackHost | null;
  readonly scope: string;
  readonly pkce: PkcePolicy;
  readonly sendResource: boolean;
  readonly pushRequests: boolean;
  readonly legacyEndpoints: boolean;
  readonly endpoints: TypedEndpoints;
  readonly local: boolean;
  readonly allowHttp: boolean;
}

/** Only what was touched: everything else stays as main says it is, also when that changes meanwhile. */
export type SettingsDraft = Partial<SettingsChoices>;

/** Those that are in sight without *Advanced*. */
const first: readonly (keyof SettingsChoices)[] = ['name', 'signInSurface'];

export function choicesOf({ name, options }: IntegrationView): SettingsChoices {
  return {
    name,
    signInSurface: options.signInSurface ?? null,
    callbackHost: options.callbackHost ?? null,
    scope: options.scope ?? '',
    pkce: options.pkce,
    sendResource: options.sendResource,
    pushRequests: options.pushRequests === true,
    legacyEndpoints: options.legacyEndpoints,
    endpoints: options.endpoints ?? noEndpoints,
    local: options.local,
    allowHttp: options.allowHttp,
  };
}

/** The choices that would be other ones if the draft were saved. */
export function changedChoices(integration: IntegrationView, draft: SettingsDraft): readonly (keyof SettingsChoices)[] {
  const saved = choicesOf(integration);
  const now = { ...saved, ...draft };
  return (Object.keys(saved) as (keyof SettingsChoices)[]).filter((name) => plain(now[name]) !== plain(saved[name]));
}

export const isAdvanced = (name: keyof SettingsChoices): boolean => !first.includes(name);

/** For main, which leaves what is not named as it is. */
export function changesToSave(
  integration: IntegrationView,
  draft: SettingsDraft,
): { readonly id: string; readonly name?: string; readonly options?: ChosenOptions } {
  const changed = new Set(changedChoices(integration, draft));
  const { name, endpoints, ...others } = { ...choicesOf(integration), ...draft };
  const given: ChosenOptions = { ...others, endpoints: givenEndpoints(endpoints) };
  const options = Object.fromEntries(
    Object.entries(given).filter(([option]) => changed.has(option as keyof SettingsChoices)),
  );
  return {
    id: integration.id,
    ...(changed.has('name') && { name: name.trim() }),
    ...(Object.keys(options).length > 0 && { options }),
  };
}

/** What was touched after `saved` was sent. */
export function touchedSince(draft: SettingsDraft, saved: SettingsDraft): SettingsDraft {
  return Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => value !== saved[name as keyof SettingsDraft]),
  );
}

/** As it would be sent: spaces around what was typed change nothing. */
function plain(value: SettingsChoices[keyof SettingsChoices]): string | boolean | null {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'object' && value !== null ? JSON.stringify(givenEndpoints(value)) : value;
}

/** Another app at the service, as it is typed; main has it once it is saved. */
export interface TypedApp {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly keepSecret: boolean;
  readonly clientAuthentication: ClientAuthenticationMethod | 'auto';
  readonly secretEnds: string;
}

export const noApp: TypedApp = {
  clientId: '',
  clientSecret: '',
  keepSecret: false,
  clientAuthentication: 'auto',
  secretEnds: '',
};

export const isTyped = (app: TypedApp): boolean => `${app.clientId}${app.clientSecret}${app.secretEnds}`.trim() !== '';
