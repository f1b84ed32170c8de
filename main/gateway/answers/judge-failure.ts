import { isOneOf, localCodes, passingCodes } from '../../../shared/error-codes.ts';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import type { Integration } from '../../../shared/integration.ts';
import { wayOutOf } from '../../../shared/way-out.ts';
import { displayText } from '../../address/display-text.ts';
import { judgeKeyFailure } from '../../integration/kept/api-key.ts';
import { displayNameLength } from '../../limits.ts';
import { UnreachedServer } from '../../oauth/discovery/discovery.ts';
import { remedyOf, toPlainError } from '../../plain-error.ts';
import { PosternError } from '../../postern-error.ts';
import { LostRequest, ServerError, serverWords, UnsentRequest } from '../../request-error.ts';
import { isObject } from '../messages/envelope.ts';
import type { AnswerEnvelope } from '../messages/envelope.ts';
import { describeNextStep } from './answers.ts';
import type { NextStep, Refusal } from './answers.ts';

/** What is to be said of a failure to a program. */
export interface Judgement {
  readonly refusal: Refusal;
  /** Signed out, offline: what was said before is still true of the server. */
  readonly isAway: boolean;
  /** It was stopped on this computer, and says nothing of the server. */
  readonly isStoppedHere: boolean;
}

type Named = Pick<Integration, 'id' | 'name' | 'alias' | 'url' | 'options'>;

const unreachable: ReadonlySet<ErrorCode> = new Set(['CONNECT_FAIL', 'DNS_FAIL', 'DEADLINE']);
/** What stops a request on this computer, and says nothing of the server. By code, since the vault and the list are ports. */
const stoppedHere: readonly ErrorCode[] = [
  'KC_LOCKED',
  'KC_UNAVAILABLE',
  'KC_DENIED',
  'KC_TIMEOUT',
  'NOT_FOUND',
  'GATEWAY_PAUSED',
  'PROGRAM_PAUSED',
];

/**
 * In words that a model can pass on to the person: nothing here opens a window by itself. `command`: how they type
 * `postern` on this computer.
 */
export function judgeFailure(integration: Named, thrown: unknown, command: string | undefined): Judgement {
  const given =
    thrown instanceof PosternError ? thrown : new PosternError('SESSION_LOST', { stage: 'gateway', cause: thrown });
  const error = judgeKeyFailure(integration, { error: given });
  const told = errorToTell(error);
  const name = displayText(integration.name, displayNameLength);
  const isUnreached = error instanceof UnreachedServer;
  // It was not even started.
  const isOff = isOneOf(localCodes, error) && error instanceof UnsentRequest;
  const isStoppedHere = isOneOf(stoppedHere, error);
  const isAway =
    isOff || isUnreached || isStoppedHere || wayOutOf(remedyOf(error)) !== undefined || isOneOf(passingCodes, error);
  const refusal = refusalFor(told, { name, reference: integration.alias ?? integration.id, command });
  return { refusal, isAway, isStoppedHere };
}

/** If the request never left, the server is away; if it may have arrived, it may have been carried out. */
function errorToTell(error: PosternError): PosternError {
  if (!unreachable.has(error.code)) return error;
  const code = error instanceof LostRequest ? 'SESSION_LOST' : 'SERVER_OFFLINE';
  return new PosternError(code, { stage: 'gateway', cause: error });
}

export function refusalFor(error: PosternError, named: Parameters<typeof describeNextStep>[1]): Refusal {
  const { code, stage, message, remedy, serverWords: words } = toPlainError(error);
  const nextStep = describeNextStep(remedy, named);
  return {
    code,
    stage,
    message: sentenceOf(code, message, named.name),
    nextStep: mayBeDone(error) ? lookFirst(nextStep) : nextStep,
    ...(words && { serverWords: words }),
  };
}

/** Why a server cannot be used that has answered a handshake of ours, and said no in an error of its own. */
export function refusedHandshake({ message }: AnswerEnvelope, host: string): PosternError {
  const error = message['error'];
  const about = { stage: 'connection', detail: { host } } as const;
  if (!isObject(error) || typeof error['message'] !== 'string') return new PosternError('MCP_FAILED', about);
  const words = serverWords({ code: Number(error['code']), message: error['message'] });
  return new ServerError('SERVER_ERROR', { ...about, words });
}

function sentenceOf(code: ErrorCode, message: string, name: string): string {
  // Nothing is wrong with the server.
  if (code === 'PIPE_OUTDATED') return message;
  return code === 'SIGN_IN_REQUIRED' ? `${name} wants you to sign in.` : `${name}: ${message}`;
}

/** The server may have received the call itself, and obeyed it. */
function mayBeDone(error: PosternError): boolean {
  return error instanceof LostRequest && error.purpose === 'mcp';
}

function lookFirst({ text }: NextStep): NextStep {
  return {
    text: `${text} What was asked for may have been done all the same; look before you ask again.`,
    callAgain: false,
  };
}
