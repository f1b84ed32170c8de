import path from 'node:path';
import { readSettingWord, settingChoices, settingNames, settingOf, settingsSchema } from '../../../shared/settings.ts';
import type { RestoredSettings } from '../../../shared/app-view.ts';
import type { SettingName, Settings } from '../../../shared/settings.ts';
import { findProgram } from '../../apps/table/table.ts';
import type { Profile } from '../../host/open-profile.ts';
import { freePort } from '../../net/endpoint/loopback-door.ts';
import { requireCertificates } from '../../net/http/trusted-certificates.ts';
import { UnknownApp } from '../../operations/apps.ts';
import { changeGatewayPort, changeSettings, gatewayPortFor, restoreSettings } from '../../operations/settings.ts';
import type { SettingsToStore } from '../../operations/settings.ts';
import { openSettingsFile, settingsPath } from '../../storage/settings/settings-file.ts';
import { askForYes, terminalSurface } from '../asking/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandProfile } from '../opening/open-command-profile.ts';
import { didYouMean, hasOption, UsageError } from '../options/parse-arguments.ts';
import { changeFields, describePreview } from '../output/describe-change.ts';
import type { Answer } from '../output/output.ts';
import { makeConfirmed, planPort } from '../programs/confirm-changes.ts';
import { openCommandPrograms } from '../programs/open-command-programs.ts';
import { alignColumns, printable, printableLine } from '../text.ts';

/** `postern settings [NAME [VALUE]]`: shows them, or changes one. Errors: USAGE, CERTIFICATE_FILE_INVALID, CFG_*. */
export async function settings(context: CommandContext): Promise<Answer> {
  const { args } = context;
  const [word, value] = args.positionals;
  const name = word === undefined ? undefined : findName(word);
  const reset = hasOption(args, 'default');
  if (reset && (name === undefined || value !== undefined))
    throw new UsageError('--default goes with the name of one setting, and with no value.', 'settings');
  const change = name === undefined || value === undefined ? undefined : checkValue(name, value);
  if (name === 'gatewayPort' && reset) return await changePort(context, null);
  if (change?.gatewayPort !== undefined) return await changePort(context, change.gatewayPort);
  const profile = await openCommandProfile(context);
  const { store, folder } = profile;
  if (hasOption(args, 'restore')) {
    const settingsFile = openSettingsFile(profile);
    return describeRestored(await restoreSettings({ ...terminalSurface(context), settingsFile }, {}));
  }
  if (change) await storeSettings(context, store, { ...change, gatewayPort: undefined });
  if (name !== undefined && reset) await storeSettings(context, store, { [name]: null });
  const kept = await store.settings();
  if (name === undefined) return describeAll(kept, settingsPath(folder));
  return {
    fields: { setting: describe(kept, name) },
    text: change || reset ? sayOne(kept, name) : explain(kept, name),
  };
}

/** Errors: USAGE for an app that is not known, those of `changeSettings`. */
async function storeSettings(
  context: CommandContext,
  store: Pick<Profile['store'], 'updateSettings' | 'resetSetting' | 'programs'>,
  change: SettingsToStore,
): Promise<void> {
  const scope = {
    ...terminalSurface(context),
    ports: { store },
    programs: { records: store.programs },
    checkCertificateFile: requireCertificates,
    applySettings: () => {},
  };
  await changeSettings(scope, change).catch((error: unknown) => {
    if (!(error instanceof UnknownApp)) throw error;
    throw new UsageError(`There is no program “${printableLine(error.app, 40)}”.`, 'settings');
  });
}

/**
 * Entries of programs hold the port, so they are renewed with it. Null: back to the default. Errors: USAGE,
 * USER_CANCELLED, GATEWAY_PORT, CFG_*; the answer has those of the first file that could not be changed.
 */
async function changePort(context: CommandContext, wanted: number | null): Promise<Answer> {
  const opened = await openCommandPrograms(context);
  const { engine, store } = opened;
  const port = await gatewayPortFor({ programs: engine, freePort }, wanted);
  const needed = port === null ? [] : await planPort(context, opened, port);
  if (needed.length > 0)
    await askForYes(context, {
      event: { changes: needed.map(({ planned }) => changeFields(planned)) },
      lines: needed.map(({ planned }) => describePreview(planned)),
    });
  const scope = { ...terminalSurface(context), ports: { store } };
  const renewed = await changeGatewayPort(scope, port, () => makeConfirmed(context, engine, needed));
  const kept = await store.settings();
  return {
    ...renewed,
    fields: { setting: describe(kept, 'gatewayPort'), ...(needed.length > 0 && renewed.fields) },
    text: [...(renewed.text === undefined ? [] : [renewed.text]), sayOne(kept, 'gatewayPort')].join('\n'),
  };
}

/** Errors: USAGE. */
function findName(word: string): SettingName {
  const name = settingNames.find((each) => each.toLowerCase() === word.toLowerCase());
  if (name !== undefined) return name;
  const known = didYouMean(word, settingNames) || ` The settings are ${settingNames.join(', ')}.`;
  throw new UsageError(`There is no setting “${printableLine(word, 40)}”.${known}`, 'settings');
}

/** Errors: USAGE with what may be typed. */
function checkValue(name: SettingName, word: string): Partial<Settings> {
  const parsed = settingsSchema.safeParse({ [name]: readWord(name, word) });
  if (!parsed.success)
    throw new UsageError(
      `“${printableLine(word, 40)}” is no ${name}. It may be: ${valuesOf(name)}.${didYouMean(word, settingChoices(name) ?? [])}`,
      'settings',
    );
  return parsed.data;
}

function readWord(name: SettingName, word: string): unknown {
  switch (name) {
    case 'certificateFile':
      // `none` is shown where nothing is set; a file of that name is ./none.
      return word === 'none' || word === '' ? '' : path.resolve(word);
    case 'pausedPrograms':
      return word.split(',').map((each) => findProgram(each)?.id ?? each.trim());
    default:
      return readSettingWord(name, word);
  }
}

const valuesOf = (name: SettingName): string => settingOf(name).values ?? settingChoices(name)?.join(', ') ?? '';

function defaultOf(name: SettingName): string {
  const { default: value, unset } = settingOf(name);
  return value === undefined ? (unset ?? '') : String(value);
}

function describe(kept: Settings, name: SettingName) {
  const { meaning } = settingOf(name);
  return { name, value: kept[name] ?? null, default: defaultOf(name), values: valuesOf(name), meaning };
}

function describeAll(kept: Settings, file: string): Answer {
  const rows = settingNames.map((name) => [name, valueOf(kept, name), settingOf(name).meaning]);
  return {
    fields: { settings: settingNames.map((name) => describe(kept, name)), file },
    text: `${alignColumns([['NAME', 'VALUE', 'MEANING'], ...rows])}\n\nFile  ${printable(file)}`,
  };
}

function explain(kept: Settings, name: SettingName): string {
  return `${sayOne(kept, name)}\n${settingOf(name).meaning}.\nMay be: ${valuesOf(name)}. By default: ${defaultOf(name)}.`;
}

function sayOne(kept: Settings, name: SettingName): string {
  return `${name}  ${valueOf(kept, name)}`;
}

function valueOf(kept: Settings, name: SettingName): string {
  const value = kept[name];
  return value === undefined ? `(${defaultOf(name)})` : printableLine(String(value), 200);
}

function describeRestored(restored: RestoredSettings | null): Answer {
  if (!restored) return { fields: { restored: null }, text: 'The settings file can be read; it was left as it is.' };
  const { servers, writtenAt, keptAs } = restored;
  const date = new Date(writtenAt);
  const sentences = [
    `The settings of ${date.toLocaleString('en-GB')} are back, with ${servers} ${servers === 1 ? 'server' : 'servers'}.`,
    ...(keptAs === undefined ? [] : [`What stood there before is kept as ${keptAs}.`]),
  ];
  return {
    fields: { restored: { servers, writtenAt: date.toISOString(), keptAs: keptAs ?? null } },
    text: sentences.join(' '),
  };
}
