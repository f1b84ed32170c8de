import { formatCount } from '../language.ts';
import { advise, errorEntry, hostOr, textFor } from './catalog-entry.ts';
import type { Causes, Detail } from './catalog-entry.ts';
import { wrongResponse } from './connection-errors.ts';
import type { Kind } from './connection-errors.ts';

/** The remedy for a tool result that is too large. */
export const requestLess = advise('go-on', 'askToolForLess');

const nameOf = (detail: Detail<'name'>, otherwise: string): string =>
  detail.name === undefined ? otherwise : `“${detail.name}”`;

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Only names that MCP 2025-11-25 allows: none of them can pass for Postern's own words. */
const describeTool = (detail: Detail<'host' | 'tool'>): string =>
  `${/^[\w./-]{1,128}$/u.test(detail.tool ?? '') ? `the tool “${detail.tool}”` : 'the tool'} of ${hostOr(detail, 'this server')}`;

/** What a field may take instead of text (JSON Schema 2020-12, 6.1.1). */
export const argumentKinds = ['number', 'integer', 'boolean', 'array', 'object', 'null'] as const;
export type ArgumentKind = (typeof argumentKinds)[number];

export const kindWords: Readonly<Record<ArgumentKind, string>> = {
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

export const callErrors = {
  ARGUMENTS_UNFIT: errorEntry<'members' | 'meant' | 'field', { readonly kind: ArgumentKind }>({
    blame: 'input',
    traits: ['operation', 'stopped-here'],
    message: ({ members = [], field, kind }) => {
      const names = members.map((name) => `“${name}”`).join(', ');
      if (names !== '') return `This tool has no field named ${names}. Nothing was sent.`;
      const expected = textFor(kindWords, kind, 'something else');
      return field === undefined
        ? 'This tool does not accept this input. Nothing was sent.'
        : `“${field}” is text, but this tool needs ${expected} there. Nothing was sent.`;
    },
    remedy: { kind: 'fit-arguments' },
    retryable: false,
  }),
  SERVER_ERROR: errorEntry<'host'>({
    blame: 'answer',
    message: (detail) => `${hostOr(detail, 'The server')} returned an error.`,
    remedy: advise('go-on', 'readServerMessage'),
    retryable: false,
  }),
  METHOD_UNSUPPORTED: errorEntry<'host'>({
    blame: 'answer',
    traits: ['operation'],
    message: (detail) => `${hostOr(detail, 'The server')} does not support this.`,
    remedy: advise('go-on', 'continueWithoutOrAskOwner'),
    retryable: false,
  }),
  INPUT_REFUSED: errorEntry<'host'>({
    blame: 'input',
    traits: ['operation'],
    message: (detail) => `${hostOr(detail, 'The server')} does not accept this input.`,
    remedy: advise('go-on', 'changeInput'),
    retryable: false,
  }),
  RESOURCE_NOT_FOUND: errorEntry<'host'>({
    blame: 'input',
    traits: ['operation'],
    message: (detail) => `${hostOr(detail, 'The server')} has no resource with this address.`,
    remedy: { kind: 'list-resources' },
    retryable: false,
  }),
  PROMPT_NOT_FOUND: errorEntry<'host'>({
    blame: 'input',
    traits: ['operation'],
    message: (detail) => `${hostOr(detail, 'The server')} has no prompt with this name.`,
    remedy: { kind: 'list-prompts' },
    retryable: false,
  }),
  TOOL_NOT_FOUND: errorEntry<'name'>({
    blame: 'input',
    traits: ['operation'],
    message: (detail) => `This server has no tool ${nameOf(detail, 'with that name')}.`,
    remedy: { kind: 'list-tools' },
    retryable: false,
  }),
  TOOL_FAILED: errorEntry<'tool' | 'host'>({
    blame: 'answer',
    traits: ['operation'],
    message: (detail) => `${capitalize(describeTool(detail))} returned an error.`,
    remedy: advise('go-on', 'readToolMessage'),
    retryable: false,
  }),
  RESULT_TOO_LARGE: errorEntry<'tool' | 'host'>({
    blame: 'answer',
    traits: ['large-result', 'operation'],
    message: (detail) =>
      detail.tool === undefined
        ? `${hostOr(detail, 'The server')} sent a response that is too large for Postern.`
        : `The result of ${describeTool(detail)} is too large for Postern. The tool may still have run.`,
    remedy: advise('contact-owner', 'tellOwnerResponseTooLarge'),
    retryable: false,
  }),
  CALL_INTERRUPTED: errorEntry<'tool' | 'host'>({
    blame: 'nobody',
    traits: ['interrupted', 'operation'],
    message: (detail) => `You stopped waiting for ${describeTool(detail)}. The tool may still have run.`,
    remedy: advise('go-on', 'checkAtServiceBeforeCalling'),
    retryable: false,
  }),
  CALL_TIMED_OUT: errorEntry<'seconds' | 'tool' | 'host'>({
    blame: 'answer',
    traits: ['operation'],
    message: (detail) =>
      `${capitalize(describeTool(detail))} did not respond${detail.seconds === undefined ? ' in time' : ` within ${formatCount(detail.seconds, 'second')}`}. The tool may still have run.`,
    remedy: advise('go-on', 'checkAtServiceRaiseLimit'),
    retryable: false,
  }),
  TASK_CANCELLED: errorEntry<'host' | 'tool'>({
    blame: 'answer',
    traits: ['operation'],
    message: (detail) => `${capitalize(describeTool(detail))} was canceled there before it finished.`,
    remedy: advise('go-on', 'checkProgressAtService'),
    retryable: false,
  }),
  NO_SUBSCRIPTIONS: errorEntry<'host'>({
    blame: 'answer',
    traits: ['operation'],
    message: (detail) => `${hostOr(detail, 'The server')} does not report changes to this resource.`,
    remedy: advise('go-on', 'readAgain'),
    retryable: false,
  }),
};

const commandOr = ({ command }: Detail<'command'>): string => (command === undefined ? 'The command' : `“${command}”`);

function exitSuffix({ code, signal }: Detail<'code' | 'signal'>): string {
  if (signal !== undefined) return ` (${signal})`;
  return code === undefined ? '' : ` (code ${code})`;
}

function describeExit(detail: Detail<'command' | 'times' | 'code' | 'signal'>): string {
  const { times } = detail;
  const frequency = times === undefined ? '' : ` ${formatCount(times, 'time')} within five minutes`;
  const stopped = times === undefined ? '' : ' Postern does not restart it.';
  return `${commandOr(detail)} exited${frequency}${exitSuffix(detail)}.${stopped}`;
}

/** Why a local server does not respond. */
export const localErrors = {
  LOCAL_CONSENT: errorEntry({
    blame: 'nobody',
    traits: ['local-server', 'local-state'],
    message: 'You have not allowed this command yet, or it has changed since.',
    remedy: { kind: 'allow-command' },
    retryable: false,
  }),
  LOCAL_TO_FILL_IN: errorEntry<'part' | 'variables'>({
    blame: 'input',
    message: (detail) =>
      detail.part === undefined
        ? `The value of ${detail.variables?.join(', ') ?? 'a variable'} is only a placeholder.`
        : `The command contains a placeholder: ${detail.part}.`,
    remedy: advise('go-on', 'replaceWithOwnValue'),
    retryable: false,
  }),
  LOCAL_DRAFT_GONE: errorEntry({
    blame: 'computer',
    message: 'Postern no longer has what you entered for this command.',
    remedy: advise('try-again', 'enterCommandAgain'),
    retryable: false,
  }),
  LOCAL_NOT_FOUND: errorEntry<'folder' | 'denied' | 'command' | 'part'>({
    blame: 'command',
    traits: ['local-server'],
    message: (detail) => {
      if (detail.folder !== undefined) return `The folder “${detail.folder}” does not exist.`;
      if (detail.part !== undefined) return `${commandOr(detail)} cannot take an argument with a line break.`;
      return detail.denied === undefined
        ? `${commandOr(detail)} was not found on this computer.`
        : `${commandOr(detail)} is not executable.`;
    },
    remedy: advise('go-on', 'installCommand'),
    retryable: false,
  }),
  LOCAL_EXITED: errorEntry({
    blame: 'command',
    traits: ['local-server'],
    message: describeExit,
    remedy: { kind: 'see-output' },
    retryable: true,
  }),
  LOCAL_SILENT: errorEntry<'variables' | 'command'>({
    blame: 'command',
    traits: ['local-server'],
    message: (detail) => {
      const { variables } = detail;
      const silent = `${commandOr(detail)} is running but does not respond.`;
      return variables === undefined
        ? silent
        : `${silent} It downloads code, but it does not get your network settings: ${variables.join(', ')}.`;
    },
    remedy: { kind: 'see-output' },
    retryable: true,
  }),
  LOCAL_ASKS: errorEntry<'command'>({
    blame: 'command',
    traits: ['local-server'],
    message: (detail) => `${commandOr(detail)} asks a question before it starts, which Postern can’t show.`,
    remedy: advise('go-on', 'answerInTerminal'),
    retryable: false,
  }),
  LOCAL_NOISE: errorEntry<'command'>({
    blame: 'command',
    traits: ['local-server'],
    message: (detail) => `${commandOr(detail)} printed text among its MCP messages, so Postern stopped it.`,
    remedy: { kind: 'see-output' },
    retryable: false,
  }),
  LOCAL_INVALID: errorEntry<'command' | 'revision', Kind>({
    blame: 'command',
    traits: ['local-server'],
    message: (detail) => `${commandOr(detail)} ${wrongResponse(detail) ?? 'does not respond as an MCP server should'}.`,
    remedy: { kind: 'see-output' },
    retryable: false,
  }),
  LOCAL_STOPPED: errorEntry({
    blame: 'nobody',
    traits: ['local-server', 'local-state'],
    message: 'This server was stopped in Postern.',
    remedy: { kind: 'start-server' },
    retryable: false,
  }),
};

/** Only for docs/errors.md. */
export const callErrorCauses: Causes<typeof callErrors & typeof localErrors> = {
  ARGUMENTS_UNFIT:
    'A misspelled argument name, or text where the tool needs a number, a list or an object (`name:=JSON`).',
  SERVER_ERROR: 'A fault of the server, or a request that it can’t handle.',
  METHOD_UNSUPPORTED: 'The server is older, or does not have this feature.',
  INPUT_REFUSED: 'A value that the server does not accept, such as an unknown ID or a wrong date.',
  RESOURCE_NOT_FOUND: 'A misspelled address, or the resource was deleted.',
  PROMPT_NOT_FOUND: 'A misspelled name, or the server’s list has changed.',
  TOOL_NOT_FOUND: 'A misspelled name, or the server’s list has changed.',
  TOOL_FAILED: 'An argument that the tool can’t use, or something that does not exist at the service.',
  RESULT_TOO_LARGE: 'The tool returns everything at once, or includes large files.',
  CALL_INTERRUPTED: 'You pressed Ctrl-C or Stop, or the app canceled the call.',
  CALL_TIMED_OUT: 'The tool takes longer than the time limit, or it hangs.',
  TASK_CANCELLED: 'The server’s own time limit, or somebody canceled the task at the service.',
  NO_SUBSCRIPTIONS: 'The server does not support subscriptions.',
  LOCAL_CONSENT: 'The server was imported or pasted, or its program, arguments or folder changed.',
  LOCAL_TO_FILL_IN: 'An example from the documentation was pasted unchanged.',
  LOCAL_DRAFT_GONE: 'Postern was restarted after you entered the command.',
  LOCAL_NOT_FOUND: 'The program is not installed or not on the PATH, or its folder was moved.',
  LOCAL_EXITED: 'A missing variable or argument, a missing package, or a crash of the server.',
  LOCAL_SILENT: 'The command is still downloading, waits for input, or is not an MCP server.',
  LOCAL_ASKS: 'The command asks whether to install a package or to trust a folder.',
  LOCAL_NOISE: 'The server logs to standard output instead of standard error.',
  LOCAL_INVALID: 'The command is not an MCP server, or it supports only an unknown protocol version.',
  LOCAL_STOPPED: 'You stopped the server, or it exited five times within five minutes.',
};
