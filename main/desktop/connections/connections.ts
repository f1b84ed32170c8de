import { randomUUID } from 'node:crypto';
import type { ConnectionView } from '../../../shared/connection-view.ts';
import type { Flow } from '../../integration/sign-in/flow.ts';
import type { TypedCredentials } from '../../integration/sign-in/sign-in-interaction.ts';
import { PosternError } from '../../postern-error.ts';
import type { Attempt } from './attempt.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import type { KeyHeader } from './key-header.ts';

/** What a person has chosen for a connection so far; the next attempt starts from it. Replaced whole. */
export interface Wanted {
  /** As typed until it has been understood, then in canonical form. */
  readonly url: string;
  readonly name: string;
  readonly options: IntegrationOptions;
  /** The id of the entry of a list that the address came from. */
  readonly importEntry?: string | undefined;
  /** Typed, or from an imported list. */
  readonly header?: KeyHeader | undefined;
  /** They sign in on another device. */
  readonly onDevice?: boolean;
  /** An app of the person's own, so that it need not be typed again at the service that it was typed for. */
  readonly typed?: { readonly client: TypedCredentials; readonly callbackUrl: string } | undefined;
}

/** Whether headers came with the address, and are used before anything else. */
export function bringsKey({ importEntry, header }: Pick<Wanted, 'importEntry' | 'header'>): boolean {
  return importEntry !== undefined && header !== undefined;
}

/** What it is for: to connect a server, or to sign an integration in again. */
export type Purpose =
  | { readonly kind: 'connect' }
  | { readonly kind: Exclude<ConnectionView['kind'], 'connect'>; readonly integrationId: string };

/** One discovery or sign-in that the window shows, from the typed address to its end. Main's memory alone. */
export interface Connection {
  readonly id: string;
  readonly purpose: Purpose;
  /** The window that started it. */
  readonly surface: string;
  /** Where it stands, and what has been found out. */
  readonly flow: Flow;
  wanted: Wanted;
  /** The last one, and what it waits for. */
  attempt: Attempt | undefined;
}

export function createConnection(start: Pick<Connection, 'purpose' | 'surface' | 'flow' | 'wanted'>): Connection {
  return { id: randomUUID(), ...start, attempt: undefined };
}

/** The integration that is signed in again, or that came of it. */
export function integrationOf({ purpose, flow }: Pick<Connection, 'purpose' | 'flow'>): string | undefined {
  if (purpose.kind !== 'connect') return purpose.integrationId;
  return flow.state.name === 'integrated' ? flow.state.integrationId : undefined;
}

/** Whether something goes on that only one of may go on for an integration. */
export function isRunning({ attempt }: Connection): boolean {
  return attempt?.running !== undefined && !attempt.hasEnded;
}

function isFor({ purpose }: Connection, integrationId: string): boolean {
  return purpose.kind !== 'connect' && purpose.integrationId === integrationId;
}

/** Connections that are kept in sight; the oldest that have ended go first. */
const mostKept = 50;

/** Every connection that the window shows. */
export class Connections {
  readonly #byId = new Map<string, Connection>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  add(connection: Connection): Connection {
    for (const known of this.#byId.values()) {
      if (this.#byId.size < mostKept) break;
      if (!isRunning(known)) this.#byId.delete(known.id);
    }
    this.#byId.set(connection.id, connection);
    this.#onChange();
    return connection;
  }

  /** Errors: NOT_FOUND. */
  get(id: string): Connection {
    const connection = this.#byId.get(id);
    if (!connection) throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
    return connection;
  }

  find(fits: (connection: Connection) => boolean): Connection | undefined {
    return [...this.#byId.values()].find(fits);
  }

  /** The sign-in that goes on for an integration: there is one at most. */
  ofIntegration(integrationId: string): Connection | undefined {
    return this.find((connection) => isFor(connection, integrationId) && isRunning(connection));
  }

  /** Drops checks that found nothing: once another address is checked, only an imported list leads back to one. */
  dropFailedChecks(): void {
    for (const known of this.#byId.values()) {
      const { id, purpose, flow, wanted } = known;
      if (purpose.kind !== 'connect' || flow.found.shown || wanted.importEntry !== undefined) continue;
      if (!isRunning(known)) this.remove(id);
    }
  }

  remove(id: string): void {
    if (this.#byId.delete(id)) this.#onChange();
  }

  /** Ends everything under way. */
  end(): void {
    for (const { attempt } of this.#byId.values()) attempt?.end();
  }

  /** Resolves when everything under way has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.all().flatMap(({ attempt }) => attempt?.running ?? []));
  }

  all(): readonly Connection[] {
    return [...this.#byId.values()];
  }
}
