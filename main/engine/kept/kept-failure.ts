import { describeError } from '../../../shared/error-codes.ts';
import type { PlainError } from '../../../shared/error-codes.ts';
import { detailSchema } from '../../../shared/error-detail.ts';
import { isAbout, isSameError, wayOutOf } from '../../../shared/error-facts.ts';
import type { Integration } from '../../../shared/integration.ts';
import { remedySchema } from '../../../shared/remedy.ts';
import type { ServerEvent } from '../../../shared/trace.ts';
import { isOutcome, remedyOf, toPlainError } from '../../errors/postern-error.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { FailedCall } from '../../errors/request-error.ts';
import { refusalIn } from '../../mcp/http/credential-gate.ts';
import { ServerOutage } from '../../oauth/discovery/discovery.ts';
import type { HistoryStore } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';

type FailurePorts = Pick<EnginePorts, 'store' | 'clock'>;

const notOfServer = ['keychain', 'profile', 'passing', 'operation'] as const;

/** Whether it says that a server was of no use, for a reason that neither passes by itself nor is the person's to mend. */
export function isFailing(error: PosternError): boolean {
  return (
    wayOutOf(remedyOf(error)) === undefined &&
    !notOfServer.some((fact) => isAbout(error, fact)) &&
    !(error instanceof ServerOutage || error instanceof FailedCall)
  );
}

/** Keeps what a use has shown of a server, so that window, tray and command line say it after a restart too. Never rejects. */
export async function noteUse(
  { store, clock }: FailurePorts,
  { id, command, options, method, failure }: Integration,
  error: PosternError | undefined,
): Promise<void> {
  // A server on this computer is begun anew with Postern; a provider is not used by itself.
  if (command || options.isIdentityProvider) return;
  const isRefused =
    method !== 'NoAuth' && error !== undefined && isAbout(error, 'refused-sign-in') && isUnauthorized(error);
  const isBroken = isRefused || (error !== undefined && isOutcome(error) && isFailing(error));
  // Whatever else goes wrong, only an answer shows that it works again.
  if (!isBroken && error !== undefined && !(error instanceof FailedCall)) return;
  if (isBroken ? isSameError(failure, error) : failure === undefined) return;
  const after = isBroken ? { since: clock.now(), ...failureOf(error) } : undefined;
  await store
    .update(id, ({ failure: before, ...kept }) => ({
      ...kept,
      ...(after && { failure: isSameError(before, after) ? before : after }),
    }))
    .catch(() => {});
}

/** What the change of an entry has noted of a failure (`notingHistory`). */
const notedOfRenewal: ReadonlySet<ServerEvent['kind']> = new Set(['renewalFailed', 'accessLost']);

/**
 * Runs a use of a server. If it fails, that is noted in the server's history, unless its entry has noted it already or
 * the request was stopped here, which is not of the server; a use that succeeds writes nothing. Errors: those of `work`.
 */
export async function notingProblem<Result>(
  { history, clock }: { readonly history: ProblemHistory; readonly clock: Pick<FailurePorts['clock'], 'now'> },
  { id }: Pick<Integration, 'id'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const since = clock.now();
  try {
    return await work();
  } catch (error) {
    if (isOutcome(error) && !(isAbout(error, 'operation') && isAbout(error, 'stopped-here'))) {
      const { events } = await history.read(id);
      if (!events.some(({ kind, at }) => at >= since && notedOfRenewal.has(kind)))
        await history.note(id, [{ kind: 'problem', at: clock.now(), code: error.code }]);
    }
    throw error;
  }
}

export type ProblemHistory = Pick<HistoryStore, 'read' | 'note'>;

/** It answered 401 to the credential, and so it may to the next request. */
function isUnauthorized(error: PosternError): boolean {
  return refusalIn(error)?.kind === 'unauthorized';
}

function failureOf(error: PosternError): Omit<NonNullable<Integration['failure']>, 'since'> {
  const { code, stage, blame, detail = {} } = toPlainError(error);
  const gaps = Object.entries(detail).map(([name, value]) => {
    if (Array.isArray(value)) return [name, value.map((each: string) => each.slice(0, 255))];
    return [name, typeof value === 'string' ? value.slice(0, 255) : value];
  });
  return { code, stage, blame, detail: Object.fromEntries(gaps), ...(error.remedy && { remedy: error.remedy }) };
}

/** What is kept of it, as it is shown. */
export function keptFailure({ failure }: Pick<Integration, 'failure'>): PlainError | undefined {
  if (!failure) return undefined;
  const { since: _since, remedy, blame, ...place } = failure;
  const detail = detailSchema.safeParse(failure.detail).data ?? {};
  const told = { ...place, detail, ...describeError(place.code, detail, blame) };
  return { ...told, remedy: remedySchema.safeParse(remedy).data ?? told.remedy };
}
