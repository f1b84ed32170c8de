import { isAbout, wayOutOf } from '../../../shared/error-facts.ts';
import type { Integration } from '../../../shared/integration.ts';
import { displayText } from '../../address/display-text.ts';
import { judgeKeyFailure } from '../../engine/kept/api-key.ts';
import { invalidCommand } from '../../engine/use/local-connection.ts';
import { PosternError, remedyOf, toPlainError } from '../../errors/postern-error.ts';
import { LostRequest, ServerError, serverWords, UnsentRequest } from '../../errors/request-error.ts';
import { displayNameLength } from '../../limits.ts';
import { wrongRevision } from '../../mcp/http/refused-answer.ts';
import type { WrongRevision } from '../../mcp/http/refused-answer.ts';
import { noMcp, UnreachedServer } from '../../oauth/discovery/discovery.ts';
import { isObject } from '../messages/envelope.ts';
import type { AnswerEnvelope, RequestEnvelope } from '../messages/envelope.ts';
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

type Named = Pick<Integration, 'id' | 'name' | 'alias' | 'url' | 'options' | 'command'>;

/**
 * In words that a model can pass on to the person: nothing here opens a window by itself. `command`: how they type
 * `postern` on this computer.
 */
export function judgeFailure(integration: Named, thrown: unknown, command: string | undefined): Judgement {
  const given =
    thrown instanceof PosternError ? thrown : new PosternError('SESSION_LOST', { stage: 'gateway', cause: thrown });
  const error = ofServer(integration, given);
  const told = errorToTell(error);
  const name = displayText(integration.name, displayNameLength);
  const isUnreached = error instanceof UnreachedServer;
  // It was not even started.
  const isOff = isAbout(error, 'local-server') && error instanceof UnsentRequest;
  const isStoppedHere = isAbout(error, 'stopped-here');
  const isAway =
    isOff || isUnreached || isStoppedHere || wayOutOf(remedyOf(error)) !== undefined || isAbout(error, 'passing');
  const refusal = refusalFor(told, { name, reference: integration.alias ?? integration.id, command });
  return { refusal, isAway, isStoppedHere };
}

/** As the engine tells it, whatever kind of server it is. */
function ofServer(integration: Named, error: PosternError): PosternError {
  const { command: local } = integration;
  if (!local || !isAbout(error, 'not-mcp')) return judgeKeyFailure(integration, { error });
  return invalidCommand(local.command, error, error instanceof WrongHandshake ? error.wrong : undefined);
}

/** If the request never left, the server is away; if it may have arrived, it may have been carried out. */
function errorToTell(error: PosternError): PosternError {
  if (!isAbout(error, 'server-away')) return error;
  const code = error instanceof LostRequest ? 'SESSION_LOST' : 'SERVER_OFFLINE';
  return new PosternError(code, { stage: 'gateway', cause: error });
}

export function refusalFor(error: PosternError, named: Parameters<typeof describeNextStep>[1]): Refusal {
  const { code, stage, message, remedy, serverWords: words } = toPlainError(error);
  const nextStep = describeNextStep(remedy, named);
  return {
    code,
    stage,
    message: sentenceOf(error, message, named.name),
    nextStep: mayBeDone(error) ? lookFirst(nextStep) : nextStep,
    ...(words && { serverWords: words }),
  };
}

/** No session can be begun with the answer to `initialize`. */
class WrongHandshake extends PosternError {
  readonly wrong: WrongRevision;

  constructor(wrong: WrongRevision, { code, options }: PosternError) {
    super(code, options);
    this.wrong = wrong;
  }
}

/** Errors: MCP_FAILED where no session can be begun with this answer to `initialize`. */
export function requireRevision(
  { hasError, message: { result } }: AnswerEnvelope,
  { params }: RequestEnvelope,
  { host, status = 200 }: { readonly host: string; readonly status?: number },
): void {
  const wrong = hasError ? undefined : wrongRevision(result, params['protocolVersion']);
  if (wrong) throw new WrongHandshake(wrong, noMcp('connection', { host, status, ...wrong }));
}

/** Why a server cannot be used that has answered a handshake of ours, and said no in an error of its own. */
export function refusedHandshake({ message }: AnswerEnvelope, host: string): PosternError {
  const error = message['error'];
  const about = { stage: 'connection', detail: { host } } as const;
  if (!isObject(error) || typeof error['message'] !== 'string') return new PosternError('MCP_FAILED', about);
  const words = serverWords({ code: Number(error['code']), message: error['message'] });
  return new ServerError('SERVER_ERROR', { ...about, words });
}

function sentenceOf(error: PosternError, message: string, name: string): string {
  if (isAbout(error, 'app-connection')) return message;
  return isAbout(error, 'sign-in-required') ? `${name} wants you to sign in.` : `${name}: ${message}`;
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
