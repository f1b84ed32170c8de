import type { Integration } from '../../../shared/integration.ts';
import { describeEntry } from '../../apps/entry/our-entries.ts';
import { fixedHeaders } from '../../apps/import/importable.ts';
import type { Importable } from '../../apps/import/importable.ts';
import { hasPlaceholder, relativePart } from '../../apps/import/listed-command.ts';
import type { ListedCommand } from '../../apps/import/listed-command.ts';
import type { UnreadableEntry } from '../../apps/import/read-mcp-json.ts';
import { lacksCredential } from '../../engine/connect/connect-with-key.ts';
import { waitsForSignIn } from '../../operations/import.ts';
import type { ImportResult, SharedAddress } from '../../operations/import.ts';
import { displayProgram } from '../../secret.ts';
import { printableLine } from '../text.ts';
import { describeRules, toolList } from './describe-change.ts';
import { describeRemote, remoteFields } from './describe-command.ts';
import { toCommandError } from './describe-error.ts';
import { summarize } from './describe-integration.ts';
import { writeConnect, writeOption, writeServerCommand } from './write-command.ts';

/** An importable entry, without header values. */
export function importableFields({ name, server, excludedBy }: Importable): Readonly<Record<string, unknown>> {
  const { url } = describeEntry(name, server);
  const { isDisabled = false, denied = [], allowed, unsupported = [] } = server.settings ?? {};
  const fields = {
    name,
    kind: server.kind,
    ...(url !== undefined && { url }),
    headers: headersOf(server),
    ...(server.clientId !== undefined && { clientId: server.clientId }),
    ...(server.project !== undefined && { project: server.project }),
    ...(isDisabled && { switchedOff: true }),
    ...(server.notes.includes('in-sandbox') && { sandboxed: true }),
    ...(excludedBy !== undefined && { excludedBy }),
    ...(denied.length > 0 && { deniedTools: denied }),
    ...(allowed && { onlyTools: allowed }),
    ...(unsupported.length > 0 && { unsupportedMembers: unsupported }),
  };
  if (!server.command) return fields;
  const { words, variables } = server.command;
  const remote = remoteFields(words);
  return {
    ...fields,
    app: displayProgram(words[0] ?? ''),
    variables: variables.map((variable) => variable.name),
    ...remote,
  };
}

export function importedFields(entry: Importable, imported: ImportResult): Readonly<Record<string, unknown>> {
  return {
    ...importableFields(entry),
    outcome: imported.outcome,
    ...('headers' in imported && { headersAre: imported.headers }),
    ...('integration' in imported && { integration: summarize(imported.integration) }),
    ...('error' in imported && { error: toCommandError(imported.error, { command: 'import' }) }),
  };
}

export function unreadableFields({ name, member, project }: UnreadableEntry): Readonly<Record<string, unknown>> {
  const projectField = project === undefined ? {} : { project };
  return { name, ...projectField, outcome: 'unreadable', ...(member !== undefined && { member }) };
}

export function describeUnreadable({ name, member, project }: UnreadableEntry): string {
  const projectPhrase = project === undefined ? '' : `, for the project ${printableLine(project, 1_000)},`;
  const what =
    member === undefined ? 'it has neither an address nor a command' : `check its “${printableLine(member, 80)}”`;
  return `“${printableLine(name)}”${projectPhrase} could not be read: ${what}.`;
}

export function describeImportable({ name, server }: Importable): string {
  const { url } = describeEntry(name, server);
  const headers = headersOf(server).map((header) => printableLine(header, 64));
  const headerList = headers.length === 0 ? '' : ` with the ${headerWord(headers)} ${headers.join(', ')}`;
  const app = server.command?.words[0];
  const runs = app === undefined ? 'a command' : `the command ${printableLine(displayProgram(app), 200)}`;
  const projectPhrase = server.project === undefined ? '' : `, for the project ${printableLine(server.project, 1_000)}`;
  return `“${printableLine(name)}”${projectPhrase}: ${server.kind === 'local' ? runs : printableLine(url ?? '', 200)}${headerList}`;
}

/** The outcome of one entry as text. */
export function describeImported(entry: Importable, imported: ImportResult): string {
  return [describeOutcome(entry, imported), ...describeEntrySettings(entry), ...describeNext(entry, imported)].join(
    ' ',
  );
}

/** Settings of the entry in the app. */
function describeEntrySettings({ server: { settings, project, notes }, excludedBy }: Importable): readonly string[] {
  const { isDisabled = false, unsupported = [] } = settings ?? {};
  return [
    ...(project === undefined ? [] : [`The app has it for the project ${printableLine(project, 1_000)}.`]),
    ...(isDisabled ? ['It is switched off in the app.'] : []),
    ...(notes.includes('in-sandbox') ? ['The app runs it in a sandbox, but Postern does not.'] : []),
    ...(excludedBy === undefined
      ? []
      : [`The app ignores it because of its setting ${printableLine(excludedBy, 200)}.`]),
    ...(settings ? describeRules('The app', settings) : []),
    ...(unsupported.length > 0
      ? [`Postern cannot carry over ${toolList(unsupported)}, so its entry stays as it is.`]
      : []),
  ];
}

function describeOutcome({ name, server }: Importable, imported: ImportResult): string {
  const label = `“${printableLine(name)}”`;
  const headers = headersOf(server).map((header) => printableLine(header, 64));
  const { leftOut } = fixedHeaders(server.headers);
  const dropped = leftOut.map((header) => printableLine(header, 64)).join(', ');
  const droppedNote = dropped === '' ? '' : ` Left out, because HTTP cannot send it or reserves it: ${dropped}.`;
  switch (imported.outcome) {
    case 'imported':
      return `${label} is connected as “${printableLine(imported.integration.name)}”.${droppedNote}`;
    case 'known':
      return waitsForSignIn(imported)
        ? `${label} is already in your list as “${printableLine(imported.integration.name)}”.`
        : `${label} is already connected as “${printableLine(imported.integration.name)}”.${describeHeaderOutcome(imported.headers, headers)}`;
    case 'sign-in':
      return `${label} was added as “${printableLine(imported.integration.name)}”.`;
    case 'to-allow':
      return [
        `${label} is in your list as “${printableLine(imported.integration.name)}”. It is a command, and has not run yet.`,
        ...(imported.integration.command?.sealed ? ['Secrets in its arguments were moved to the vault.'] : []),
        ...describeRemote(remoteFields(server.command?.words ?? [])),
      ].join(' ');
    case 'local':
      if (server.notes.includes('command-empty')) return `${label} was not imported: its command is empty.`;
      return `${label} was not imported: its command is too long or has characters that no command can have.`;
    case 'to-fill-in':
      return server.command
        ? describeMissingParts(label, server.command)
        : `${label} was not imported: it has a placeholder for you to fill in. Connect it yourself with \`postern connect\`.`;
    case 'failed': {
      const { message, nextStep } = toCommandError(imported.error, { command: 'import' });
      return `${label} was not imported. ${printableLine(message, 400)} ${printableLine(nextStep, 400)}`;
    }
  }
}

/** For entries with placeholders, which the user has to fill in. */
function describeMissingParts(label: string, command: ListedCommand): string {
  const { words, variables } = command;
  const relative = relativePart(command);
  const isOfFolder = relative !== undefined || hasPlaceholder({ ...command, words: [] });
  const missing = [
    ...(isOfFolder ? ['its folder'] : []),
    ...(hasPlaceholder({ ...command, folder: '' }) ? ['an argument'] : []),
    ...variables.filter(({ value }) => value === undefined).map(({ name }) => name),
  ];
  const place = isOfFolder ? '--cwd DIR ' : '';
  const options = variables.map(({ name }) => `--env ${name} `).join('');
  return [
    `${label} was not imported: you have to fill in ${missing.join(', ') || 'its file of variables'} first.`,
    ...(relative === undefined
      ? []
      : [
          `It uses “${printableLine(relative === command.folder ? relative : displayProgram(relative), 200)}”. Set the folder it is relative to with --cwd.`,
        ]),
    ...describeRemote(remoteFields(words)),
    `Add it yourself: \`postern local add NAME ${place}${options}-- ${printableLine(displayProgram(words[0] ?? 'COMMAND'), 200)} …\`.`,
  ].join(' ');
}

/** The next command, at the end so that it is easy to copy. */
function describeNext({ server: { clientId } }: Importable, imported: ImportResult): readonly string[] {
  if (waitsForSignIn(imported) && 'integration' in imported) {
    const { url, name, options } = imported.integration;
    if (clientId === undefined)
      return [`Sign in to use it: ${writeServerCommand('refresh', name, '--sign-in browser')}`];
    const server = { url, options: new Map(options.local ? [['local', ['']] as const] : []) };
    const more = `${writeOption('client-id', clientId)} ${writeOption('name', name)}`;
    return [`Sign in to use it, with the client ID that the app has: ${writeConnect({ server }, more)}`];
  }
  if (imported.outcome !== 'to-allow') return [];
  return [`Review and allow it: ${writeServerCommand('local start', imported.integration.name)}`];
}

/** What will happen to the headers of an entry whose server is already connected. */
export function describeHeaderUse(name: string, known: Integration, headers: readonly string[]): string {
  const label = headers.map((header) => printableLine(header, 64));
  const what = `The ${headerWord(headers)} ${label.join(', ')} of “${printableLine(name)}”`;
  const server = `“${printableLine(known.name)}”`;
  return lacksCredential(known)
    ? `${what} will be added to ${server}, which has no credential yet.`
    : `${what} will not be used: ${server} keeps its current sign-in or key.`;
}

/** For an entry that is not taken over. */
export function describeLostHeaders(name: string, headers: readonly string[]): string {
  return `“${printableLine(name)}” stays as it is: Postern cannot send its ${headerWord(headers)} ${toolList(headers)} together with a sign-in.`;
}

/** For two entries that become one server. */
export function describeSharedAddress({ name, as }: SharedAddress): string {
  return `“${printableLine(name)}” has the same address as “${printableLine(as)}”, so both become one server.`;
}

function describeHeaderOutcome(outcome: 'stored' | 'existing' | undefined, headers: readonly string[]): string {
  const names = `Its ${headerWord(headers)} ${headers.join(', ')}`;
  switch (outcome) {
    case 'stored':
      return ` ${names} ${headers.length === 1 ? 'was' : 'were'} stored for it, because it had no credential.`;
    case 'existing':
      return ` ${names} ${headers.length === 1 ? 'was' : 'were'} not used: it keeps its current sign-in or key.`;
    case undefined:
      return '';
  }
}

function headerWord(headers: readonly string[]): string {
  return headers.length === 1 ? 'header' : 'headers';
}

function headersOf({ headers = [] }: Importable['server']): readonly string[] {
  return headers.map(({ name }) => name);
}
