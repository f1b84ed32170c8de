import { isAbout, userActionFor } from '../../../shared/error-facts.ts';
import type { Integration } from '../../../shared/integration.ts';
import { displayText } from '../../address/display-text.ts';
import { judgeKeyFailure } from '../../engine/records/api-key.ts';
import { invalidCommand } from '../../engine/use/local-connection.ts';
import { PosternError, remedyOf, toPlainError } from '../../errors/postern-error.ts';
import { LostRequest, ServerError, serverWords, UnsentRequest } from '../../errors/request-error.ts';
import { displayNameLength } from '../../limits.ts';
import { findRevisionMismatch } from '../../mcp/http/refused-response.ts';
import type { RevisionMismatch } from '../../mcp/http/refused-response.ts';
import { notMcpError, UnreachableServer } from '../../oauth/discovery/discovery.ts';
import { isObject } from '../messages/envelope.ts';
import type { ResponseEnvelope, RequestEnvelope } from '../messages/envelope.ts';
import { describeNextStep } from './responses.ts';
import type { NextStep, Refusal } from './responses.ts';

/** What to report to an app about a failure. */
export interface Judgement {
  readonly refusal: Refusal;
  /** Signed out or offline: cached responses are still valid. */
  readonly isAway: boolean;
  /** Stopped on this computer, so it tells nothing about the server. */
  readonly isStoppedHere: boolean;
}

type Named = Pick<Integration, 'id' | 'name' | 'alias' | 'url' | 'options' | 'command'>;

/**
 * Worded so that a model can pass it on to the user: nothing here opens a window on its own. `command`: how the user
 * types `postern` on this computer.
 */
export function judgeFailure(integration: Named, thrown: unknown, command: string | undefined): Judgement {
  const given =
    thrown instanceof PosternError ? thrown : new PosternError('SESSION_LOST', { stage: 'gateway', cause: thrown });
  const error = serverError(integration, given);
  const reported = gatewayError(error);
  const name = displayText(integration.name, displayNameLength);
  const isUnreached = error instanceof UnreachableServer;
  // It was not even started.
  const isOff = isAbout(error, 'local-server') && error instanceof UnsentRequest;
  const isStoppedHere = isAbout(error, 'stopped-here');
  const isAway =
    isOff || isUnreached || isStoppedHere || userActionFor(remedyOf(error)) !== undefined || isAbout(error, 'passing');
  const refusal = refusalFor(reported, { name, reference: integration.alias ?? integration.id, command });
  return { refusal, isAway, isStoppedHere };
}

/** As the engine reports it, for each kind of server. */
function serverError(integration: Named, error: PosternError): PosternError {
  const { command: local } = integration;
  if (!local || !isAbout(error, 'not-mcp')) return judgeKeyFailure(integration, { error });
  return invalidCommand(local.command, error, error instanceof WrongHandshake ? error.wrong : undefined);
}

/** If the request was never sent, the server is away; if it may have arrived, it may have run. */
function gatewayError(error: PosternError): PosternError {
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
    nextStep: mayHaveRun(error) ? warnPossiblyDone(nextStep) : nextStep,
    ...(words && { serverWords: words }),
  };
}

/** The response to `initialize` does not allow a session. */
class WrongHandshake extends PosternError {
  readonly wrong: RevisionMismatch;

  constructor(wrong: RevisionMismatch, { code, options }: PosternError) {
    super(code, options);
    this.wrong = wrong;
  }
}

/** Errors: MCP_FAILED if this response to `initialize` does not allow a session. */
export function requireRevision(
  { hasError, message: { result } }: ResponseEnvelope,
  { params }: RequestEnvelope,
  { host, status = 200 }: { readonly host: string; readonly status?: number },
): void {
  const wrong = hasError ? undefined : findRevisionMismatch(result, params['protocolVersion']);
  if (wrong) throw new WrongHandshake(wrong, notMcpError('connection', { host, status, ...wrong }));
}

/** Why a server cannot be used that refused Postern's handshake with an error of its own. */
export function refusedHandshake({ message }: ResponseEnvelope, host: string): PosternError {
  const error = message['error'];
  const about = { stage: 'connection', detail: { host } } as const;
  if (!isObject(error) || typeof error['message'] !== 'string') return new PosternError('MCP_FAILED', about);
  const words = serverWords({ code: Number(error['code']), message: error['message'] });
  return new ServerError('SERVER_ERROR', { ...about, words });
}

function sentenceOf(error: PosternError, message: string, name: string): string {
  if (isAbout(error, 'app-connection')) return message;
  return isAbout(error, 'sign-in-required') ? `${name} asks you to sign in.` : `${name}: ${message}`;
}

/** The server may have received the call and run it. */
function mayHaveRun(error: PosternError): boolean {
  return error instanceof LostRequest && error.purpose === 'mcp';
}

function warnPossiblyDone({ text }: NextStep): NextStep {
  return {
    text: `${text} The call may have been carried out, so check before you repeat it.`,
    callAgain: false,
  };
}
