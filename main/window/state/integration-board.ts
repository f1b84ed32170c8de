import { isAbout, isSameError } from '../../../shared/error-facts.ts';
import type { IntegrationView } from '../../../shared/integration-view.ts';
import type { Integration } from '../../../shared/integration.ts';
import { rememberedAddressChange } from '../../engine/kept/bound-tokens.ts';
import { isFailing } from '../../engine/kept/kept-failure.ts';
import type { RefreshStatus } from '../../engine/refresh/refresh-scheduler.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { RequestError } from '../../errors/request-error.ts';
import type { LocalServers } from '../../local-ports.ts';
import { refusalIn } from '../../mcp/http/credential-gate.ts';
import { ServerOutage } from '../../oauth/discovery/discovery.ts';
import type { Clock } from '../../ports.ts';
import type { IconMarks } from '../../window-ports.ts';
import type { Attempt, Connections } from '../connections/connections.ts';
import { describeIntegration } from '../views/describe-integration.ts';
import type { Busy, Observation } from '../views/describe-integration.ts';

/** What keeps tokens fresh in the background. */
export interface Refreshing {
  status(id: string): RefreshStatus | undefined;
  /** The list has changed. */
  review(): void;
}

export interface BoardOptions {
  readonly refreshing: Refreshing;
  readonly connections: Connections;
  readonly clock: Pick<Clock, 'now'>;
  /** Why nothing secret can be read now, where that is so for this integration. */
  readonly storageProblem: (integration: Integration) => PosternError | undefined;
  /** Its pictures, where it has any. */
  readonly iconsOf: (url: string) => IconMarks | undefined;
  readonly local: Pick<LocalServers, 'status'>;
  readonly onChange: () => void;
}

type Entry = Pick<Integration, 'id' | 'url' | 'failure'>;

/** What is known of each integration beyond its entry in the list: the last error, what is under way, the last sign-in. */
export class IntegrationBoard {
  readonly #seen = new Map<string, Observation>();
  /** That nobody answered last, by address: it holds for each entry of it. */
  readonly #unanswered = new Map<string, PosternError>();
  readonly #options: BoardOptions;

  constructor(options: BoardOptions) {
    this.#options = options;
  }

  of(id: string): Observation {
    return this.#seen.get(id) ?? {};
  }

  observe({ id, url, failure }: Entry, error: PosternError): void {
    if (isAbout(error, 'unanswered')) {
      this.#unanswered.set(url, error);
      this.#note(id, { error: undefined });
    } else {
      if (refusalIn(error) || error instanceof ServerOutage) this.#unanswered.delete(url);
      // What the list keeps is over once any process has used it: it is not known here as well.
      const isKept = isSameError(failure, error) && isFailing(error);
      this.#note(id, isKept ? { error: undefined } : this.#seenIn(error));
    }
  }

  /** A program's call was refused, and only the person can help. */
  want(id: string, program: string, error: PosternError): void {
    this.#note(id, { ...this.#seenIn(error), wantedBy: program });
  }

  /** It was signed in to, by whichever process: no program waits for that any more. */
  signedIn(id: string): void {
    if (this.of(id).wantedBy !== undefined) this.forget(id);
  }

  /** An answer came: what went wrong before is over, but for a permission that only another call needs. */
  answered({ id, url }: Entry): void {
    if (this.#unanswered.delete(url)) this.#options.onChange();
    if (refusalIn(this.of(id).error)?.kind !== 'insufficient-scope') this.forget(id);
  }

  /** It works, or nothing is wanted of it any more: what went wrong before is over. */
  forget(id: string): void {
    const { error, refusal, wantedBy } = this.of(id);
    if (error || refusal || wantedBy !== undefined)
      this.#note(id, { error: undefined, refusal: undefined, wantedBy: undefined });
  }

  keepSignIn(id: string, lastSignIn: Attempt): void {
    this.#note(id, { lastSignIn });
  }

  /** Marks it as under way while `work` runs. */
  async during<Result>(id: string, busy: Busy, work: () => Promise<Result>): Promise<Result> {
    this.#note(id, { busy });
    try {
      return await work();
    } finally {
      this.#note(id, { busy: undefined });
    }
  }

  drop(id: string): void {
    this.#seen.delete(id);
    this.#options.onChange();
  }

  /** The list has changed: refreshes are planned again. */
  awake(): void {
    this.#options.refreshing.review();
    this.#options.onChange();
  }

  views(integrations: readonly Integration[]): IntegrationView[] {
    const { refreshing, connections, storageProblem, iconsOf, local, clock } = this.#options;
    const now = clock.now();
    return integrations.map((integration) =>
      describeIntegration(integration, {
        ...stillSeen(this.of(integration.id), integration),
        unanswered: this.#unanswered.get(integration.url),
        storageProblem: storageProblem(integration),
        remembered: rememberedAddressChange(integration),
        refresh: refreshing.status(integration.id),
        icons: iconsOf(integration.url),
        ...(integration.command && { local: local.status(integration.id) }),
        now,
        connectionId: connections.ofIntegration(integration.id)?.id,
      }),
    );
  }

  /** What the server demands stands until a sign-in answers it, whatever goes wrong in between. */
  #seenIn(error: PosternError): Observation {
    const refusal = refusalIn(error);
    return { error, seenAt: this.#options.clock.now(), ...(refusal && { refusal }) };
  }

  #note(id: string, change: Observation): void {
    this.#seen.set(id, { ...this.of(id), ...change });
    this.#options.onChange();
  }
}

/** What failed for want of a renewal is over once one has worked, by whichever process. */
function stillSeen(seen: Observation, { state, refreshedAt = 0 }: Integration): Observation {
  const { error, seenAt, wantedBy: _over, ...rest } = seen;
  const isRenewed = error !== undefined && isOfRenewal(error);
  return isRenewed && state === 'integrated' && seenAt !== undefined && refreshedAt > seenAt ? rest : seen;
}

function isOfRenewal(error: PosternError): boolean {
  if (error instanceof RequestError && error.purpose === 'refresh') return true;
  return isAbout(error, 'renewal') || (isAbout(error, 'sign-in-required') && !refusalIn(error));
}
