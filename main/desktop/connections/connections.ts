import type { ConnectionView } from '../../../shared/connection-view.ts';
import { PosternError } from '../../postern-error.ts';
import type { Connection } from './connection.ts';
import { describeConnection } from '../views/describe-connection.ts';

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
    for (const { id, running } of this.#byId.values()) {
      if (this.#byId.size < mostKept) break;
      if (running === undefined) this.#byId.delete(id);
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
    return this.find((connection) => connection.integrationId === integrationId && connection.running !== undefined);
  }

  remove(id: string): void {
    if (this.#byId.delete(id)) this.#onChange();
  }

  changed(): void {
    this.#onChange();
  }

  all(): readonly Connection[] {
    return [...this.#byId.values()];
  }

  views(): ConnectionView[] {
    return this.all().map(describeConnection);
  }
}
