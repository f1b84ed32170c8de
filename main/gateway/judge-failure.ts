import type { Integration } from '../../shared/integration.ts';
import { wantsSignIn } from '../../shared/wants-sign-in.ts';
import { displayText } from '../address/display-text.ts';
import { displayNameLength } from '../limits.ts';
import { judgeKeyFailure } from '../integration/kept/api-key.ts';
import { toPlainError } from '../plain-error.ts';
import { PosternError } from '../postern-error.ts';
import { RequestError } from '../request-error.ts';
import type { Refusal } from './answers.ts';
import type { ErrorCode } from '../../shared/error-codes.ts';

/** What is to be said of a failure to a program. */
export interface Judgement {
  readonly refusal: Refusal;
  /** Signed out, offline: what was said before is still true of the server. */
  readonly isAway: boolean;
}

type Named = Pick<Integration, 'name' | 'alias' | 'url' | 'options'>;

const unreachable: ReadonlySet<ErrorCode> = new Set(['CONNECT_FAIL', 'DNS_FAIL', 'DEADLINE']);
const passing: ReadonlySet<ErrorCode> = new Set([
  ...unreachable,
  ...(['TLS_FAIL', 'PROXY_FAIL', 'REFRESH_TRANSIENT', 'API_KEY_REFUSED', 'API_KEY_MISSING'] as const),
  ...(['KC_LOCKED', 'KC_UNAVAILABLE', 'KC_DENIED', 'KC_TIMEOUT', 'NOT_FOUND', 'GATEWAY_PAUSED'] as const),
]);

/** In words that a model can pass on to the person: nothing here opens a window by itself. */
export function judgeFailure(integration: Named, thrown: unknown): Judgement {
  const given =
    thrown instanceof PosternError ? thrown : new PosternError('SESSION_LOST', { stage: 'gateway', cause: thrown });
  const error = judgeKeyFailure(integration, { error: given });
  const told = errorToTell(error);
  const name = displayText(integration.name, displayNameLength);
  const isAway = wantsSignIn(error) || passing.has(error.code);
  return { refusal: refusalFor(told, name, integration.alias ?? name), isAway };
}

/** Whatever kept the request from leaving, the server is away; what may have arrived may have been done. */
function errorToTell(error: PosternError): PosternError {
  if (!unreachable.has(error.code)) return error;
  const isLost = error instanceof RequestError && error.sent === 'maybe';
  return new PosternError(isLost ? 'SESSION_LOST' : 'SERVER_OFFLINE', { stage: 'gateway', cause: error });
}

export function refusalFor(error: PosternError, name: string, alias: string): Refusal {
  const { code, stage, message, remedy } = toPlainError(error);
  const said = {
    code,
    stage,
    message: code === 'SIGN_IN_REQUIRED' ? `${name} wants you to sign in.` : `${name}: ${message}`,
  };
  const ask = (what: string): Refusal => ({ ...said, nextStep: `Ask the person to ${what}.` });
  const signIn = `open Postern and choose “${name}”, Sign in (or to run \`postern refresh ${alias} --sign-in browser\`)`;
  if ('advice' in remedy) return { ...said, nextStep: remedy.advice };
  switch (remedy.kind) {
    case 'sign-in':
    case 'sign-in-or-remove':
    case 'try-then-sign-in':
    case 'replace-credentials':
    case 'correct-credentials':
      return ask(signIn);
    case 'grant-scopes':
      return ask(
        `open Postern, choose “${name}” and grant the permissions (or to run \`postern tools ${alias} --sign-in browser\`)`,
      );
    case 'replace-key':
      return ask(`open Postern, choose “${name}” and give its key again`);
    case 'await-renewal':
      return { ...said, nextStep: 'Wait a minute.' };
    case 'find-name':
      return ask('look in Postern whether this server is still connected');
    default:
      return ask(`open Postern and look at “${name}”`);
  }
}
