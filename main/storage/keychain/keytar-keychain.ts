import type { ErrorCode } from '../../../shared/error-codes.ts';
import { isAbout } from '../../../shared/error-facts.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { keychainTimeout, keychainValueLength } from '../../limits.ts';
import type { Keychain } from '../../ports.ts';
import { startKeychainProcess } from './keychain-process.ts';
import type { KeychainAnswer, KeychainProcess, KeychainRequest, MissingPart } from './keychain-process.ts';

export interface KeychainOptions {
  /** From `keychainService(channel)`. */
  readonly service: string;
  /** Path of `keychain-child`, which the composition root knows: source and bundle lay it out differently. */
  readonly childPath: string;
  /** Milliseconds for each call; an unlock prompt waits for a person. */
  readonly timeout?: number;
  /** How the child is started; default: forked from Node. */
  readonly start?: (childPath: string) => KeychainProcess;
}

export interface SystemKeychain extends Keychain {
  /**
   * For when a call is to be expected soon: starts the child, and with an account begins to read that. The next
   * `read` of it takes the answer.
   */
  prepare(account?: string): void;
}

type Call = Omit<KeychainRequest, 'service'>;

/**
 * The system keychain through keytar in a child process, forked at the first call and killed by a call that takes too
 * long. Calls run one after the other. Errors: KC_UNAVAILABLE, KC_LOCKED, KC_DENIED, KC_TIMEOUT, KC_TOO_LARGE.
 */
export function createKeychain(options: KeychainOptions): SystemKeychain {
  const { service, childPath, timeout = keychainTimeout, start = startKeychainProcess } = options;
  let child: KeychainProcess | undefined;
  let proven = false;
  let early: { account: string; answer: Promise<string | null> } | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  function running(): KeychainProcess {
    if (child?.alive) return child;
    proven = false;
    return (child = start(childPath));
  }

  async function attempt(request: Call): Promise<string | null> {
    const answer = await running().request({ ...request, service }, timeout);
    if (!answer.ok) throw toKeychainError(answer);
    proven = true;
    return answer.value;
  }

  /** A D-Bus connection that broke stays broken in its process: one that has worked before is replaced, once. */
  async function call(request: Call): Promise<string | null> {
    const worked = proven && child?.alive === true;
    try {
      return await attempt(request);
    } catch (error) {
      if (!(error instanceof PosternError) || !isAbout(error, 'no-keychain')) throw error;
      await child?.kill();
      if (!worked) throw error;
      return attempt(request);
    }
  }

  async function prove(): Promise<void> {
    const probe = `probe-${crypto.randomUUID()}`;
    await call({ operation: 'write', account: probe, value: probe });
    const kept = await call({ operation: 'read', account: probe });
    await call({ operation: 'delete', account: probe });
    if (kept !== probe) throw new PosternError('KC_UNAVAILABLE', { stage: 'storage' });
  }

  /** libsecret reads null from a locked keyring, without an error: only a keychain that takes an entry is open. */
  async function readProven(account: string): Promise<string | null> {
    const first = await call({ operation: 'read', account });
    if (first !== null) return first;
    await prove();
    // That may have unlocked it.
    return call({ operation: 'read', account });
  }

  function enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = queue.then(work);
    queue = result.catch(() => {});
    return result;
  }

  return {
    prepare(account) {
      running();
      if (account === undefined) return;
      const answer = enqueue(() => readProven(account));
      answer.catch(() => {});
      early = { account, answer };
    },
    read(account) {
      const begun = early?.account === account ? early.answer : undefined;
      early = undefined;
      return begun ?? enqueue(() => readProven(account));
    },
    write: (account, value) =>
      enqueue(async () => {
        if (value.length > keychainValueLength) throw new PosternError('KC_TOO_LARGE', { stage: 'storage' });
        await call({ operation: 'write', account, value });
      }),
    delete: (account) =>
      enqueue(async () => {
        if ((await call({ operation: 'delete', account })) !== null) return;
        if ((await readProven(account)) !== null) throw new PosternError('KC_LOCKED', { stage: 'storage' });
      }),
    prove: () => enqueue(prove),
    close: async () => {
      await child?.kill();
    },
  };
}

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
