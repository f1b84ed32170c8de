import { settingNames, settingOf } from '../shared/settings.ts';
import type { SettingName, SettingsSection } from '../shared/settings.ts';
import { words } from './words.ts';

/** Rows of the settings page that are not settings of the table. */
const otherRows = {
  startAtLogin: 'general',
  keychain: 'privacy',
  list: 'privacy',
  deleteAll: 'privacy',
  version: 'about',
  shortcuts: 'about',
  logs: 'about',
  callbackUrl: 'callback',
  proxy: 'network',
} as const satisfies Readonly<Record<string, SettingsSection>>;

/** A row of the settings page. `pausedApps` is set on the page of each app. */
export type SettingsRow = Exclude<SettingName, 'pausedApps'> | keyof typeof otherRows;

/** Where a link to the settings leads. */
export type SettingsTarget = SettingsSection | SettingsRow;

/** Section of each row. */
const sections = new Map<string, SettingsSection>([
  ...settingNames.flatMap((name): [string, SettingsSection][] => {
    const { section } = settingOf(name);
    return section === undefined ? [] : [[name, section]];
  }),
  ...Object.entries(otherRows),
]);

export function sectionOf(target: SettingsTarget): SettingsSection {
  // Only sections are not in the map.
  return sections.get(target) ?? (target as SettingsSection);
}

/** Name of each row, and other words that the palette finds it by. */
export function settingsRows(): Readonly<Record<SettingsRow, readonly [name: string, ...also: string[]]>> {
  const { settings, registry, activity, deletion, update, permits } = words;
  return {
    language: [settings.language, ...Object.values(settings.languages)],
    theme: [settings.theme, settings.appearance, ...Object.values(settings.themes)],
    startAtLogin: [settings.start, settings.startAtLogin],
    keepRunning: [settings.closing, settings.keepRunning, settings.background],
    signInSurface: [settings.surface, ...Object.values(settings.surfaces)],
    connectAtOnce: [settings.check, settings.connectAtOnce],
    appsPaused: [settings.pausing, settings.pause],
    changedTools: [permits.whenChanged, permits.changedRule.hold],
    keychain: [settings.checks.keychain, settings.storageTest],
    activity: [activity.setting, activity.settingLabel],
    list: [settings.list, settings.exportButton, settings.importButton],
    deleteAll: [deletion.setting, deletion.open],
    version: [settings.version],
    checkForUpdates: [update.title, update.automatic],
    shortcuts: [settings.shortcuts],
    logs: [settings.logsRow, settings.logs],
    callbackUrl: [settings.callbackUrl],
    callbackHost: [settings.callbackHost],
    callbackPort: [settings.callbackPort],
    gatewayPort: [settings.gatewayPort],
    allowedOrigin: [settings.allowedOrigin],
    searchesRegistry: [registry.setting, registry.choose],
    registry: [registry.address],
    proxy: [settings.proxy],
    certificateFile: [settings.certificates],
  };
}
