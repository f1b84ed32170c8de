import { counted } from '../language.ts';
import { advise, errorEntry, hostOr, sayOf } from './catalogue-entry.ts';
import type { Detail } from './catalogue-entry.ts';
import { wrongAnswer } from './connection-errors.ts';
import type { Kind } from './connection-errors.ts';

/** A tool whose result is too large. */
export const askForLess = advise('go-on', 'askToolForLess');

const nameOf = (detail: Detail<'name'>, otherwise: string): string =>
  detail.name === undefined ? otherwise : `"${detail.name}"`;

/** A tool name as MCP 2025-11-25 allows it says nothing that could be read as ours. */
const toolOf = (detail: Detail<'host' | 'tool'>): string =>
  `${/^[\w./-]{1,128}$/u.test(detail.tool ?? '') ? `the tool "${detail.tool}"` : 'the tool'} of ${hostOr(detail, 'this server')}`;

/** Kinds of values that a field of a tool may take in the place of text (JSON Schema 2020-12, 6.1.1). */
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
    about: ['operation', 'stopped-here'],
    message: ({ members = [], field, kind }) => {
      const names = members.map((name) => `“${name}”`).join(', ');
      if (names !== '') return `This tool has no field ${names}. Nothing was sent.`;
      const wanted = sayOf(kindWords, kind, 'something else');
      return field === undefined
        ? 'This tool does not take that. Nothing was sent.'
        : `“${field}” is text, and this tool takes ${wanted} there. Nothing was sent.`;
    },
    remedy: { kind: 'fit-arguments' },
    retryable: false,
  }),
  SERVER_ERROR: errorEntry<'host'>({
    blame: 'answer',
    message: (detail) => `${hostOr(detail, 'The server')} answered with an error.`,
    remedy: advise('go-on', 'readWhatServerSays'),
    retryable: false,
  }),
  METHOD_UNSUPPORTED: errorEntry<'host'>({
    blame: 'answer',
    about: ['operation'],
    message: (detail) => `${hostOr(detail, 'The server')} does not support this.`,
    remedy: advise('go-on', 'goOnWithoutOrAskOwner'),
    retryable: false,
  }),
  INPUT_REFUSED: errorEntry<'host'>({
    blame: 'input',
    about: ['operation'],
    message: (detail) => `${hostOr(detail, 'The server')} does not accept this input.`,
    remedy: advise('go-on', 'changeInput'),
    retryable: false,
  }),
  RESOURCE_NOT_FOUND: errorEntry<'host'>({
    blame: 'input',
    about: ['operation'],
    message: (detail) => `${hostOr(detail, 'The server')} has no resource with this address.`,
    remedy: { kind: 'list-resources' },
    retryable: false,
  }),
  PROMPT_NOT_FOUND: errorEntry<'host'>({
    blame: 'input',
    about: ['operation'],
    message: (detail) => `${hostOr(detail, 'The server')} has no prompt of that name.`,
    remedy: { kind: 'list-prompts' },
    retryable: false,
  }),
  TOOL_NOT_FOUND: errorEntry<'name'>({
    blame: 'input',
    about: ['operation'],
    message: (detail) => `This server has no tool ${nameOf(detail, 'of that name')}.`,
    remedy: { kind: 'list-tools' },
    retryable: false,
  }),
  TOOL_FAILED: errorEntry<'tool' | 'host'>({
    blame: 'answer',
    about: ['operation'],
    message: (detail) => `A call of ${toolOf(detail)} was answered with an error.`,
    remedy: advise('go-on', 'readWhatToolSays'),
    retryable: false,
  }),
  RESULT_TOO_LARGE: errorEntry<'tool' | 'host'>({
    blame: 'answer',
    about: ['large-result', 'operation'],
    message: (detail) =>
      detail.tool === undefined
        ? `${hostOr(detail, 'The server')} answered with more than Postern takes in one answer.`
        : `What ${toolOf(detail)} answered is larger than Postern takes. The tool may have done its work all the same.`,
    remedy: advise('tell-owner', 'tellOwnerAnswerTooLarge'),
    retryable: false,
  }),
  CALL_INTERRUPTED: errorEntry<'tool' | 'host'>({
    blame: 'nobody',
    about: ['interrupted', 'operation'],
    message: (detail) => `You stopped waiting for ${toolOf(detail)}. The tool may have done its work all the same.`,
    remedy: advise('go-on', 'checkAtServiceBeforeCalling'),
    retryable: false,
  }),
  CALL_TIMED_OUT: errorEntry<'seconds' | 'tool' | 'host'>({
    blame: 'answer',
    about: ['operation'],
    message: (detail) =>
      `Postern stopped waiting for ${toolOf(detail)}${detail.seconds === undefined ? '' : ` after ${counted(detail.seconds, 'second')}`}. The tool may have done its work all the same.`,
    remedy: advise('go-on', 'checkAtServiceGiveTime'),
    retryable: false,
  }),
  TASK_CANCELLED: errorEntry<'host' | 'tool'>({
    blame: 'answer',
    about: ['operation'],
    message: (detail) => `${hostOr(detail, 'The server')} called off ${toolOf(detail)} before it was done.`,
    remedy: advise('go-on', 'checkProgressAtService'),
    retryable: false,
  }),
  NO_SUBSCRIPTIONS: errorEntry<'host'>({
    blame: 'answer',
    about: ['operation'],
    message: (detail) => `${hostOr(detail, 'The server')} does not say when this resource changes.`,
    remedy: advise('go-on', 'readAgain'),
    retryable: false,
  }),
};

const commandOr = ({ command }: Detail<'command'>): string => (command === undefined ? 'Its command' : `“${command}”`);

function howItEnded({ code, signal }: Detail<'code' | 'signal'>): string {
  if (signal !== undefined) return ` (${signal})`;
  return code === undefined ? '' : ` (code ${code})`;
}

function endedOften(detail: Detail<'command' | 'times' | 'code' | 'signal'>): string {
  const { times } = detail;
  const often = times === undefined ? '' : ` ${counted(times, 'time')} within five minutes, and is not started again`;
  return `${commandOr(detail)} ended${often}${howItEnded(detail)}.`;
}

/** What keeps a server on this computer from answering. */
export const localErrors = {
  LOCAL_CONSENT: errorEntry({
    blame: 'nobody',
    about: ['local-server', 'local-state'],
    message: 'You have not allowed this command yet, or it has changed since.',
    remedy: { kind: 'allow-command' },
    retryable: false,
  }),
  LOCAL_TO_FILL_IN: errorEntry<'part' | 'variables'>({
    blame: 'input',
    message: (detail) =>
      detail.part === undefined
        ? `The value of ${detail.variables?.join(', ') ?? 'a variable'} is only a placeholder.`
        : `The command has a placeholder in it: ${detail.part}.`,
    remedy: advise('go-on', 'replaceWithOwnValue'),
    retryable: false,
  }),
  LOCAL_DRAFT_GONE: errorEntry({
    blame: 'computer',
    message: 'Postern no longer has what was entered for this command.',
    remedy: advise('try-again', 'enterCommandAgain'),
    retryable: false,
  }),
  LOCAL_NOT_FOUND: errorEntry<'folder' | 'denied' | 'command'>({
    blame: 'command',
    about: ['local-server'],
    message: (detail) => {
      if (detail.folder !== undefined) return `The folder “${detail.folder}” is not there.`;
      return detail.denied === undefined
        ? `${commandOr(detail)} is not on this computer.`
        : `${commandOr(detail)} is not a program that may be run.`;
    },
    remedy: advise('go-on', 'installCommand'),
    retryable: false,
  }),
  LOCAL_EXITED: errorEntry({
    blame: 'command',
    about: ['local-server'],
    message: endedOften,
    remedy: { kind: 'see-output' },
    retryable: true,
  }),
  LOCAL_SILENT: errorEntry<'variables' | 'command'>({
    blame: 'command',
    about: ['local-server'],
    message: (detail) => {
      const { variables } = detail;
      const silent = `${commandOr(detail)} runs, and does not answer.`;
      return variables === undefined
        ? silent
        : `${silent} It fetches code, and is not given what is set here for the network: ${variables.join(', ')}.`;
    },
    remedy: { kind: 'see-output' },
    retryable: true,
  }),
  LOCAL_ASKS: errorEntry<'command'>({
    blame: 'command',
    about: ['local-server'],
    message: (detail) => `${commandOr(detail)} asks something before it starts, and nobody can answer it here.`,
    remedy: advise('go-on', 'answerInTerminal'),
    retryable: false,
  }),
  LOCAL_NOISE: errorEntry<'command'>({
    blame: 'command',
    about: ['local-server'],
    message: (detail) => `${commandOr(detail)} writes text where its messages belong, and was ended.`,
    remedy: { kind: 'see-output' },
    retryable: false,
  }),
  LOCAL_INVALID: errorEntry<'command' | 'revision', Kind>({
    blame: 'command',
    about: ['local-server'],
    message: (detail) => `${commandOr(detail)} ${wrongAnswer(detail) ?? 'answers, but not as an MCP server should'}.`,
    remedy: { kind: 'see-output' },
    retryable: false,
  }),
  LOCAL_STOPPED: errorEntry({
    blame: 'nobody',
    about: ['local-server', 'local-state'],
    message: 'This server was stopped in Postern.',
    remedy: { kind: 'start-server' },
    retryable: false,
  }),
};
