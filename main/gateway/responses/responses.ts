import { adviceText } from '../../../shared/error-catalog/catalog-entry.ts';
import { timeOfDay } from '../../../shared/error-catalog/catalog-entry.ts';
import { quoteServerWords } from '../../../shared/error-codes.ts';
import type { ErrorCode, ServerWords, Stage } from '../../../shared/error-codes.ts';
import type { Remedy } from '../../../shared/remedy.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { surveyJson } from '../../mcp/messages/survey-json.ts';
import type { JsonObject, Unusable } from '../messages/envelope.ts';

/** JSON-RPC 2.0 section 5.1, and the codes that MCP adds. */
export const rpcCode = {
  notJson: -32_700,
  notARequest: -32_600,
  unknownMethod: -32_601,
  wrongParameters: -32_602,
  internal: -32_603,
  /** MCP 2025-11-25, resources, error handling. */
  unknownResource: -32_002,
  implementation: -32_000,
  /** MCP 2026-07-28, streamable HTTP: arguments must be repeated in header fields. */
  headerMismatch: -32_020,
  /** MCP 2026-07-28, versioning. */
  unknownRevision: -32_022,
} as const;

/**
 * What Postern reports in the server's place: a message and the next step, with the server's own words kept separate.
 */
export interface Refusal {
  readonly code: ErrorCode;
  readonly stage: Stage;
  readonly message: string;
  readonly nextStep: NextStep;
  readonly serverWords?: ServerWords | undefined;
}

/**
 * Response to a request that cannot be passed on. A tool call gets a result that the model reads (MCP 2025-11-25,
 * tools, error handling); anything else gets an error.
 */
export function refusalOf(id: string, method: string, refusal: Refusal): string {
  const { code, stage, message, nextStep, serverWords } = refusal;
  const words = serverWords && quoteServerWords({ ...serverWords, message: quotable(serverWords.message) });
  const quoted = words ? `The server says: ${words}` : undefined;
  const own = serverWords && { serverWords };
  if (method !== 'tools/call') {
    // If the first request fails, apps show the user only the message.
    const sentence = [message, method === 'initialize' ? nextStep.text : '', quoted].filter(Boolean).join(' ');
    return errorText(id, rpcCode.implementation, sentence, { code, nextStep: nextStep.text, ...own });
  }
  const text = `${message} ${nextStep.text}${nextStep.callAgain ? ' Then call the tool again.' : ''}`;
  return resultText(id, {
    // Required since 2026-07-28; older apps ignore it.
    resultType: 'complete',
    content: [text, quoted].flatMap((each) => (each === undefined ? [] : [{ type: 'text', text: each }])),
    isError: true,
    _meta: { 'dev.postern/error': { code, stage, ...own } },
  });
}

/** Keeps the server from closing the quotation. */
function quotable(words: string): string {
  return words.replaceAll(/[“”"]/gu, '’');
}

/** `id`: as JSON text; `undefined` if none could be read. */
export function errorText(id: string | undefined, code: number, message: string, data?: JsonObject): string {
  const error = JSON.stringify({ code, message, ...(data && { data }) });
  return `{"jsonrpc":"2.0","id":${id ?? 'null'},"error":${error}}`;
}

/** Response to a message of which only the beginning is known. */
export function tooLongText(beginning: Buffer): string {
  const { id } = surveyJson(beginning);
  const message = 'This message is too long for Postern.';
  return errorText(id, rpcCode.notARequest, message, { code: 'BODY_TOO_LARGE' });
}

/** Response to a message that servers may read in more than one way, where permissions depend on it. */
export function ambiguousText(id: string): string {
  return errorText(id, rpcCode.notARequest, 'This message has a duplicate or misspelled member.');
}

export const duplicateIdMessage = 'A request with this id is in flight.';

export const tooManyMessage = 'Too many requests are waiting.';

export function tooManyText(id: string): string {
  return errorText(id, rpcCode.implementation, tooManyMessage);
}

/** `id`: as JSON text. */
export function resultText(id: string, result: JsonObject): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}`;
}

export function notificationText(method: string, params?: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) });
}

const unusable: Readonly<Record<Unusable, readonly [code: number, message: string, name?: ErrorCode]>> = {
  'not-json': [rpcCode.notJson, 'This is not JSON.'],
  'not-a-message': [rpcCode.notARequest, 'This is not a JSON-RPC 2.0 message.'],
  batch: [rpcCode.notARequest, 'Send messages one at a time, not as a batch.'],
  'too-deep': [rpcCode.notARequest, 'This message is nested too deeply.', 'JSON_DEPTH'],
  'too-many-values': [rpcCode.notARequest, 'This message has too many values.', 'BODY_TOO_LARGE'],
};

/** Response to something from an app that is not a message. */
export function unusableText(id: string | undefined, reason: Unusable): string {
  const [code, message, name] = unusable[reason];
  return errorText(id, code, message, name && { code: name });
}

/** What helps, in a sentence that a model can act on or pass on to the user. */
export interface NextStep {
  readonly text: string;
  /** Once that is done, the same call can be made again: none of it has run. */
  readonly callAgain: boolean;
}

/** A server: its display name, how a command names it, and how the user types that command, if they can. */
interface Named {
  readonly name: string;
  readonly reference: string;
  readonly command: string | undefined;
}

/**
 * A remedy in words for a model: no buttons, and no commands but those that sign in and resume, since `postern serve`
 * has no window.
 */
export function describeNextStep(remedy: Remedy, { name, reference, command }: Named): NextStep {
  const orToRun = (words: string): string => (command === undefined ? '' : ` (or to run \`${command} ${words}\`)`);
  const orToSignIn = (what: 'refresh' | 'tools'): string => orToRun(`${what} ${reference} --sign-in browser`);
  const ask = (what: string): NextStep => ({ text: `Ask the user to ${what}.`, callAgain: true });
  const choose = `open Postern, choose “${name}”`;
  switch (remedy.kind) {
    case 'sign-in':
    case 'sign-in-or-remove':
    case 'replace-credentials':
      return ask(`open Postern and choose “${name}”, Sign in${orToSignIn('refresh')}`);
    case 'check-client':
    case 'correct-credentials':
      return ask(`${choose}, check its client ID and client secret, and sign in again`);
    case 'grant-scopes':
      return remedy.answered
        ? ask(`have the service's administrator grant them, then sign in again in Postern under “${name}”`)
        : ask(`${choose} and grant the permissions${orToSignIn('tools')}`);
    case 'replace-key':
      return ask(`${choose} and enter its key again`);
    case 'await-renewal':
      if (remedy.until !== undefined) return { text: `Wait until ${timeOfDay(remedy.until)}.`, callAgain: true };
      return remedy.first
        ? describeNextStep(remedy.first, { name, reference, command })
        : { text: 'Wait a minute.', callAgain: true };
    case 'allow-command':
      return ask(`review what “${name}” runs, and allow it${orToRun(`local start ${reference}`)}`);
    case 'connect-command':
      return ask(`connect “${name}” again in Postern, with its command`);
    case 'start-server':
      return ask(`start “${name}” again${orToRun(`local start ${reference}`)}`);
    case 'name-folder':
      return ask(`restore the folder of “${name}”, or connect it again in Postern with another folder`);
    case 'see-output':
      return ask(`check the output of “${name}”${orToRun(`local logs ${reference}`)}`);
    case 'review-tools':
      return ask(`${choose}, Permissions, and review the changes${orToRun(`permit ${reference} --review`)}`);
    case 'resume-apps':
      return ask(`resume AI apps in Postern${orToRun('settings appsPaused false')}`);
    case 'resume-app': {
      const { name: who = 'this app', app } = remedy;
      const typed = app === undefined ? '' : orToRun(`apps ${app} --resume`);
      return ask(`resume ${who} in Postern, under Apps${typed}`);
    }
    case 'find-name':
      return ask('check in Postern whether this server is still connected');
    case 'fit-arguments':
      return { text: 'Pass only arguments that the input schema of the tool defines.', callAgain: true };
    case 'list-tools':
      return { text: 'List the tools of this server again: this one may have been renamed.', callAgain: false };
    case 'list-resources':
      return { text: 'List the resources of this server again.', callAgain: false };
    case 'list-prompts':
      return { text: 'List the prompts of this server again.', callAgain: false };
    case 'trust-certificate':
      return ask(
        remedy.whose === 'company'
          ? 'have their company certificate added to the certificate store of this computer'
          : 'add their certificate to the certificate store of this computer',
      );
    case 'check-certificate':
      return ask(
        remedy.problem === 'name'
          ? `check the address of “${name}”: its certificate is for another name`
          : `have the owner of “${name}” replace its certificate`,
      );
    case 'set-up-keychain':
    case 'test-storage':
      return ask('open the settings of Postern and see, under storage, what its keychain needs');
    case 'fix-settings':
      return ask('open Postern and fix its settings file, which it names');
    case 'allow-local':
    case 'allow-http':
    case 'allow-host':
    case 'agree-to-hosts':
    case 'give-address':
    case 'connect-otherwise':
    case 'type-endpoints':
    case 'relax-pkce':
    case 'ask-other-scopes':
    case 'without-resource':
    case 'try-other-options':
    case 'type-credentials':
    case 'type-undemanding-credentials':
    case 'check-document':
    case 'start-again':
    case 'open-link':
    case 'compare-scopes':
    case 'choose-name':
    case 'find-app':
    case 'choose-entry-name':
    case 'paste-lines':
    case 'correct-input':
    case 'use-as-it-is':
      return ask(`open Postern and connect “${name}” again, which shows what is missing`);
    case 'allow-app':
      return { text: 'Ask the user to allow it in Postern.', callAgain: false };
    // The same text everywhere. A message that already says how to continue needs no more.
    case 'wait':
    case 'try-again':
    case 'go-on':
      return { text: adviceText(remedy), callAgain: false };
    case 'tell-owner':
    case 'report':
      return { text: `Tell the user: ${adviceText(remedy)}`, callAgain: false };
    case 'correct-address':
    case 'check-address':
    case 'correct-key':
    case 'correct-client-key':
    case 'renew-assertion':
    case 'check-connection':
    case 'check-proxy':
    case 'check-clock':
    case 'free-port':
    case 'unlock-keychain':
    case 'replace-sign-in':
    case 'fix-files':
      return { text: `Tell the user: ${adviceText(remedy)}`, callAgain: true };
  }
}

const codes: Readonly<Record<Unusable, ErrorCode>> = {
  'not-json': 'JSON_INVALID',
  'not-a-message': 'JSON_INVALID',
  batch: 'JSON_INVALID',
  'too-deep': 'JSON_DEPTH',
  'too-many-values': 'RESULT_TOO_LARGE',
};

/** Why a response is not passed on. It did arrive, so this is not a lost connection. */
export function unusableResponse(reason: Unusable): PosternError {
  return new PosternError(codes[reason], { stage: 'connection' });
}

/** How a response came over HTTP: its status, and whether on a stream. */
export interface Arrival {
  readonly status: number;
  readonly isStream: boolean;
}

/**
 * Sends to the app; resolves when there is room for another. `about`: identifies the request that the message belongs
 * to; `arrival`: how that was answered. Never rejects.
 */
export type SendToApp = (message: Buffer | string, about?: string, arrival?: Arrival) => Promise<void>;

/**
 * Arrival of Postern's own responses. Over HTTP, `refusedArrival` makes apps of both protocol forms fall back to
 * `initialize`.
 */
export const localArrival: Arrival = { status: 200, isStream: false };
export const refusedArrival: Arrival = { status: 400, isStream: false };

/** What HTTP needs besides messages: each request has a response of its own, which ends. `about`: as in `SendToApp`. */
export interface HttpResponses {
  /** The server has the app fetch the rest later. */
  pause(about: string): void;
  /** No response, or no more of it, will come. */
  end(about: string): void;
}
