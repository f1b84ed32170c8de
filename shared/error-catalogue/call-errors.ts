import type { ErrorCode } from '../error-codes.ts';
import { advise, hostOr } from './catalogue-entry.ts';
import type { CatalogueDetail, CatalogueEntry } from './catalogue-entry.ts';

/** A tool whose result is too large. */
export const askForLess = advise(
  'go-on',
  'Ask the tool for less, with a limit, a filter or a page among its arguments, if it has them.',
);

const nameOf = (detail: CatalogueDetail, otherwise: string): string =>
  detail['name'] === undefined ? otherwise : `"${detail['name']}"`;

/** A tool name as MCP 2025-11-25 allows it says nothing that could be read as ours. */
const toolOf = (detail: CatalogueDetail): string =>
  `${/^[\w./-]{1,128}$/u.test(String(detail['tool'] ?? '')) ? `the tool "${detail['tool']}"` : 'the tool'} of ${hostOr(detail, 'this server')}`;

export const callErrors = {
  SERVER_ERROR: {
    message: (detail) => `${hostOr(detail, 'The server')} answered with an error.`,
    remedy: advise('go-on', 'Read what the server says. If that does not help, contact its owner.'),
    retryable: false,
  },
  METHOD_UNSUPPORTED: {
    message: (detail) => `${hostOr(detail, 'The server')} does not support this.`,
    remedy: advise('go-on', 'Go on without it, or ask the server’s owner for it.'),
    retryable: false,
  },
  INPUT_REFUSED: {
    message: (detail) => `${hostOr(detail, 'The server')} does not accept this input.`,
    remedy: advise('go-on', 'Read what the server says, and change the input.'),
    retryable: false,
  },
  RESOURCE_NOT_FOUND: {
    message: (detail) => `${hostOr(detail, 'The server')} has no resource with this address.`,
    remedy: { kind: 'list-resources' },
    retryable: false,
  },
  PROMPT_NOT_FOUND: {
    message: (detail) => `${hostOr(detail, 'The server')} has no prompt of that name.`,
    remedy: { kind: 'list-prompts' },
    retryable: false,
  },
  TOOL_NOT_FOUND: {
    message: (detail) => `This server has no tool ${nameOf(detail, 'of that name')}.`,
    remedy: { kind: 'list-tools' },
    retryable: false,
  },
  TOOL_FAILED: {
    message: (detail) => `A call of ${toolOf(detail)} was answered with an error.`,
    remedy: advise('go-on', 'Read what the tool says, and call it again with what it asks for.'),
    retryable: false,
  },
  RESULT_TOO_LARGE: {
    message: (detail) =>
      detail['tool'] === undefined
        ? `${hostOr(detail, 'The server')} answered with more than Postern takes in one answer.`
        : `What ${toolOf(detail)} answered is larger than Postern takes. The tool may have done its work all the same.`,
    remedy: advise('tell-owner', 'Tell the owner of the server that its answer is too large.'),
    retryable: false,
  },
  CALL_INTERRUPTED: {
    message: (detail) => `You stopped waiting for ${toolOf(detail)}. The tool may have done its work all the same.`,
    remedy: advise('go-on', 'Check at the service whether it did, before you call it again.'),
    retryable: false,
  },
  CALL_TIMED_OUT: {
    message: (detail) =>
      `Postern stopped waiting for ${toolOf(detail)}${detail['seconds'] === undefined ? '' : ` after ${detail['seconds']} seconds`}. The tool may have done its work all the same.`,
    remedy: advise('go-on', 'Check at the service whether it did. If it needs longer, give it more time.'),
    retryable: false,
  },
  TASK_CANCELLED: {
    message: (detail) => `${hostOr(detail, 'The server')} called off ${toolOf(detail)} before it was done.`,
    remedy: advise('go-on', 'Check at the service how far it got, before you call it again.'),
    retryable: false,
  },
  NO_SUBSCRIPTIONS: {
    message: (detail) => `${hostOr(detail, 'The server')} does not say when this resource changes.`,
    remedy: advise('go-on', 'Read it again whenever you want to see it.'),
    retryable: false,
  },
} satisfies Partial<Record<ErrorCode, CatalogueEntry>>;
