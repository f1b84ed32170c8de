import { isAbout, isSameError } from '../../../shared/error-facts.ts';
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
export interface Refreshing {
  status(id: string): RefreshStatus | undefined;
  /** Call it when the list has changed. */
  review(): void;
}

export interface BoardOptions {
  readonly refreshing: Refreshing;
  readonly attempts: SignInAttempts;
  readonly clock: Pick<Clock, 'now'>;
  /** Why the secrets of this integration cannot be read, if so. */
  readonly storageProblem: (integration: Integration) => PosternError | undefined;
  /** Digests of its icons, if it has any. */
  readonly iconsOf: (url: string) => IconDigests | undefined;
  readonly local: Pick<LocalServers, 'status'>;
  readonly onChange: () => void;
}

type Entry = Pick<Integration, 'id' | 'url' | 'failure'>;

/** State of each integration beyond its stored entry: last error, operation in flight, last sign-in. */
export class IntegrationBoard {
  readonly #observations = new Map<string, Observation>();
  /** Servers that were unreachable last, by URL: this applies to all entries with that URL. */
  readonly #unanswered = new Map<string, PosternError>();
  readonly #options: BoardOptions;

  constructor(options: BoardOptions) {
    this.#options = options;
  }

  of(id: string): Observation {
    return this.#observations.get(id) ?? {};
  }

  observe({ id, url, failure }: Entry, error: PosternError): void {
    if (isAbout(error, 'unanswered')) {
      this.#unanswered.set(url, error);
      this.#note(id, { error: undefined });
    } else {
      if (refusalFrom(error) || error instanceof ServerOutage) this.#unanswered.delete(url);
      // A failure that the list already stores is not repeated here: there, any process can clear it.
      const isKept = isSameError(failure, error) && isServerFailure(error);
      this.#note(id, isKept ? { error: undefined } : this.#seenIn(error));
    }
  }

  /** An app's call failed, and only the user can fix it. */
  needsUser(id: string, app: string, error: PosternError): void {
    this.#note(id, { ...this.#seenIn(error), wantedBy: app });
  }

  /** Signed in, by any process: clears what an app was waiting for. */
  signedIn(id: string): void {
    if (this.of(id).wantedBy !== undefined) this.forget(id);
  }

  /** The server responded: clears earlier errors, except a missing scope that only another call needs. */
  responded({ id, url }: Entry): void {
    if (this.#unanswered.delete(url)) this.#options.onChange();
    if (refusalFrom(this.of(id).error)?.kind !== 'insufficient-scope') this.forget(id);
  }

  /** Clears earlier errors. */
  forget(id: string): void {
    const { error, refusal, wantedBy } = this.of(id);
    if (error || refusal || wantedBy !== undefined)
      this.#note(id, { error: undefined, refusal: undefined, wantedBy: undefined });
  }

  setLastSignIn(id: string, lastSignIn: AttemptRun): void {
    this.#note(id, { lastSignIn });
  }

  /** Marks it as busy while `work` runs. */
  async during<Result>(id: string, busy: Busy, work: () => Promise<Result>): Promise<Result> {
    this.#note(id, { busy });
    try {
      return await work();
    } finally {
      this.#note(id, { busy: undefined });
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
        ...stillSeen(this.of(integration.id), integration),
        unanswered: this.#unanswered.get(integration.url),
        storageProblem: storageProblem(integration),
        remembered: listedAddressChange(integration),
        refresh: refreshing.status(integration.id),
        icons: iconsOf(integration.url),
        ...(integration.command && { local: local.status(integration.id) }),
        now,
        connectionId: attempts.ofIntegration(integration.id)?.id,
      }),
    );
  }

  /** A server's demand stays until a sign-in satisfies it, whatever other errors occur meanwhile. */
  #seenIn(error: PosternError): Observation {
    const refusal = refusalFrom(error);
    return { error, seenAt: this.#options.clock.now(), ...(refusal && { refusal }) };
  }

  #note(id: string, change: Observation): void {
    this.#observations.set(id, { ...this.of(id), ...change });
    this.#options.onChange();
  }
}

/** Drops a refresh-related error once any process has refreshed successfully. */
function stillSeen(seen: Observation, { state, refreshedAt = 0 }: Integration): Observation {
  const { error, seenAt, wantedBy: _over, ...rest } = seen;
  const isRenewed = error !== undefined && isOfRenewal(error);
  return isRenewed && state === 'integrated' && seenAt !== undefined && refreshedAt > seenAt ? rest : seen;
}

function isOfRenewal(error: PosternError): boolean {
  if (error instanceof RequestError && error.purpose === 'refresh') return true;
  return isAbout(error, 'renewal') || (isAbout(error, 'sign-in-required') && !refusalFrom(error));
}
