import { describeError } from '../../../shared/error-codes.ts';
import type { PlainError } from '../../../shared/error-codes.ts';
import { detailSchema } from '../../../shared/error-detail.ts';
import { hasTrait, isSameError, userActionFor } from '../../../shared/error-traits.ts';
import type { Integration } from '../../../shared/integration.ts';
import { remedySchema } from '../../../shared/remedy.ts';
import type { ServerEvent } from '../../../shared/trace.ts';
import { isExpectedError, remedyOf, toPlainError } from '../../errors/postern-error.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { FailedCall } from '../../errors/request-error.ts';
import { refusalFrom } from '../../mcp/http/credential-gate.ts';
import { ServerOutage } from '../../oauth/discovery/discovery.ts';
import type { HistoryStore } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';

type FailurePorts = Pick<EnginePorts, 'store' | 'clock'>;

const unrelatedFacts = ['keychain', 'profile', 'passing', 'operation'] as const;

/** True if the server itself failed, in a way that neither passes on its own nor can be fixed by the user. */
export function isServerFailure(error: PosternError): boolean {
  return (
    userActionFor(remedyOf(error)) === undefined &&
    !unrelatedFacts.some((fact) => hasTrait(error, fact)) &&
    !(error instanceof ServerOutage || error instanceof FailedCall)
  );
}

/**
 * Stores the outcome of a use in the server's entry, so that window, tray and command line report it after a restart
 * too. Never rejects.
 */
export async function recordUse(
  { store, clock }: FailurePorts,
  { id, command, options, method, failure }: Integration,
  error: PosternError | undefined,
): Promise<void> {
  // A local server is restarted with Postern; an identity provider is not used on its own.
  if (command || options.isIdentityProvider) return;
  const isRefused =
    method !== 'NoAuth' && error !== undefined && hasTrait(error, 'refused-sign-in') && isUnauthorized(error);
  const isBroken = isRefused || (error !== undefined && isExpectedError(error) && isServerFailure(error));
  // After any other error, only a response proves that the server works again.
  if (!isBroken && error !== undefined && !(error instanceof FailedCall)) return;
  if (isBroken ? isSameError(failure, error) : failure === undefined) return;
  const after = isBroken ? { since: clock.now(), ...failureOf(error) } : undefined;
  await store
    .update(id, ({ failure: before, ...entry }) => ({
      ...entry,
      ...(after && { failure: isSameError(before, after) ? before : after }),
    }))
    .catch(() => {});
}

/** Failure events that an entry's change has already recorded (`withHistory`). */
const renewalEvents: ReadonlySet<ServerEvent['kind']> = new Set(['renewalFailed', 'accessLost']);

/**
 * Runs a use of a server and records a failure in its history, unless its entry already did or Postern itself blocked
 * the request. Success writes nothing. Errors: those of `work`.
 */
export async function runWithHistory<Result>(
  { history, clock }: { readonly history: ProblemHistory; readonly clock: Pick<FailurePorts['clock'], 'now'> },
  { id }: Pick<Integration, 'id'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const since = clock.now();
  try {
    return await work();
  } catch (error) {
    if (isExpectedError(error) && !(hasTrait(error, 'operation') && hasTrait(error, 'stopped-here'))) {
      const { events } = await history.read(id);
      if (!events.some(({ kind, at }) => at >= since && renewalEvents.has(kind)))
        await history.record(id, [{ kind: 'problem', at: clock.now(), code: error.code }]);
    }
    throw error;
  }
}

export type ProblemHistory = Pick<HistoryStore, 'read' | 'record'>;

/** The server answered 401 to the credential, and is likely to do so again. */
function isUnauthorized(error: PosternError): boolean {
  return refusalFrom(error)?.kind === 'unauthorized';
}

function failureOf(error: PosternError): Omit<NonNullable<Integration['failure']>, 'since'> {
  const { code, stage, blame, detail = {} } = toPlainError(error);
  const members = Object.entries(detail).map(([name, value]) => {
    if (Array.isArray(value)) return [name, value.map((each: string) => each.slice(0, 255))];
    return [name, typeof value === 'string' ? value.slice(0, 255) : value];
  });
  return { code, stage, blame, detail: Object.fromEntries(members), ...(error.remedy && { remedy: error.remedy }) };
}

/** The stored failure, for display. */
export function storedFailure({ failure }: Pick<Integration, 'failure'>): PlainError | undefined {
  if (!failure) return undefined;
  const { since: _since, remedy, blame, ...rest } = failure;
  const detail = detailSchema.safeParse(failure.detail).data ?? {};
  const described = { ...rest, detail, ...describeError(rest.code, detail, blame) };
  return { ...described, remedy: remedySchema.safeParse(remedy).data ?? described.remedy };
}
