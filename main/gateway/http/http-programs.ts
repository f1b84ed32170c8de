import { createHash } from 'node:crypto';
import type { Integration } from '../../../shared/integration.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { AskForUse, ActivityStore, Admission, ProgramRecords } from '../../gateway-ports.ts';
import type { Clock, IntegrationStore, Random } from '../../ports.ts';
import { CallLog } from '../log/call-log.ts';
import { askForUse, canAsk } from '../access/ask-for-use.ts';
import { HttpProgram } from './http-program.ts';
import { answerNoted } from '../log/note-answer.ts';
import { findBySecret, mayUse } from '../access/program-access.ts';
import type { PausedPrograms } from '../access/paused-programs.ts';
import type { ServedServer } from '../server/served-server.ts';
import type { SessionRoom } from '../limits/session-room.ts';
import { whenGone } from './when-gone.ts';

export interface HttpProgramsOptions {
  readonly programs: ProgramRecords;
  /** Left out where there is no window. */
  readonly ask?: AskForUse | undefined;
  readonly store: Pick<IntegrationStore, 'list'>;
  readonly activity: ActivityStore;
  readonly clock: Pick<Clock, 'after' | 'now' | 'monotonic'>;
  readonly random: Random;
  readonly room: SessionRoom;
  readonly serve: (integration: Integration) => ServedServer;
  readonly paused: () => PausedPrograms;
}

interface Known {
  readonly http: HttpProgram;
  readonly server: ServedServer;
  readonly record: ProgramRecord;
}

/** Programs that speak HTTP, each with one server. */
export class HttpPrograms {
  readonly #options: HttpProgramsOptions;
  readonly #known = new Map<string, Known>();
  /** By the hash of its secret and the server's alias: every request shows a secret, and the list is a file. */
  #admitted = new Map<string, Admission>();
  /** Allowed by the person until Postern ends, since a program on HTTP has no session that ends. */
  readonly #once = new Set<string>();
  #wasUsed = false;
  #underWay = 0;

  constructor(options: HttpProgramsOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#known.size === 0;
  }

  /** Whether one has asked anything since the last look, or waits for an answer. */
  takeUse(): boolean {
    const wasUsed = this.#wasUsed || this.#underWay > 0;
    this.#wasUsed = false;
    return wasUsed;
  }

  /** Who a secret belongs to, and whether that program may use this server. Never rejects. */
  async admit(secret: string, reference: string): Promise<Admission> {
    // What is read now goes nowhere else when the list has changed meanwhile.
    const admitted = this.#admitted;
    const key = `${createHash('sha256').update(secret).digest('hex')} ${reference}`;
    try {
      const admission = admitted.get(key) ?? (await this.#find(secret, reference));
      if (admission.kind === 'admitted') admitted.set(key, admission);
      return admission;
    } catch {
      return { kind: 'not-allowed' };
    }
  }

  /** The list has changed: nobody is admitted any more without another look. */
  forgetAdmissions(): void {
    this.#admitted = new Map();
  }

  /** Ends everything that is no longer allowed. */
  retain(isAllowed: (record: ProgramRecord, server: ServedServer, isOnce: boolean) => boolean): void {
    for (const [key, { http, server, record }] of this.#known) {
      if (isAllowed(record, server, this.#once.has(key))) continue;
      this.#known.delete(key);
      this.#once.delete(key);
      void http.close();
    }
  }

  /** Servers may be there again. Nothing is asked for a program that is paused. */
  catchUp(isConcerned: (server: ServedServer, record: ProgramRecord) => boolean = () => true): void {
    for (const { http, server, record } of this.#known.values())
      if (isConcerned(server, record) && !this.#options.paused().has(record)) void http.catchUp();
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#known.values()].map(({ http }) => http.close()));
  }

  async #find(secret: string, reference: string): Promise<Admission> {
    const { programs, store, clock, random, room, serve, paused } = this.#options;
    const record = findBySecret(await programs.list(), secret);
    if (!record) return { kind: 'unknown' };
    const integration = (await store.list()).find(({ alias }) => alias === reference);
    if (!integration) return { kind: 'not-allowed' };
    const key = `${record.id} ${integration.id}`;
    if (!mayUse(record, integration.id) && !this.#once.has(key)) {
      if (paused().has(record) || !canAsk(this.#options, record, integration)) return { kind: 'not-allowed' };
      const question = { record, entry: record.id, ownNames: [], parent: undefined, integration };
      if ((await askForUse(this.#options, question)).isOnce) this.#once.add(key);
    }
    let known = this.#known.get(key);
    if (!known) {
      const server = serve(integration);
      known = {
        http: new HttpProgram({ server, clock, random, room, record, admit: () => paused().admit(record) }),
        server,
        record,
      };
      this.#known.set(key, known);
    }
    const { http, server } = known;
    const calls = new CallLog(this.#options, { program: record.program, server });
    return {
      kind: 'admitted',
      program: record.id,
      answer: (request) => {
        this.#wasUsed = true;
        this.#underWay += 1;
        whenGone(request.signal, () => (this.#underWay -= 1));
        return answerNoted(calls, request, (message) => http.answer(request, message));
      },
    };
  }
}
