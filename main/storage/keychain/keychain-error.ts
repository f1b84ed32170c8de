import type { ErrorCode } from '../../../shared/error-codes.ts';
import { PosternError } from '../../postern-error.ts';
import type { KeychainAnswer, MissingPart } from './keychain-messages.ts';

/** keytar's errors have a message only; these are what libsecret, macOS and Windows say. First match wins. */
const messages: readonly (readonly [RegExp, ErrorCode])[] = [
  [/locked collection|is locked|interaction is not allowed|dark wake/i, 'KC_LOCKED'],
  [/dismissed|cancell?ed|denied|not correct|permission|not permitted|authorization/i, 'KC_DENIED'],
  [/stub received bad data|too (large|long|big)/i, 'KC_TOO_LARGE'],
];

/**
 * Types a refusal by its message; the message itself goes no further than `cause`. Whatever is not known (no D-Bus, no
 * secret service, no login keyring, keytar or libsecret not installed) is KC_UNAVAILABLE.
 */
export function toKeychainError(answer: Extract<KeychainAnswer, { ok: false }>): PosternError {
  if (answer.missing !== undefined) return missingError(answer.missing, answer.message);
  const code = messages.find(([pattern]) => pattern.test(answer.message))?.[1] ?? 'KC_UNAVAILABLE';
  return new PosternError(code, { stage: 'storage', cause: new Error(answer.message) });
}

/** No keychain is at fault: what would talk to it is not there. */
function missingError(missing: MissingPart, message: string): PosternError {
  return new PosternError('KC_UNAVAILABLE', {
    stage: 'storage',
    cause: new Error(message),
    detail: { missing },
    remedy: { kind: 'set-up-keychain', missing },
  });
}
