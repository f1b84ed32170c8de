import { comesOverHttp } from '../../shared/program-record.ts';
import type { SettingName } from '../../shared/settings.ts';
import type { ProgramsHere } from '../apps/program-engine.ts';
import { openRegistry } from '../engine/registry-search.ts';
import type { IntegrationStore } from '../ports.ts';
import type { SettingsFile } from '../window-ports.ts';
import { knownApp } from './apps.ts';
import type { OperationInput, OperationOutput, Surface } from './operation.ts';

/** `null`: back to the default. A page names no file of certificates: its window asks for one in a dialog. */
export type SettingsToStore = Omit<OperationInput<'settings:update'>, 'certificateFile'> & {
  readonly certificateFile?: string | null | undefined;
};

interface Scope extends Pick<Surface, 'changed'> {
  readonly ports: { readonly store: Pick<IntegrationStore, 'updateSettings' | 'resetSetting'> };
  readonly programs: Pick<ProgramsHere, 'records'>;
  /** Errors: CERTIFICATE_FILE_INVALID where nothing in it is a certificate that can be read. */
  readonly checkCertificateFile: (file: string) => void;
  /** What holds at once for the surface itself. Errors: CFG_*. */
  readonly applySettings: (change: SettingsToStore) => void;
}

/**
 * Changes settings; all of a change is checked before any of it is stored. Errors: CERTIFICATE_FILE_INVALID, URL_* and HOST_BLOCKED for a registry,
 * PROGRAM_NOT_FOUND as `UnknownApp`, CFG_*.
 */
export async function changeSettings(
  { ports: { store }, programs, checkCertificateFile, applySettings, changed }: Scope,
  change: SettingsToStore,
): Promise<OperationOutput<'settings:update'>> {
  const { startAtLogin: _ofTheSystem, ...stored } = change;
  const { registry, certificateFile, pausedPrograms } = stored;
  if (typeof registry === 'string') openRegistry(registry);
  if (typeof certificateFile === 'string') checkCertificateFile(certificateFile);
  for (const id of pausedPrograms ?? []) await knownApp(programs, id);
  const given = Object.entries(stored).filter(([, value]) => value !== undefined);
  const values = given.filter(([, value]) => value !== null);
  if (values.length > 0) await store.updateSettings((settings) => ({ ...settings, ...Object.fromEntries(values) }));
  for (const [name, value] of given) if (value === null) await store.resetSetting(name as SettingName);
  applySettings(change);
  await changed('app');
  return null;
}

interface PortScope extends Pick<Surface, 'changed'> {
  readonly ports: { readonly store: Pick<IntegrationStore, 'updateSettings' | 'resetSetting'> };
  readonly programs: Pick<ProgramsHere, 'records'>;
  /** One for apps over HTTP that nobody has. Errors: GATEWAY_PORT. */
  readonly freePort: () => Promise<number>;
}

/**
 * The port to change to. Null lets Postern choose one once an app needs it, which is now where one has such an entry.
 * Errors: GATEWAY_PORT, CFG_*.
 */
export async function gatewayPortFor(
  { programs, freePort }: Pick<PortScope, 'programs' | 'freePort'>,
  wanted: number | null,
): Promise<number | null> {
  if (wanted !== null || !(await programs.records.list()).some(comesOverHttp)) return wanted;
  return await freePort();
}

/**
 * Changes the port of apps over HTTP, as `gatewayPortFor` answered it, and then renews the entries that hold it. It is
 * stored first: what fails afterwards is renewed by doing the same again, and an entry for a port that was not stored
 * would lead nowhere. `renew`: as the user was shown; answers what became of it. Errors: CFG_*, those of `renew`.
 */
export async function changeGatewayPort<Renewed>(
  { ports: { store }, changed }: Pick<PortScope, 'ports' | 'changed'>,
  port: number | null,
  renew: () => Promise<Renewed>,
): Promise<Renewed> {
  if (port === null) await store.resetSetting('gatewayPort');
  else await store.updateSettings((settings) => ({ ...settings, gatewayPort: port }));
  try {
    return await renew();
  } finally {
    await changed('app', 'programs');
  }
}

/** Puts what Postern wrote last in the place of a file that cannot be used. Null: it can be. Errors: CFG_*. */
export async function restoreSettings(
  { settingsFile, changed }: Pick<Surface, 'changed'> & { readonly settingsFile: Pick<SettingsFile, 'restore'> },
  _input: OperationInput<'settings:restore'>,
): Promise<OperationOutput<'settings:restore'>> {
  const restored = await settingsFile.restore();
  await changed('app', 'integrations');
  return restored ?? null;
}

export const settingsOperations = {
  'settings:restore': restoreSettings,
  'settings:update': changeSettings,
} as const;
