// JSON-RPC messages that Postern sends to apps itself, and a failure's next step in words for a model.

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
 * A failure that Postern reports in the server's place: a message and the next step. The server's own words are
 * separate.
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

/** `id`: JSON text; `undefined` if unknown. */
export function errorText(id: string | undefined, code: number, message: string, data?: JsonObject): string {
  const error = JSON.stringify({ code, message, ...(data && { data }) });
  return `{"jsonrpc":"2.0","id":${id ?? 'null'},"error":${error}}`;
}

/** Response to a message over the size limit, given its beginning. */
export function tooLongText(beginning: Buffer): string {
  const { id } = surveyJson(beginning);
  const message = 'This message is too long for Postern.';
  return errorText(id, rpcCode.notARequest, message, { code: 'BODY_TOO_LARGE' });
}

/** Response to a message that the server might read differently, which could bypass permissions. */
export function ambiguousText(id: string): string {
  return errorText(id, rpcCode.notARequest, 'This message has a duplicate or misspelled member.');
}

export const duplicateIdMessage = 'A request with this id is in flight.';

export const tooManyMessage = 'Too many requests are waiting.';

export function tooManyText(id: string): string {
  return errorText(id, rpcCode.implementation, tooManyMessage);
}

/** `id`: JSON text. */
export function resultText(id: string, result: JsonObject): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}`;
}

/** A request of Postern's own. `id`: JSON text. */
export function requestText(id: string, method: string, params: JsonObject): Buffer {
  const members = `"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}`;
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},${members}}`);
}

/** Cancels the request with this id, JSON text. */
export function cancelText(id: string): string {
  return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`;
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

/** Response to input from an app that is not a valid message. */
export function unusableText(id: string | undefined, reason: Unusable): string {
  const [code, message, name] = unusable[reason];
  return errorText(id, code, message, name && { code: name });
}

/** What to do about a failure, in a sentence that a model can follow or pass on to the user. */
export interface NextStep {
  readonly text: string;
  /** True if the same call can then be made again, because nothing was executed. */
  readonly callAgain: boolean;
}

/** A server: its display name, its name in commands, and the `postern` command as typed, if installed. */
interface Named {
  readonly name: string;
  readonly reference: string;
  readonly command: string | undefined;
}

/**
 * A remedy in words for a model: without buttons, since `postern serve` has no window. Commands are added where they
 * help.
 */
export function describeNextStep(remedy: Remedy, { name, reference, command }: Named): NextStep {
  const orToRun = (words: string): string => (command === undefined ? '' : ` (or to run \`${command} ${words}\`)`);
  const orToSignIn = (what: 'refresh' | 'tools'): string => orToRun(`${what} ${reference} --sign-in browser`);
  const askUser = (what: string): NextStep => ({ text: `Ask the user to ${what}.`, callAgain: true });
  const choose = `open Postern, choose “${name}”`;
  switch (remedy.kind) {
    case 'sign-in':
    case 'sign-in-or-remove':
    case 'replace-credentials':
      return askUser(`open Postern and choose “${name}”, Sign in${orToSignIn('refresh')}`);
    case 'check-client':
    case 'correct-credentials':
      return askUser(`${choose}, check its client ID and client secret, and sign in again`);
    case 'grant-scopes':
      return remedy.answered
        ? askUser(`have the service's administrator grant them, then sign in again in Postern under “${name}”`)
        : askUser(`${choose} and grant the permissions${orToSignIn('tools')}`);
    case 'replace-key':
      return askUser(`${choose} and enter its key again`);
    case 'await-renewal':
      if (remedy.until !== undefined) return { text: `Wait until ${timeOfDay(remedy.until)}.`, callAgain: true };
      return remedy.first
        ? describeNextStep(remedy.first, { name, reference, command })
        : { text: 'Wait a minute.', callAgain: true };
    case 'allow-command':
      return askUser(`review what “${name}” runs, and allow it${orToRun(`local start ${reference}`)}`);
    case 'connect-command':
      return askUser(`connect “${name}” again in Postern, with its command`);
    case 'start-server':
      return askUser(`start “${name}” again${orToRun(`local start ${reference}`)}`);
    case 'name-folder':
      return askUser(`restore the folder of “${name}”, or connect it again in Postern with another folder`);
    case 'see-output':
      return askUser(`check the output of “${name}”${orToRun(`local logs ${reference}`)}`);
    case 'review-tools':
      return askUser(`${choose}, AI apps, and review the changes${orToRun(`permit ${reference} --review`)}`);
    case 'resume-apps':
      return askUser(`resume AI apps in Postern${orToRun('settings appsPaused false')}`);
    case 'resume-app': {
      const { name: who = 'this app', app } = remedy;
      const typed = app === undefined ? '' : orToRun(`apps ${app} --resume`);
      return askUser(`resume ${who} in Postern, under Apps${typed}`);
    }
    case 'find-name':
      return askUser('check in Postern whether this server is still connected');
    case 'fit-arguments':
      return { text: 'Pass only arguments that the input schema of the tool defines.', callAgain: true };
    case 'list-tools':
      return { text: 'List the tools of this server again: this one may have been renamed.', callAgain: false };
    case 'list-resources':
      return { text: 'List the resources of this server again.', callAgain: false };
    case 'list-prompts':
      return { text: 'List the prompts of this server again.', callAgain: false };
    case 'trust-certificate':
      return askUser(
        remedy.whose === 'company'
          ? 'have their company certificate added to the certificate store of this computer'
          : 'add their certificate to the certificate store of this computer',
      );
    case 'check-certificate':
      return askUser(
        remedy.problem === 'name'
          ? `check the address of “${name}”: its certificate is for another name`
          : `have the owner of “${name}” replace its certificate`,
      );
    case 'set-up-keychain':
    case 'test-storage':
      return askUser('open the settings of Postern and see, under storage, what its keychain needs');
    case 'fix-settings':
      return askUser('open Postern and fix its settings file, which it names');
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
      return askUser(`open Postern and connect “${name}” again, which shows what is missing`);
    case 'allow-app':
      return { text: 'Ask the user to allow it in Postern.', callAgain: false };
    // Same text as elsewhere, since the message already says how to continue.
    case 'wait':
    case 'try-again':
    case 'go-on':
      return { text: adviceText(remedy), callAgain: false };
    case 'contact-owner':
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

/** The error for a response that is not passed on. It did arrive, so the connection was not lost. */
export function unusableResponse(reason: Unusable): PosternError {
  return new PosternError(codes[reason], { stage: 'connection' });
}

/** How a response arrived over HTTP. */
export interface Arrival {
  readonly status: number;
  readonly isStream: boolean;
}

/**
 * Sends to the app; resolves when there is room for another. `requestKey`: the request that the message belongs to.
 * `arrival`: how the response arrived. Never rejects.
 */
export type SendToApp = (message: Buffer | string, requestKey?: string, arrival?: Arrival) => Promise<void>;

/**
 * Arrival of Postern's own responses. Over HTTP, `refusedArrival` makes apps that support both kinds of revisions fall
 * back to `initialize`.
 */
export const localArrival: Arrival = { status: 200, isStream: false };
export const refusedArrival: Arrival = { status: 400, isStream: false };

/** HTTP responses, which have to end. `requestKey`: as in `SendToApp`. */
export interface HttpResponses {
  /** Disconnects: the app has to fetch the rest later. */
  pause(requestKey: string): void;
  /** Ends a request that gets no response, or nothing more. */
  end(requestKey: string): void;
}
