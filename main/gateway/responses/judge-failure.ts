// Decides what to report to an app when a request fails.

import { isObject } from '../../../shared/json-object.ts';
import { hasTrait, userActionFor } from '../../../shared/error-traits.ts';
import type { Integration } from '../../../shared/integration.ts';
import { displayText } from '../../address/display-text.ts';
import { judgeKeyFailure } from '../../engine/records/api-key.ts';
import { invalidCommand } from '../../engine/use/local-connection.ts';
import { PosternError, remedyOf, toPlainError } from '../../errors/postern-error.ts';
import { LostRequest, ServerError, UnsentRequest } from '../../errors/request-error.ts';
import { displayNameLength } from '../../limits.ts';
import { serverWords } from '../../server-words.ts';
import { findRevisionMismatch } from '../../mcp/http/refused-response.ts';
import type { RevisionMismatch } from '../../mcp/http/refused-response.ts';
import { notMcpError, UnreachableServer } from '../../oauth/discovery/discovery.ts';
import type { ResponseEnvelope, RequestEnvelope } from '../messages/envelope.ts';
import { describeNextStep } from './responses.ts';
import type { NextStep, Refusal } from './responses.ts';

/** What to report to an app about a failure. */
export interface Judgment {
  readonly refusal: Refusal;
  /** Unreachable or signed out, so cached responses may be used. */
  readonly isAway: boolean;
  /** Blocked on this computer, which says nothing about the server. */
  readonly isStoppedHere: boolean;
}

type IntegrationSummary = Pick<Integration, 'id' | 'name' | 'alias' | 'url' | 'options' | 'command'>;

/**
 * Worded so that a model can pass it on to the user, since nothing here opens a window. `command`: the `postern`
 * command as typed on this computer.
 */
export function judgeFailure(integration: IntegrationSummary, thrown: unknown, command: string | undefined): Judgment {
  const original =
    thrown instanceof PosternError ? thrown : new PosternError('SESSION_LOST', { stage: 'gateway', cause: thrown });
  const error = serverError(integration, original);
  const reported = gatewayError(error);
  const name = displayText(integration.name, displayNameLength);
  const isUnreached = error instanceof UnreachableServer;
  // It was not even started.
  const isOff = hasTrait(error, 'local-server') && error instanceof UnsentRequest;
  const isStoppedHere = hasTrait(error, 'stopped-here');
  const isAway =
    isOff || isUnreached || isStoppedHere || userActionFor(remedyOf(error)) !== undefined || hasTrait(error, 'passing');
  const refusal = refusalFor(reported, { name, reference: integration.alias ?? integration.id, command });
  return { refusal, isAway, isStoppedHere };
}

/** The error as the engine reports it for this kind of server. */
function serverError(integration: IntegrationSummary, error: PosternError): PosternError {
  const { command: local } = integration;
  if (!local || !hasTrait(error, 'not-mcp')) return judgeKeyFailure(integration, { error });
  return invalidCommand(local.command, error, error instanceof HandshakeMismatch ? error.mismatch : undefined);
}

/** A request that was not sent means that the server is offline; one that was sent may have been executed. */
function gatewayError(error: PosternError): PosternError {
  if (!hasTrait(error, 'server-away')) return error;
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
class HandshakeMismatch extends PosternError {
  readonly mismatch: RevisionMismatch;

  constructor(mismatch: RevisionMismatch, { code, options }: PosternError) {
    super(code, options);
    this.mismatch = mismatch;
  }
}

/** Errors: MCP_FAILED if this response to `initialize` does not allow a session. */
export function requireRevision(
  { hasError, message: { result } }: ResponseEnvelope,
  { params }: RequestEnvelope,
  { host, status = 200 }: { readonly host: string; readonly status?: number },
): void {
  const mismatch = hasError ? undefined : findRevisionMismatch(result, params['protocolVersion']);
  if (mismatch) throw new HandshakeMismatch(mismatch, notMcpError('connection', { host, status, ...mismatch }));
}

/** The error of a server that refused Postern's handshake with a JSON-RPC error. */
export function refusedHandshake({ message }: ResponseEnvelope, host: string): PosternError {
  const error = message['error'];
  const options = { stage: 'connection', detail: { host } } as const;
  if (!isObject(error) || typeof error['message'] !== 'string') return new PosternError('MCP_FAILED', options);
  const words = serverWords({ code: Number(error['code']), message: error['message'] });
  return new ServerError('SERVER_ERROR', { ...options, words });
}

function sentenceOf(error: PosternError, message: string, name: string): string {
  if (hasTrait(error, 'app-connection')) return message;
  return hasTrait(error, 'sign-in-required') ? `${name} asks you to sign in.` : `${name}: ${message}`;
}

/** Whether the server may have received and executed the call. */
function mayHaveRun(error: PosternError): boolean {
  return error instanceof LostRequest && error.purpose === 'mcp';
}

function warnPossiblyDone({ text }: NextStep): NextStep {
  return {
    text: `${text} The call may have been carried out, so check before you repeat it.`,
    callAgain: false,
  };
}
