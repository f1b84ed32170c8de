import path from 'node:path';
import { callbackHosts, languages, officialRegistry, themes, windowSurfaces } from '../../../shared/choices.ts';
import { isOtherProgram } from '../../../shared/program-record.ts';
import { readRegistryAddress } from '../../../shared/registry-address.ts';
import type { Settings } from '../../../shared/settings.ts';
import { changedToolRules } from '../../../shared/tool-permissions.ts';
import { readWebOrigin } from '../../../shared/web-origin.ts';
import { findProgram } from '../../programs/table/table.ts';
import { readCertificateFile } from '../../user-agent/http/certificate-file.ts';
import { printableLine } from '../text/printable.ts';

export interface SettingSpec {
  readonly meaning: string;
  /** What may stand there, for a person. */
  readonly values: string;
  /** Where there are only these. */
  readonly choices?: readonly string[];
  /** What holds while nothing is set. */
  readonly byDefault: string;
  /** A typed word as the value it means; the schema judges it. */
  readonly read: (word: string) => unknown;
  /** Why a value that fits cannot be taken, as a sentence; `value` is what `read` answered, as text. */
  readonly refuse?: (value: string) => string | undefined;
}

/** Where the window was, what it has said, and how it is arranged, is nothing to type. */
export type SettingName = Exclude<keyof Settings, 'window' | 'told' | 'sidebar'>;

const asWord = (word: string): string => word;
const asTruth = (word: string): unknown => (word === 'true' ? true : word === 'false' ? false : word);

/** The settings as the command line shows and changes them; what fits is said by their schema. */
export const settingSpecs: Readonly<Record<SettingName, SettingSpec>> = {
  callbackPort: {
    meaning: 'Port on this computer that a sign-in comes back to. Part of the callback URL that services know',
    values: 'a number from 1024 to 65535',
    byDefault: 'chosen at the first sign-in',
    read: (word) => (/^\d{1,5}$/u.test(word) ? Number(word) : word),
  },
  callbackHost: {
    meaning: 'Host of the callback URL, for services that refuse one of the two',
    values: callbackHosts.join(', '),
    choices: callbackHosts,
    byDefault: '127.0.0.1',
    read: asWord,
  },
  gatewayPort: {
    meaning: 'Port on this computer for programs that use Postern over HTTP. Part of their entries',
    values: 'a number from 1024 to 65535',
    byDefault: 'chosen when the first of them needs it',
    read: (word) => (/^\d{1,5}$/u.test(word) ? Number(word) : word),
  },
  allowedOrigin: {
    meaning: 'The one web page, by its origin, that may use Postern over HTTP. It needs the secret of a program too',
    values:
      'an origin with https, or with http on this computer: http://localhost:6274 (go back to none with --default)',
    byDefault: 'none',
    read: (word) => readWebOrigin(word) ?? word,
  },
  certificateFile: {
    meaning: 'File with further certificate authorities (PEM), such as those of your company',
    values: 'the path of a file (go back to none with --default)',
    byDefault: 'none',
    // `none` is shown where nothing is set; a file of that name is ./none.
    read: (word) => (word === 'none' || word === '' ? '' : path.resolve(word)),
    refuse: refuseCertificateFile,
  },
  activity: {
    meaning: 'Whether Postern notes which program called what, never what was said',
    values: 'on, off',
    choices: ['on', 'off'],
    byDefault: 'on',
    read: asWord,
  },
  changedTools: {
    meaning: 'Whether tools that are new or have changed are only shown, or held until you have looked at them',
    values: changedToolRules.join(', '),
    choices: changedToolRules,
    byDefault: 'show',
    read: asWord,
  },
  signInSurface: {
    meaning: 'Where the window opens a sign-in page: popup is a window of its own, browser is yours',
    values: windowSurfaces.join(', '),
    choices: windowSurfaces,
    byDefault: 'popup',
    // The schema knows of another one, which no window has.
    read: (word) => (word === 'print' ? '' : word),
  },
  connectAtOnce: {
    meaning: 'Whether the window goes on to the sign-in by itself, where a checked address leaves nothing to decide',
    values: 'true, false',
    choices: ['true', 'false'],
    byDefault: 'false',
    read: asTruth,
  },
  theme: {
    meaning: 'Colours of the window',
    values: themes.join(', '),
    choices: themes,
    byDefault: 'system',
    read: asWord,
  },
  language: {
    meaning: 'Language of the window. The command line speaks English',
    values: languages.join(', '),
    choices: languages,
    byDefault: 'system',
    read: asWord,
  },
  checkForUpdates: {
    meaning: 'Whether the window looks for newer versions',
    values: 'true, false',
    choices: ['true', 'false'],
    byDefault: 'true',
    read: asTruth,
  },
  keepRunning: {
    meaning: 'Whether Postern goes on serving programs when its window is closed',
    values: 'true, false',
    choices: ['true', 'false'],
    byDefault: 'true once a program uses a server',
    read: asTruth,
  },
  searchesRegistry: {
    meaning: 'Whether the window may search the MCP registry. It does so only when you press Search there',
    values: 'true, false',
    choices: ['true', 'false'],
    byDefault: 'false',
    read: asTruth,
  },
  registry: {
    meaning: 'Address of the MCP registry that is searched, or of a copy of it',
    values: 'an address with https, or with http on this computer (go back to the official one with --default)',
    byDefault: officialRegistry,
    read: (word) => readRegistryAddress(word).address ?? word,
  },
  programsPaused: {
    meaning: 'Whether all that programs ask for is refused, until it is false again',
    values: 'true, false',
    choices: ['true', 'false'],
    byDefault: 'false',
    read: asTruth,
  },
  pausedPrograms: {
    meaning: 'Programs of which all that they ask for is refused, until they are not named any more',
    values: 'programs as `postern programs` names them, with commas (go back to none with --default)',
    byDefault: 'none',
    read: (word) => word.split(',').map((each) => findProgram(each)?.id ?? each.trim()),
    refuse: refusePrograms,
  },
};

/** `ids`: with commas. */
function refusePrograms(ids: string): string | undefined {
  const unknown = ids.split(',').find((id) => !findProgram(id) && !isOtherProgram(id));
  return unknown === undefined ? undefined : `There is no program “${printableLine(unknown, 40)}”.`;
}

function refuseCertificateFile(file: string): string | undefined {
  try {
    if (readCertificateFile(file).length > 0) return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return `There is no file ${printableLine(file, 200)}.`;
    return `${printableLine(file, 200)} cannot be read${code === undefined ? '' : ` (${code})`}.`;
  }
  return `${printableLine(file, 200)} holds no certificate that can be read as PEM.`;
}

export const settingNames = Object.keys(settingSpecs) as SettingName[];
