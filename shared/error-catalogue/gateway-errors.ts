import type { CatalogueDetail, CatalogueEntry } from './catalogue-entry.ts';
import { advise } from './catalogue-entry.ts';

const programOr = ({ program }: CatalogueDetail): string => (program === undefined ? 'This program' : `${program}`);
const appOr = ({ program }: CatalogueDetail): string => (program === undefined ? 'this app' : `${program}`);
/** A tool name as MCP 2025-11-25 allows it says nothing that could be read as ours. */
const toolOr = ({ tool }: CatalogueDetail): string =>
  /^[\w./-]{1,128}$/u.test(String(tool ?? '')) ? `the tool “${tool}”` : 'this tool';
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const serverOr = ({ name }: CatalogueDetail): string => (name === undefined ? 'this server' : `${name}`);

function holderOf({ holder, process }: CatalogueDetail): string {
  const which = process === undefined ? '' : ` (process ${process})`;
  if (holder === 'window') return `The Postern with the window${which}`;
  return holder === 'serve' ? `A Postern without a window${which}` : 'Another Postern';
}

/** What keeps a program from using a server through Postern. */
export const gatewayErrors = {
  GATEWAY_HELD: {
    message: (detail) => `${holderOf(detail)} serves the programs of this profile.`,
    remedy: advise('go-on', 'Use that one, or end it, then try again.'),
    retryable: false,
  },
  GATEWAY_PORT: {
    message: ({ port, program, process }) => {
      const which = process === undefined ? '' : ` (process ${process})`;
      const who = program === undefined ? 'another program' : `“${program}”`;
      return `${port === undefined ? 'The port of Postern' : `Port ${port}`} is used by ${who}${which}.`;
    },
    remedy: advise(
      'free-port',
      'End that program, or choose another port in the settings; the entries that hold it are then renewed.',
    ),
    retryable: true,
  },
  GATEWAY_BUSY: {
    message: 'Too many programs use Postern at once.',
    remedy: advise('try-again', 'Close some of them, then try again.'),
    retryable: true,
  },
  GATEWAY_PAUSED: {
    message: 'The person has paused all programs in Postern.',
    remedy: { kind: 'resume-programs' },
    retryable: true,
  },
  PROGRAM_PAUSED: {
    message: (detail) => `${programOr(detail)} has been paused in Postern.`,
    remedy: { kind: 'resume-program' },
    retryable: true,
  },
  PIPE_OUTDATED: {
    message: 'This entry belongs to another version of Postern.',
    remedy: advise('go-on', 'Restart the program.'),
    retryable: false,
  },
  PROGRAM_UNKNOWN: {
    message: (detail) =>
      `${programOr(detail)} has not been allowed to use ${detail['any'] === undefined ? serverOr(detail) : 'any server'}.`,
    remedy: { kind: 'allow-program' },
    retryable: false,
  },
  PROGRAM_REVOKED: {
    message: (detail) => `${programOr(detail)} may not use Postern any more.`,
    remedy: { kind: 'allow-program' },
    retryable: false,
  },
  PROGRAM_SECRET_LOST: {
    message: (detail) => `Postern no longer has the secret that the entries of ${programOr(detail)} hold.`,
    remedy: { kind: 'allow-program' },
    retryable: false,
  },
  ERA_UNSUPPORTED: {
    message: 'This server speaks a newer MCP than this program.',
    remedy: advise('go-on', 'Ask the user to update this app.'),
    retryable: false,
  },
  TOOL_DENIED: {
    message: (detail) => `The user has turned off ${toolOr(detail)} for ${appOr(detail)}.`,
    remedy: advise('go-on', 'Go on without it. It can be allowed in Postern, under Permissions of this server.'),
    retryable: false,
  },
  OFFER_DENIED: {
    message: (detail) =>
      detail['method'] === undefined
        ? `The user has turned off resources or prompts of this server for ${appOr(detail)}.`
        : `Access to this server is limited for ${appOr(detail)}, and no permission covers "${detail['method']}".`,
    remedy: advise('go-on', 'Go on without it. It can be allowed in Postern, under Permissions of this server.'),
    retryable: false,
  },
  TOOL_CHANGED: {
    message: (detail) => `${capital(toolOr(detail))} is new or has changed, and is blocked until the user reviews it.`,
    remedy: { kind: 'review-tools' },
    retryable: false,
  },
  MEMBER_GONE: {
    message: (detail) => `${serverOr(detail)} is no longer part of this collection.`,
    remedy: { kind: 'list-tools' },
    retryable: false,
  },
  APPROVAL_REFUSED: {
    message: (detail) => `The user denied this call of ${toolOr(detail)}.`,
    remedy: advise('go-on', 'It was not made. Ask the user what to do instead.'),
    retryable: false,
  },
  APPROVAL_TIMEOUT: {
    message: (detail) =>
      `Postern asked the user to allow this call of ${toolOr(detail)}, and got no answer within 45 seconds.`,
    remedy: advise('go-on', 'It was not made. Ask the user to look at Postern, then call the tool again.'),
    retryable: true,
  },
  APPROVAL_IMPOSSIBLE: {
    message: (detail) => `Each call of ${toolOr(detail)} has to be allowed in the Postern window, which is not open.`,
    remedy: advise('go-on', 'It was not called. Ask the user to open Postern, then call the tool again.'),
    retryable: true,
  },
  SERVER_OFFLINE: {
    message: 'The server cannot be reached.',
    remedy: advise('check-connection', 'Check the connection to it.'),
    retryable: true,
  },
  SESSION_LOST: {
    message: 'The connection ended before this was answered.',
    remedy: advise('try-again', 'What it asked for may have been done all the same; look before you ask again.'),
    retryable: true,
  },
} satisfies Partial<Record<string, CatalogueEntry>>;
