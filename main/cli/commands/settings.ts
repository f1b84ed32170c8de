import { settingsSchema } from '../../../shared/settings.ts';
import type { Settings } from '../../../shared/settings.ts';
import { restoreSettings } from '../../storage/settings/restore-settings.ts';
import { settingsPath } from '../../storage/settings/settings-file.ts';
import { askForYes } from '../asking/ask-for-yes.ts';
import { changeFields, describePreview } from '../output/describe-change.ts';
import { openCommandPrograms } from '../programs/open-command-programs.ts';
import { makeRenewals, planRenewals } from '../programs/renew-port.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandProfile } from '../opening/open-command-profile.ts';
import { hasOption } from '../options/option-values.ts';
import type { Answer } from '../output/output.ts';
import { printable, printableLine } from '../text/printable.ts';
import { settingNames, settingSpecs } from '../options/setting-specs.ts';
import type { SettingName } from '../options/setting-specs.ts';
import { alignColumns } from '../text/text-table.ts';
import { didYouMean, UsageError } from '../options/usage-error.ts';

/** `postern settings [NAME [VALUE]]`: shows them, or changes one. Errors: USAGE, CFG_*. */
export async function settings(context: CommandContext): Promise<Answer> {
  const { args } = context;
  const [word, value] = args.positionals;
  const name = word === undefined ? undefined : findName(word);
  const reset = hasOption(args, 'default');
  if (reset && (name === undefined || value !== undefined))
    throw new UsageError('--default goes with the name of one setting, and with no value.', 'settings');
  const change = name === undefined || value === undefined ? undefined : checkValue(name, value);
  if (change?.gatewayPort !== undefined) return await changePort(context, change.gatewayPort);
  const { store, folder, locks } = await openCommandProfile(context);
  if (hasOption(args, 'restore')) return describeRestored(await restoreSettings({ folder, locks }));
  if (name !== undefined && reset) await store.resetSetting(name);
  const kept = change ? await store.updateSettings((before) => ({ ...before, ...change })) : await store.settings();
  if (name === undefined) return describeAll(kept, settingsPath(folder));
  return {
    fields: { setting: describe(kept, name) },
    text: change || reset ? sayOne(kept, name) : explain(kept, name),
  };
}

/** Entries of programs hold the port, so they are renewed with it. Errors: USAGE, USER_CANCELLED, PROGRAM_*, CFG_*. */
async function changePort(context: CommandContext, gatewayPort: number): Promise<Answer> {
  const opened = await openCommandPrograms(context);
  const planned = await planRenewals(context, opened, gatewayPort);
  if (planned.length > 0)
    await askForYes(context, {
      event: { changes: planned.map((each) => changeFields(each)) },
      lines: planned.map((each) => describePreview(each)),
    });
  // First, so that what fails afterwards is renewed by the same command.
  const kept = await opened.store.updateSettings((before) => ({ ...before, gatewayPort }));
  const changes = await makeRenewals(context, opened, planned);
  const fields = { setting: describe(kept, 'gatewayPort'), ...(changes.length > 0 && { changes }) };
  return { fields, text: sayOne(kept, 'gatewayPort') };
}

/** Errors: USAGE. */
function findName(word: string): SettingName {
  const name = settingNames.find((each) => each.toLowerCase() === word.toLowerCase());
  if (name !== undefined) return name;
  const known = didYouMean(word, settingNames) || ` The settings are ${settingNames.join(', ')}.`;
  throw new UsageError(`There is no setting “${printableLine(word, 40)}”.${known}`, 'settings');
}

/** Errors: USAGE with what may stand there. */
function checkValue(name: SettingName, word: string): Partial<Settings> {
  const value = settingSpecs[name].read(word);
  const parsed = settingsSchema.safeParse({ [name]: value });
  if (parsed.success) {
    const refusal = settingSpecs[name].refuse?.(String(value));
    if (refusal !== undefined) throw new UsageError(refusal, 'settings');
    return parsed.data;
  }
  throw new UsageError(
    `“${printableLine(word, 40)}” is no ${name}. It may be: ${settingSpecs[name].values}.${didYouMean(word, settingSpecs[name].choices ?? [])}`,
    'settings',
  );
}

function describe(kept: Settings, name: SettingName) {
  const { meaning, values, byDefault } = settingSpecs[name];
  return { name, value: kept[name] ?? null, default: byDefault, values, meaning };
}

function describeAll(kept: Settings, file: string): Answer {
  const rows = settingNames.map((name) => [name, valueOf(kept, name), settingSpecs[name].meaning]);
  return {
    fields: { settings: settingNames.map((name) => describe(kept, name)), file },
    text: `${alignColumns([['NAME', 'VALUE', 'MEANING'], ...rows])}\n\nFile  ${printable(file)}`,
  };
}

function explain(kept: Settings, name: SettingName): string {
  const { meaning, values, byDefault } = settingSpecs[name];
  return `${sayOne(kept, name)}\n${meaning}.\nMay be: ${values}. By default: ${byDefault}.`;
}

function sayOne(kept: Settings, name: SettingName): string {
  return `${name}  ${valueOf(kept, name)}`;
}

function valueOf(kept: Settings, name: SettingName): string {
  const value = kept[name];
  return value === undefined ? `(${settingSpecs[name].byDefault})` : printableLine(String(value), 200);
}

function describeRestored(restored: Awaited<ReturnType<typeof restoreSettings>>): Answer {
  if (restored.outcome === 'not-needed')
    return { fields: { restored: null }, text: 'The settings file can be read; it was left as it is.' };
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
