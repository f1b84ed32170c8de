import { adviceText } from '../../../shared/error-catalogue/catalogue-entry.ts';
import { timeOfDay } from '../../../shared/error-catalogue/catalogue-entry.ts';
import { quoteServerWords } from '../../../shared/error-codes.ts';
import type { ErrorCode, ServerWords, Stage } from '../../../shared/error-codes.ts';
import type { Remedy } from '../../../shared/remedy.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { surveyJson } from '../../mcp/messages/survey-json.ts';
import type { JsonObject, Unusable } from '../messages/envelope.ts';

/** JSON-RPC 2.0 section 5.1, and codes that MCP adds. */
export const rpcCode = {
  notJson: -32_700,
  notARequest: -32_600,
  unknownMethod: -32_601,
  wrongParameters: -32_602,
  internal: -32_603,
  /** MCP 2025-11-25, resources, error handling. */
  unknownResource: -32_002,
  implementation: -32_000,
  /** MCP 2026-07-28, streamable HTTP: arguments have to be repeated in header fields. */
  headerMismatch: -32_020,
  /** The same, versioning. */
  unknownRevision: -32_022,
} as const;

/** What Postern says in the place of a server: a sentence and what helps, and apart from these what the server said. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly stage: Stage;
  readonly message: string;
  readonly nextStep: NextStep;
  readonly serverWords?: ServerWords | undefined;
}

/**
 * The answer to a request that cannot be passed on. A call of a tool gets a result that the model reads
 * (MCP 2025-11-25, tools, error handling); anything else an error.
 */
export function refusalOf(id: string, method: string, refusal: Refusal): string {
  const { code, stage, message, nextStep, serverWords } = refusal;
  const words = serverWords && quoteServerWords({ ...serverWords, message: quotable(serverWords.message) });
  const said = words ? `The server says: ${words}` : undefined;
  const own = serverWords && { serverWords };
  if (method !== 'tools/call') {
    // Where the first request fails, programs show a person nothing but the message.
    const sentence = [message, method === 'initialize' ? nextStep.text : '', said].filter(Boolean).join(' ');
    return errorText(id, rpcCode.implementation, sentence, { code, nextStep: nextStep.text, ...own });
  }
  const text = `${message} ${nextStep.text}${nextStep.callAgain ? ' Then call the tool again.' : ''}`;
  return resultText(id, {
    // Required since 2026-07-28; for older programs one member more.
    resultType: 'complete',
    content: [text, said].flatMap((each) => (each === undefined ? [] : [{ type: 'text', text: each }])),
    isError: true,
    _meta: { 'dev.postern/error': { code, stage, ...own } },
  });
}

/** Nothing in it ends the quotation. */
function quotable(words: string): string {
  return words.replaceAll(/[“”"]/gu, '’');
}

/** `id`: as JSON text; `undefined` where none could be read. */
export function errorText(id: string | undefined, code: number, message: string, data?: JsonObject): string {
  const error = JSON.stringify({ code, message, ...(data && { data }) });
  return `{"jsonrpc":"2.0","id":${id ?? 'null'},"error":${error}}`;
}

/** The answer to a message of which only the start is known. */
export function tooLongText(beginning: Buffer): string {
  const { id } = surveyJson(beginning);
  const message = 'This message is longer than Postern takes.';
  return errorText(id, rpcCode.notARequest, message, { code: 'BODY_TOO_LARGE' });
}

/** The answer to a message that servers may read in more than one way, where it matters what is called. */
export function ambiguousText(id: string): string {
  return errorText(
    id,
    rpcCode.notARequest,
    'A member of this message stands in it twice, or is not spelled as MCP spells it.',
  );
}

/** Why a request is not taken: another one has its id. */
export const underWay = 'A request with this id is under way.';

/** Why a request does not wait here. */
export const tooMany = 'Too many requests wait here.';

/** The answer to a request behind which too many wait. */
export function tooManyText(id: string): string {
  return errorText(id, rpcCode.implementation, tooMany);
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
  'not-a-message': [rpcCode.notARequest, 'This is not a message of JSON-RPC 2.0.'],
  batch: [rpcCode.notARequest, 'Messages have to be sent one by one.'],
  'too-deep': [rpcCode.notARequest, 'This message is nested too deeply.', 'JSON_DEPTH'],
  'too-many-values': [rpcCode.notARequest, 'This message has too many values.', 'BODY_TOO_LARGE'],
};

/** The answer to what a program sends and is no message. */
export function unusableText(id: string | undefined, reason: Unusable): string {
  const [code, message, name] = unusable[reason];
  return errorText(id, code, message, name && { code: name });
}

/** What helps, in a sentence that a model can act on or pass on to the person. */
export interface NextStep {
  readonly text: string;
  /** Once that is done, the same call can be made again: none of it has happened. */
  readonly callAgain: boolean;
}

/** A server: how it is shown, and how a command names it; and how a person types that command, if they can. */
interface Named {
  readonly name: string;
  readonly reference: string;
  readonly command: string | undefined;
}

/**
 * The words of a remedy for a model: no button, and no command but those that sign in and resume, since `postern serve`
 * has no window.
 */
export function describeNextStep(remedy: Remedy, { name, reference, command }: Named): NextStep {
  const orToRun = (words: string): string => (command === undefined ? '' : ` (or to run \`${command} ${words}\`)`);
  const orToSignIn = (what: 'refresh' | 'tools'): string => orToRun(`${what} ${reference} --sign-in browser`);
  const ask = (what: string): NextStep => ({ text: `Ask the person to ${what}.`, callAgain: true });
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
        ? ask(`have the administrator of the service grant them, and then to sign in again in Postern under “${name}”`)
        : ask(`${choose} and grant the permissions${orToSignIn('tools')}`);
    case 'replace-key':
      return ask(`${choose} and give its key again`);
    case 'await-renewal':
      if (remedy.until !== undefined) return { text: `Wait until ${timeOfDay(remedy.until)}.`, callAgain: true };
      return remedy.first
        ? describeNextStep(remedy.first, { name, reference, command })
        : { text: 'Wait a minute.', callAgain: true };
    case 'allow-command':
      return ask(`look at what “${name}” runs, and allow it${orToRun(`local start ${reference}`)}`);
    case 'connect-command':
      return ask(`connect “${name}” again in Postern, with its command`);
    case 'start-server':
      return ask(`start “${name}” again${orToRun(`local start ${reference}`)}`);
    case 'name-folder':
      return ask(`put the folder of “${name}” back, or connect it again in Postern with another one`);
    case 'see-output':
      return ask(`look at what “${name}” has written${orToRun(`local logs ${reference}`)}`);
    case 'review-tools':
      return ask(`${choose}, Permissions, and look at what has changed${orToRun(`permit ${reference} --review`)}`);
    case 'resume-programs':
      return ask(`let programs go on in Postern${orToRun('settings programsPaused false')}`);
    case 'resume-program': {
      const { name: who = 'this program', program } = remedy;
      const typed = program === undefined ? '' : orToRun(`programs ${program} --resume`);
      return ask(`let ${who} go on in Postern, under Programs${typed}`);
    }
    case 'find-name':
      return ask('look in Postern whether this server is still connected');
    case 'fit-arguments':
      return { text: 'Give the tool only what its input schema names.', callAgain: true };
    case 'list-tools':
      return { text: 'List the tools of this server again: this one may have another name now.', callAgain: false };
    case 'list-resources':
      return { text: 'List the resources of this server again.', callAgain: false };
    case 'list-prompts':
      return { text: 'List the prompts of this server again.', callAgain: false };
    case 'trust-certificate':
      return ask(
        remedy.whose === 'company'
          ? 'have the certificate of their company put into the store of this computer'
          : 'put their certificate into the store of this computer',
      );
    case 'check-certificate':
      return ask(
        remedy.problem === 'name'
          ? `check the address of “${name}”: its certificate is for another name`
          : `have the owner of “${name}” replace its certificate`,
      );
    case 'set-up-keychain':
    case 'test-storage':
      return ask('look in the settings of Postern, under storage, what its keychain lacks');
    case 'mend-settings':
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
    case 'find-program':
    case 'choose-entry-name':
    case 'paste-lines':
    case 'correct-input':
    case 'use-as-it-is':
      return ask(`open Postern and connect “${name}” again, which says what stands in the way`);
    case 'allow-program':
      return { text: 'Ask the person to allow it in Postern.', callAgain: false };
    // Said alike everywhere. What says by itself how to go on needs no more.
    case 'wait':
    case 'try-again':
    case 'go-on':
      return { text: adviceText(remedy), callAgain: false };
    case 'tell-owner':
    case 'report':
      return { text: `Tell the person: ${adviceText(remedy)}`, callAgain: false };
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
    case 'mend-files':
      return { text: `Tell the person: ${adviceText(remedy)}`, callAgain: true };
  }
}

const codes: Readonly<Record<Unusable, ErrorCode>> = {
  'not-json': 'JSON_INVALID',
  'not-a-message': 'JSON_INVALID',
  batch: 'JSON_INVALID',
  'too-deep': 'JSON_DEPTH',
  'too-many-values': 'RESULT_TOO_LARGE',
};

/** Why an answer of a server is not passed on: it came, so nobody is told that the connection has ended. */
export function unusableAnswer(reason: Unusable): PosternError {
  return new PosternError(codes[reason], { stage: 'connection' });
}

/** How an answer came by HTTP: with which status, and whether on a stream. */
export interface Arrival {
  readonly status: number;
  readonly isStream: boolean;
}

/**
 * To the app; resolves when there is room for another. `about`: what its request is known by that the message belongs
 * to; `arrival`: how that was answered. Never rejects.
 */
export type SendAbout = (message: Buffer | string, about?: string, arrival?: Arrival) => Promise<void>;

/** What is said in the server's place; by HTTP `refused` is how apps of both revisions learn to begin with `initialize`. */
export const answered: Arrival = { status: 200, isStream: false };
export const refused: Arrival = { status: 400, isStream: false };

/** What HTTP has beside the messages: each request has an answer of its own, which ends. `about`: as of `SendAbout`. */
export interface AnswersByHttp {
  /** The server has the app ask for the rest later. */
  pause(about: string): void;
  /** No answer comes to this any more, or no more of it. */
  end(about: string): void;
}
