import { canConnectOverHttp } from '../../shared/app-record.ts';
import type { SettingName } from '../../shared/settings.ts';
import type { AppReader } from '../apps/app-dependencies.ts';
import { openRegistry } from '../engine/registry-search.ts';
import type { IntegrationStore } from '../ports.ts';
import type { SettingsFile } from '../window-ports.ts';
import { knownApp } from './apps.ts';
import type { OperationInput, OperationOutput, Surface } from './operation.ts';

/** `null`: reset to the default. A page cannot name a certificate file: its window asks for one in a dialog. */
export type SettingsToStore = Omit<OperationInput<'settings:update'>, 'certificateFile'> & {
  readonly certificateFile?: string | null | undefined;
};

interface Scope extends Pick<Surface, 'changed'> {
  readonly ports: { readonly store: Pick<IntegrationStore, 'updateSettings' | 'resetSetting'> };
  readonly apps: Pick<AppReader, 'records'>;
  /** Errors: CERTIFICATE_FILE_INVALID if the file has no readable certificate. */
  readonly checkCertificateFile: (file: string) => void;
  /** Applies a change to the running surface. Errors: CFG_*. */
  readonly applySettings: (change: SettingsToStore) => void;
}

/**
 * Changes settings. The whole change is checked before any of it is stored. Errors: CERTIFICATE_FILE_INVALID, URL_* and
 * HOST_BLOCKED for a registry, APP_NOT_FOUND as `UnknownApp`, CFG_*.
 */
export async function changeSettings(
  { ports: { store }, apps, checkCertificateFile, applySettings, changed }: Scope,
  change: SettingsToStore,
): Promise<OperationOutput<'settings:update'>> {
  const { startAtLogin: _startAtLogin, ...stored } = change;
  const { registry, certificateFile, pausedApps } = stored;
  if (typeof registry === 'string') openRegistry(registry);
  if (typeof certificateFile === 'string') checkCertificateFile(certificateFile);
  for (const id of pausedApps ?? []) await knownApp(apps, id);
  const changes = Object.entries(stored).filter(([, value]) => value !== undefined);
  const values = changes.filter(([, value]) => value !== null);
  if (values.length > 0) await store.updateSettings((settings) => ({ ...settings, ...Object.fromEntries(values) }));
  for (const [name, value] of changes) if (value === null) await store.resetSetting(name as SettingName);
  applySettings(change);
  await changed('desktop');
  return null;
}

interface PortScope extends Pick<Surface, 'changed'> {
  readonly ports: { readonly store: Pick<IntegrationStore, 'updateSettings' | 'resetSetting'> };
  readonly apps: Pick<AppReader, 'records'>;
  /** Returns a free port for apps over HTTP. Errors: GATEWAY_PORT. */
  readonly freePort: () => Promise<number>;
}

/**
 * The port to store. Null lets Postern choose one when an app needs it: at once if an app has such an entry. Errors:
 * GATEWAY_PORT, CFG_*.
 */
export async function gatewayPortFor(
  { apps, freePort }: Pick<PortScope, 'apps' | 'freePort'>,
  requested: number | null,
): Promise<number | null> {
  if (requested !== null || !(await apps.records.list()).some(canConnectOverHttp)) return requested;
  return await freePort();
}

/**
 * Stores the port of `gatewayPortFor`, then updates the entries that contain it. The port comes first: a failed
 * update can be repeated, but entries for a port that was not stored would stop working. `updateEntries`: makes the
 * changes that the user was shown and returns their outcome. Errors: CFG_*, those of `updateEntries`.
 */
export async function changeGatewayPort<Result>(
  { ports: { store }, changed }: Pick<PortScope, 'ports' | 'changed'>,
  port: number | null,
  updateEntries: () => Promise<Result>,
): Promise<Result> {
  if (port === null) await store.resetSetting('gatewayPort');
  else await store.updateSettings((settings) => ({ ...settings, gatewayPort: port }));
  try {
    return await updateEntries();
  } finally {
    await changed('desktop', 'apps');
  }
}

/**
 * Restores the last version that Postern wrote of an unusable settings file. Null: the file is usable. Errors: CFG_*.
 */
export async function restoreSettings(
  { settingsFile, changed }: Pick<Surface, 'changed'> & { readonly settingsFile: Pick<SettingsFile, 'restore'> },
  _input: OperationInput<'settings:restore'>,
): Promise<OperationOutput<'settings:restore'>> {
  const restored = await settingsFile.restore();
  await changed('desktop', 'integrations');
  return restored ?? null;
}

export const settingsOperations = {
  'settings:restore': restoreSettings,
  'settings:update': changeSettings,
} as const;
