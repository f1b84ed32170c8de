import type { ErrorCode, PlainError } from '../../shared/error-codes.ts';
import type { Integration } from '../../shared/integration.ts';
import type { Remedy } from '../../shared/remedy.ts';
import { toPlainError } from '../plain-error.ts';
import { isOutcome, PosternError } from '../errors/postern-error.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { callbackAddress, callbackUrl } from '../engine/sign-in/callback-address.ts';

/** 1 November 2026, in milliseconds since 1970: this version was made later, so a clock that says less is wrong. */
export const releasedAfter = 1_793_491_200_000;

/** One thing that a sign-in needs, and what to do where it is not as it should be. */
export interface Check {
  readonly name: 'settings' | 'keychain' | 'vault' | 'callback' | 'clock' | 'providers';
  readonly ok: boolean;
  readonly code?: ErrorCode;
  readonly message?: string;
  readonly detail?: PlainError['detail'];
  readonly remedy?: Remedy;
}

interface Diagnosis {
  readonly callbackUrl?: string;
  readonly checks: readonly Check[];
}

/** What somebody else has tried; without an error all went well. */
interface Finding {
  readonly name: Check['name'];
  readonly error?: PosternError;
}

/** Tries what every sign-in needs, one after the other; never throws for what it finds. Errors: USER_CANCELLED. */
export async function runDoctor(
  ports: EnginePorts,
  testStorage: () => Promise<readonly Finding[]>,
): Promise<Diagnosis> {
  const settings = await attempt('settings', async () => void (await ports.store.list()));
  const storage = await testStorage();
  let url: string | undefined;
  const callback = await attempt('callback', async () => {
    const address = await callbackAddress(ports);
    url = callbackUrl(address);
    const listener = await ports.callbacks.listen(address, { callback: () => 'not-valid', link: () => 'not-valid' });
    await listener.close();
  });
  const clock = await attempt('clock', async () => {
    // A list that cannot be read is told by its own check.
    checkClock(ports.clock.now(), settings.error ? [] : await ports.store.list());
  });
  const all = settings.error ? [] : await ports.store.list();
  const served = all.filter(({ options }) => options.grant === 'enterprise');
  const providers = served.length === 0 ? [] : [await attempt('providers', async () => checkProviders(served, all))];
  const checks = [settings, ...storage, callback, clock, ...providers].map(describe);
  return { ...(url !== undefined && { callbackUrl: url }), checks };
}

async function attempt(name: Check['name'], work: () => Promise<void>): Promise<Finding> {
  try {
    await work();
    return { name };
  } catch (error) {
    if (!isOutcome(error)) throw error;
    return { name, error };
  }
}

function describe({ name, error }: Finding): Check {
  if (!error) return { name, ok: true };
  const { code, message, detail, remedy } = toPlainError(error);
  return { name, ok: false, code, message, ...(detail && { detail }), remedy };
}

const day = 24 * 60 * 60_000;
/** Nobody runs a version for longer; certificates end before that. */
const longestUse = 20 * 365 * day;

/**
 * Whether the wall clock can be right: not before this version was made, nor far after it, and not before what it said
 * when an integration was used last. `now` in milliseconds since 1970. Errors: CLOCK_WRONG.
 */
export function checkClock(now: number, integrations: readonly Integration[]): void {
  const seen = integrations.flatMap(({ createdAt, signedInAt, refreshedAt }) => [createdAt, signedInAt, refreshedAt]);
  const lastSeen = Math.max(0, ...seen.filter((moment) => moment !== undefined));
  const isPossible = now >= releasedAfter && now <= releasedAfter + longestUse;
  // A day: time zones are no fault, and a clock that ran ahead may have been put right.
  if (isPossible && now >= lastSeen - day) return;
  throw new PosternError('CLOCK_WRONG', { stage: 'app', detail: { moment: now } });
}

/** Somebody is signed in at every identity provider that servers depend on. Errors: PROVIDER_SIGN_IN. */
function checkProviders(served: readonly Integration[], all: readonly Integration[]): void {
  for (const { options } of served) {
    const provider = all.find(({ id }) => id === options.identityProvider);
    if (provider?.options.isIdentityProvider && provider.state === 'integrated') continue;
    throw new PosternError('PROVIDER_SIGN_IN', {
      stage: 'token',
      ...(provider && { detail: { name: provider.name } }),
    });
  }
}
