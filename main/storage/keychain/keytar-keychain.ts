import type { ErrorCode } from '../../../shared/error-codes.ts';
import { hasTrait } from '../../../shared/error-traits.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { keychainTimeout, keychainValueLength } from '../../limits.ts';
import type { Keychain } from '../../ports.ts';
import { startKeychainProcess } from './keychain-process.ts';
import type { KeychainResponse, KeychainProcess, KeychainRequest, MissingPart } from './keychain-process.ts';

interface KeychainOptions {
  /** From `keychainService(channel)`. */
  readonly service: string;
  /** Path of `keychain-child`. Only the composition root knows it: source and bundle have different layouts. */
  readonly childPath: string;
  /** Milliseconds per call; an unlock prompt waits for the user. */
  readonly timeout?: number;
  /** How to start the child. Default: a Node fork. */
  readonly start?: (childPath: string) => KeychainProcess;
}

export interface SystemKeychain extends Keychain {
  /**
   * Call this when a call is likely soon: starts the child and, given an account, starts to read it. The next `read` of
   * that account uses the result.
   */
  prepare(account?: string): void;
}

type KeychainCall = Omit<KeychainRequest, 'service'>;

/**
 * The system keychain through keytar in a child process, started by the first call and killed when a call times out.
 * Calls run one at a time. Errors: KC_UNAVAILABLE, KC_LOCKED, KC_DENIED, KC_TIMEOUT, KC_TOO_LARGE.
 */
export function createKeychain(options: KeychainOptions): SystemKeychain {
  const { service, childPath, timeout = keychainTimeout, start = startKeychainProcess } = options;
  let child: KeychainProcess | undefined;
  let hasWorked = false;
  let prefetched: { account: string; value: Promise<string | null> } | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  function runningChild(): KeychainProcess {
    if (child?.isAlive) return child;
    hasWorked = false;
    return (child = start(childPath));
  }

  async function attempt(request: KeychainCall): Promise<string | null> {
    const response = await runningChild().request({ ...request, service }, timeout);
    if (!response.ok) throw toKeychainError(response);
    hasWorked = true;
    return response.value;
  }

  /** A broken D-Bus connection stays broken in its process, so a child that worked before is replaced once. */
  async function call(request: KeychainCall): Promise<string | null> {
    const worked = hasWorked && child?.isAlive === true;
    try {
      return await attempt(request);
    } catch (error) {
      if (!(error instanceof PosternError) || !hasTrait(error, 'no-keychain')) throw error;
      await child?.kill();
      if (!worked) throw error;
      return attempt(request);
    }
  }

  async function probe(): Promise<void> {
    const entry = `probe-${crypto.randomUUID()}`;
    await call({ operation: 'write', account: entry, value: entry });
    const stored = await call({ operation: 'read', account: entry });
    await call({ operation: 'delete', account: entry });
    if (stored !== entry) throw new PosternError('KC_UNAVAILABLE', { stage: 'storage' });
  }

  /** libsecret returns null for a locked keyring, without an error, so a null is verified with a test entry. */
  async function readVerified(account: string): Promise<string | null> {
    const first = await call({ operation: 'read', account });
    if (first !== null) return first;
    await probe();
    // The probe may have unlocked it.
    return call({ operation: 'read', account });
  }

  function enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = queue.then(work);
    queue = result.catch(() => {});
    return result;
  }

  return {
    prepare(account) {
      runningChild();
      if (account === undefined) return;
      const response = enqueue(() => readVerified(account));
      response.catch(() => {});
      prefetched = { account, value: response };
    },
    read(account) {
      const result = prefetched?.account === account ? prefetched.value : undefined;
      prefetched = undefined;
      return result ?? enqueue(() => readVerified(account));
    },
    write: (account, value) =>
      enqueue(async () => {
        if (value.length > keychainValueLength) throw new PosternError('KC_TOO_LARGE', { stage: 'storage' });
        await call({ operation: 'write', account, value });
      }),
    delete: (account) =>
      enqueue(async () => {
        if ((await call({ operation: 'delete', account })) !== null) return;
        if ((await readVerified(account)) !== null) throw new PosternError('KC_LOCKED', { stage: 'storage' });
      }),
    probe: () => enqueue(probe),
    close: async () => {
      await child?.kill();
    },
  };
}

/** keytar's errors only have a message. These match libsecret, macOS and Windows. First match wins. */
const errorPatterns: readonly (readonly [RegExp, ErrorCode])[] = [
  [/locked collection|is locked|interaction is not allowed|dark wake/i, 'KC_LOCKED'],
  [/dismissed|cancell?ed|denied|not correct|permission|not permitted|authorization/i, 'KC_DENIED'],
  [/stub received bad data|too (large|long|big)/i, 'KC_TOO_LARGE'],
];

/**
 * Maps an error message to a code; the message itself only appears in `cause`. Unknown messages (no D-Bus, no secret
 * service, no login keyring, keytar or libsecret not installed) are KC_UNAVAILABLE.
 */
export function toKeychainError(response: Extract<KeychainResponse, { ok: false }>): PosternError {
  if (response.missing !== undefined) return missingError(response.missing, response.message);
  const code = errorPatterns.find(([pattern]) => pattern.test(response.message))?.[1] ?? 'KC_UNAVAILABLE';
  return new PosternError(code, { stage: 'storage', cause: new Error(response.message) });
}

/** The keychain is fine, but the software to access it is not installed. */
function missingError(missing: MissingPart, message: string): PosternError {
  return new PosternError('KC_UNAVAILABLE', {
    stage: 'storage',
    cause: new Error(message),
    detail: { missing },
    remedy: { kind: 'set-up-keychain', missing },
  });
}
