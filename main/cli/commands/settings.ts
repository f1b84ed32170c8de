import path from 'node:path';
import { readSettingWord, settingChoices, settingNames, settingOf, settingsSchema } from '../../../shared/settings.ts';
import type { RestoredSettings } from '../../../shared/desktop-view.ts';
import { dayOf, timeOfDay } from '../../../shared/error-catalog/catalog-entry.ts';
import type { SettingName, Settings } from '../../../shared/settings.ts';
import { findApp } from '../../apps/table/apps.ts';
import type { Profile } from '../../host/open-profile.ts';
import { freePort } from '../../net/endpoint/loopback-listener.ts';
import { requireCertificates } from '../../net/http/trusted-certificates.ts';
import { UnknownApp } from '../../operations/apps.ts';
import { changeGatewayPort, changeSettings, gatewayPortFor, restoreSettings } from '../../operations/settings.ts';
import type { SettingsToStore } from '../../operations/settings.ts';
import { openSettingsFile, settingsPath } from '../../storage/settings/settings-file.ts';
import { requireConfirmation, terminalSurface } from '../interaction/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { didYouMean, hasOption, UsageError } from '../options/parse-arguments.ts';
import { changeFields, describePreview } from '../output/describe-change.ts';
import type { CommandResult } from '../output/output.ts';
import { applyConfirmed, planPortChange } from '../apps/confirm-changes.ts';
import { openCommandApps } from '../apps/open-command-apps.ts';
import { alignColumns, printable, printableLine } from '../text.ts';

/** `postern settings [NAME [VALUE]]`: shows or changes settings. Errors: USAGE, CERTIFICATE_FILE_INVALID, CFG_*. */
export async function settings(context: CommandContext): Promise<CommandResult> {
  const { args } = context;
  const [word, value] = args.positionals;
  const name = word === undefined ? undefined : findName(word);
  const reset = hasOption(args, 'default');
  if (reset && (name === undefined || value !== undefined))
    throw new UsageError('--default needs the NAME of a setting, without a value.', 'settings');
  const change = name === undefined || value === undefined ? undefined : checkValue(name, value);
  if (name === 'gatewayPort' && reset) return await changePort(context, null);
  if (change?.gatewayPort !== undefined) return await changePort(context, change.gatewayPort);
  const profile = await context.openProfile();
  const { store, folder } = profile;
  if (hasOption(args, 'restore')) {
    const settingsFile = openSettingsFile(profile);
    return describeRestored(await restoreSettings({ ...terminalSurface(context), settingsFile }, {}));
  }
  if (change) await storeSettings(context, store, { ...change, gatewayPort: undefined });
  if (name !== undefined && reset) await storeSettings(context, store, { [name]: null });
  const stored = await store.settings();
  if (name === undefined) return describeAll(stored, settingsPath(folder));
  return {
    fields: { setting: describe(stored, name) },
    text: change || reset ? formatSetting(stored, name) : explain(stored, name),
  };
}

/** Errors: USAGE for an unknown app, those of `changeSettings`. */
async function storeSettings(
  context: CommandContext,
  store: Pick<Profile['store'], 'updateSettings' | 'resetSetting' | 'apps'>,
  change: SettingsToStore,
): Promise<void> {
  const scope = {
    ...terminalSurface(context),
    ports: { store },
    apps: { records: store.apps },
    checkCertificateFile: requireCertificates,
    applySettings: () => {},
  };
  await changeSettings(scope, change).catch((error: unknown) => {
    if (!(error instanceof UnknownApp)) throw error;
    throw new UsageError(`Unknown app “${printableLine(error.app, 40)}”.`, 'settings');
  });
}

/**
 * App entries contain the port, so they are updated too. `null`: the default. Errors: USAGE, USER_CANCELLED,
 * GATEWAY_PORT, CFG_*. The result has the error of the first file that could not be changed.
 */
async function changePort(context: CommandContext, requested: number | null): Promise<CommandResult> {
  const opened = await openCommandApps(context);
  const { engine, store } = opened;
  const port = await gatewayPortFor({ apps: engine, freePort }, requested);
  const needed = port === null ? [] : await planPortChange(context, opened, port);
  if (needed.length > 0)
    await requireConfirmation(context, {
      event: { changes: needed.map(({ planned }) => changeFields(planned)) },
      lines: needed.map(({ planned }) => describePreview(planned)),
    });
  const scope = { ...terminalSurface(context), ports: { store } };
  const renewed = await changeGatewayPort(scope, port, () => applyConfirmed(context, engine, needed));
  const stored = await store.settings();
  return {
    ...renewed,
    fields: { setting: describe(stored, 'gatewayPort'), ...(needed.length > 0 && renewed.fields) },
    text: [...(renewed.text === undefined ? [] : [renewed.text]), formatSetting(stored, 'gatewayPort')].join('\n'),
  };
}

/** Errors: USAGE. */
function findName(word: string): SettingName {
  const name = settingNames.find((each) => each.toLowerCase() === word.toLowerCase());
  if (name !== undefined) return name;
  const known = didYouMean(word, settingNames) || ` The settings are ${settingNames.join(', ')}.`;
  throw new UsageError(`Unknown setting “${printableLine(word, 40)}”.${known}`, 'settings');
}

/** Errors: USAGE with the possible values. */
function checkValue(name: SettingName, word: string): Partial<Settings> {
  const parsed = settingsSchema().safeParse({ [name]: readWord(name, word) });
  if (!parsed.success)
    throw new UsageError(
      `“${printableLine(word, 40)}” is not a valid ${name}. Possible values: ${valuesOf(name)}.${didYouMean(word, settingChoices(name) ?? [])}`,
      'settings',
    );
  return parsed.data;
}

function readWord(name: SettingName, word: string): unknown {
  switch (name) {
    case 'certificateFile':
      // `none` means not set. For a file of that name, type ./none.
      return word === 'none' || word === '' ? '' : path.resolve(word);
    case 'pausedApps':
      return word.split(',').map((each) => findApp(each)?.id ?? each.trim());
    default:
      return readSettingWord(name, word);
  }
}

const valuesOf = (name: SettingName): string => settingOf(name).values ?? settingChoices(name)?.join(', ') ?? '';

function defaultOf(name: SettingName): string {
  const { default: value, unset } = settingOf(name);
  return value === undefined ? (unset ?? '') : String(value);
}

function describe(stored: Settings, name: SettingName) {
  const { meaning } = settingOf(name);
  return { name, value: stored[name] ?? null, default: defaultOf(name), values: valuesOf(name), meaning };
}

function describeAll(stored: Settings, file: string): CommandResult {
  const rows = settingNames.map((name) => [name, valueOf(stored, name), settingOf(name).meaning]);
  return {
    fields: { settings: settingNames.map((name) => describe(stored, name)), file },
    text: `${alignColumns([['NAME', 'VALUE', 'MEANING'], ...rows])}\n\nFile  ${printable(file)}`,
  };
}

function explain(stored: Settings, name: SettingName): string {
  return `${formatSetting(stored, name)}\n${settingOf(name).meaning}.\nPossible values: ${valuesOf(name)}. Default: ${defaultOf(name)}.`;
}

function formatSetting(stored: Settings, name: SettingName): string {
  return `${name}  ${valueOf(stored, name)}`;
}

function valueOf(stored: Settings, name: SettingName): string {
  const value = stored[name];
  return value === undefined ? `(${defaultOf(name)})` : printableLine(String(value), 200);
}

function describeRestored(restored: RestoredSettings | null): CommandResult {
  if (!restored) return { fields: { restored: null }, text: 'The settings file can be read, so nothing was changed.' };
  const { servers, writtenAt, savedAs } = restored;
  const date = new Date(writtenAt);
  const sentences = [
    `Restored the settings of ${dayOf(writtenAt)} at ${timeOfDay(writtenAt)} with ${servers === 1 ? '1 server' : `${servers} servers`}.`,
    ...(savedAs === undefined ? [] : [`The unreadable file is saved as ${savedAs}.`]),
  ];
  return {
    fields: { restored: { servers, writtenAt: date.toISOString(), savedAs: savedAs ?? null } },
    text: sentences.join(' '),
  };
}
