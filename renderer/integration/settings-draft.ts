import type { CallbackHost, ClientAuthenticationMethod, PkcePolicy, WindowSurface } from '../../shared/choices.ts';
import type { ChosenOptions } from '../../shared/connection-view.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { endpointsOrNull, noEndpoints } from '../credentials/credential-values.ts';
import type { TypedEndpoints } from '../credentials/credential-values.ts';

/** A server's settings as shown in the form; `null`: use the default. */
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

/** Only fields the user has touched. All others follow main, even if they change meanwhile. */
export type SettingsDraft = Partial<SettingsChoices>;

/** Visible without opening *Advanced*. */
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

/** Settings that saving the draft would change. */
export function changedChoices(integration: IntegrationView, draft: SettingsDraft): readonly (keyof SettingsChoices)[] {
  const saved = choicesOf(integration);
  const now = { ...saved, ...draft };
  return (Object.keys(saved) as (keyof SettingsChoices)[]).filter((name) => plain(now[name]) !== plain(saved[name]));
}

export const isAdvanced = (name: keyof SettingsChoices): boolean => !first.includes(name);

/** Input for main, which leaves everything else unchanged. */
export function changesToSave(
  integration: IntegrationView,
  draft: SettingsDraft,
): { readonly id: string; readonly name?: string; readonly options?: ChosenOptions } {
  const changed = new Set(changedChoices(integration, draft));
  const { name, endpoints, ...others } = { ...choicesOf(integration), ...draft };
  const chosenOptions: ChosenOptions = { ...others, endpoints: endpointsOrNull(endpoints) };
  const options = Object.fromEntries(
    Object.entries(chosenOptions).filter(([option]) => changed.has(option as keyof SettingsChoices)),
  );
  return {
    id: integration.id,
    ...(changed.has('name') && { name: name.trim() }),
    ...(Object.keys(options).length > 0 && { options }),
  };
}

/** Fields touched after `saved` was sent. */
export function touchedSince(draft: SettingsDraft, saved: SettingsDraft): SettingsDraft {
  return Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => value !== saved[name as keyof SettingsDraft]),
  );
}

/** As it would be sent: surrounding spaces do not count as a change. */
function plain(value: SettingsChoices[keyof SettingsChoices]): string | boolean | null {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'object' && value !== null ? JSON.stringify(endpointsOrNull(value)) : value;
}

/** Another OAuth app as entered; handed to main when saved. */
export interface TypedOAuthApp {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly keepSecret: boolean;
  readonly clientAuthentication: ClientAuthenticationMethod | 'auto';
  readonly secretEnds: string;
}

export const noOAuthApp: TypedOAuthApp = {
  clientId: '',
  clientSecret: '',
  keepSecret: false,
  clientAuthentication: 'auto',
  secretEnds: '',
};

export const isTyped = (oauthApp: TypedOAuthApp): boolean =>
  `${oauthApp.clientId}${oauthApp.clientSecret}${oauthApp.secretEnds}`.trim() !== '';
