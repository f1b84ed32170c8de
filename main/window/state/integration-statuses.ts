import { hasTrait, isSameError } from '../../../shared/error-traits.ts';
import type { IntegrationView } from '../../../shared/integration-view.ts';
import type { Integration } from '../../../shared/integration.ts';
import { listedAddressChange } from '../../engine/records/bound-tokens.ts';
import { isServerFailure } from '../../engine/records/server-failure.ts';
import type { RefreshStatus } from '../../engine/refresh/refresh-scheduler.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { RequestError } from '../../errors/request-error.ts';
import type { LocalServers } from '../../local-ports.ts';
import { refusalFrom } from '../../mcp/http/credential-gate.ts';
import { ServerOutage } from '../../oauth/discovery/discovery.ts';
import type { Clock } from '../../ports.ts';
import type { IconDigests } from '../../window-ports.ts';
import type { AttemptRun, SignInAttempts } from '../attempts/sign-in-attempts.ts';
import { describeIntegration } from '../views/describe-integration.ts';
import type { Busy, Observation } from '../views/describe-integration.ts';

/** The background refresh of tokens. */
interface Refreshing {
  status(id: string): RefreshStatus | undefined;
  /** Call it when the list has changed. */
  review(): void;
}

interface IntegrationStatusesOptions {
  readonly refreshing: Refreshing;
  readonly attempts: SignInAttempts;
  readonly clock: Pick<Clock, 'now'>;
  /** Why the secrets of an integration cannot be read; `undefined` if they can. */
  readonly storageProblem: (integration: Integration) => PosternError | undefined;
  /** Digests of its icons, if it has any. */
  readonly iconsOf: (url: string) => IconDigests | undefined;
  readonly local: Pick<LocalServers, 'status'>;
  readonly onChange: () => void;
}

type Entry = Pick<Integration, 'id' | 'url' | 'failure'>;

/** State of each integration beyond its stored entry: last error, operation in flight, last sign-in. */
export class IntegrationStatuses {
  readonly #observations = new Map<string, Observation>();
  /** Servers that were unreachable last, by URL, because it applies to all entries with that URL. */
  readonly #unreachable = new Map<string, PosternError>();
  readonly #options: IntegrationStatusesOptions;

  constructor(options: IntegrationStatusesOptions) {
    this.#options = options;
  }

  of(id: string): Observation {
    return this.#observations.get(id) ?? {};
  }

  observe({ id, url, failure }: Entry, error: PosternError): void {
    if (hasTrait(error, 'unanswered')) {
      this.#unreachable.set(url, error);
      this.#update(id, { error: undefined });
    } else {
      if (refusalFrom(error) || error instanceof ServerOutage) this.#unreachable.delete(url);
      // A failure that the list stores is not repeated here: in the list, any process can clear it.
      const isStored = isSameError(failure, error) && isServerFailure(error);
      this.#update(id, isStored ? { error: undefined } : this.#observationOf(error));
    }
  }

  /** An app's call failed, and only the user can fix it. */
  markNeedsUser(id: string, app: string, error: PosternError): void {
    this.#update(id, { ...this.#observationOf(error), wantedBy: app });
  }

  /** A sign-in by any process: clears what an app was waiting for. */
  markSignedIn(id: string): void {
    if (this.of(id).wantedBy !== undefined) this.forget(id);
  }

  /** The server responded: clears earlier errors, except a missing scope that only another call needs. */
  markResponded({ id, url }: Entry): void {
    if (this.#unreachable.delete(url)) this.#options.onChange();
    if (refusalFrom(this.of(id).error)?.kind !== 'insufficient-scope') this.forget(id);
  }

  /** Clears earlier errors. */
  forget(id: string): void {
    const { error, refusal, wantedBy } = this.of(id);
    if (error || refusal || wantedBy !== undefined)
      this.#update(id, { error: undefined, refusal: undefined, wantedBy: undefined });
  }

  setLastSignIn(id: string, lastSignIn: AttemptRun): void {
    this.#update(id, { lastSignIn });
  }

  /** Marks the integration as busy while `work` runs. */
  async whileBusy<Result>(id: string, busy: Busy, work: () => Promise<Result>): Promise<Result> {
    this.#update(id, { busy });
    try {
      return await work();
    } finally {
      this.#update(id, { busy: undefined });
    }
  }

  drop(id: string): void {
    this.#observations.delete(id);
    this.#options.onChange();
  }

  /** Reschedules refreshes after a change of the list. */
  reviewRefreshes(): void {
    this.#options.refreshing.review();
    this.#options.onChange();
  }

  views(integrations: readonly Integration[]): IntegrationView[] {
    const { refreshing, attempts, storageProblem, iconsOf, local, clock } = this.#options;
    const now = clock.now();
    return integrations.map((integration) =>
      describeIntegration(integration, {
        ...currentObservation(this.of(integration.id), integration),
        unreachable: this.#unreachable.get(integration.url),
        storageProblem: storageProblem(integration),
        storedError: listedAddressChange(integration),
        refresh: refreshing.status(integration.id),
        icons: iconsOf(integration.url),
        ...(integration.command && { local: local.status(integration.id) }),
        now,
        connectionId: attempts.ofIntegration(integration.id)?.id,
      }),
    );
  }

  /** A server's demand stays until a sign-in satisfies it, whatever other errors occur meanwhile. */
  #observationOf(error: PosternError): Observation {
    const refusal = refusalFrom(error);
    return { error, seenAt: this.#options.clock.now(), ...(refusal && { refusal }) };
  }

  #update(id: string, change: Observation): void {
    this.#observations.set(id, { ...this.of(id), ...change });
    this.#options.onChange();
  }
}

/** Drops a refresh-related error once any process has refreshed successfully. */
function currentObservation(observation: Observation, { state, refreshedAt = 0 }: Integration): Observation {
  const { error, seenAt, wantedBy: _wantedBy, ...rest } = observation;
  const isRenewed = error !== undefined && isRefreshError(error);
  return isRenewed && state === 'integrated' && seenAt !== undefined && refreshedAt > seenAt ? rest : observation;
}

function isRefreshError(error: PosternError): boolean {
  if (error instanceof RequestError && error.purpose === 'refresh') return true;
  return hasTrait(error, 'renewal') || (hasTrait(error, 'sign-in-required') && !refusalFrom(error));
}
