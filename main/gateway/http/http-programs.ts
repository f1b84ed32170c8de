import { createHash } from 'node:crypto';
import type { Collection } from '../../../shared/collection.ts';
import { collectionNamed, collectionReference, titleOf } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import { inTurnsOf } from '../../fair-turn.ts';
import type { ActivityStore, Admission, AppUser, ProgramAnswer, ProgramRecords } from '../../gateway-ports.ts';
import { surveyInTurn } from '../../mcp/messages/survey-json.ts';
import type { Clock, IntegrationStore, Random } from '../../ports.ts';
import { askForUse, canAsk } from '../access/ask-for-use.ts';
import { findBySecret, mayUse } from '../access/program-access.ts';
import type { PausedPrograms } from '../access/program-access.ts';
import type { OpenCollections } from '../collection/open-collections.ts';
import type { MessageBudget } from '../limits/message-budget.ts';
import type { SessionRoom } from '../limits/session-room.ts';
import { CallLog } from '../log/call-log.ts';
import { answerNoted } from '../log/note-answer.ts';
import { readEnvelope } from '../messages/envelope.ts';
import type { Envelope } from '../messages/envelope.ts';
import type { ServedServer } from '../server/served-server.ts';
import { whenGone } from './app-stream.ts';
import { HttpCollection } from './http-collection.ts';
import { HttpProgram } from './http-program.ts';

export interface HttpProgramsOptions {
  readonly programs: ProgramRecords;
  readonly user: AppUser;
  readonly store: Pick<IntegrationStore, 'list'>;
  readonly activity: ActivityStore;
  readonly clock: Pick<Clock, 'after' | 'now' | 'monotonic'>;
  readonly random: Random;
  readonly room: SessionRoom;
  readonly budget: MessageBudget;
  readonly serve: (integration: Integration) => ServedServer;
  readonly paused: () => PausedPrograms;
  readonly collections: OpenCollections;
}

interface Known {
  readonly http: Pick<HttpProgram, 'answer' | 'close'> & Partial<Pick<HttpProgram, 'catchUp'>>;
  /** Of a collection each member has a session of its own, which is looked after there. */
  readonly server: ServedServer | undefined;
  /** What the program has to be allowed. */
  readonly right: string;
  readonly record: ProgramRecord;
}

/** What a program asks for. */
type Target = Pick<Integration, 'id' | 'name'> &
  ({ readonly integration: Integration } | { readonly collection: Collection });

/** Programs that speak HTTP, each with one server or one collection. */
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
  retain(isAllowed: (record: ProgramRecord, right: string, isOnce: boolean) => boolean): void {
    for (const [key, { http, right, record }] of this.#known) {
      if (isAllowed(record, right, this.#once.has(key))) continue;
      this.#known.delete(key);
      this.#once.delete(key);
      void http.close();
    }
  }

  /** Servers may be there again. Nothing is asked for a program that is paused. */
  catchUp(isConcerned: (server: ServedServer, record: ProgramRecord) => boolean = () => true): void {
    for (const { http, server, record } of this.#known.values())
      if (server && isConcerned(server, record) && !this.#options.paused().has(record)) void http.catchUp?.();
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#known.values()].map(({ http }) => http.close()));
  }

  async #find(secret: string, reference: string): Promise<Admission> {
    const { programs, paused } = this.#options;
    const record = findBySecret(await programs.list(), secret);
    if (!record) return { kind: 'unknown' };
    const target = await this.#target(reference);
    if (!target) return { kind: 'not-allowed' };
    const { id, name } = target;
    const key = `${record.id} ${id}`;
    if (!mayUse(record, id) && !this.#once.has(key)) {
      if (paused().has(record) || !canAsk(this.#options, record, target)) return { kind: 'not-allowed' };
      const question = { record, entry: record.id, ownNames: [], parent: undefined, integration: { id, name } };
      if ((await askForUse(this.#options, question)).isOnce) this.#once.add(key);
    }
    const known = this.#known.get(key) ?? this.#open(target, record, this.#once.has(key));
    this.#known.set(key, known);
    const { http, server } = known;
    const calls = server && new CallLog(this.#options, { program: record.program, server });
    return {
      kind: 'admitted',
      program: record.id,
      openReading: (hangUp) => this.#options.budget.of(record.id).openReading(hangUp),
      answer: (request) => {
        this.#wasUsed = true;
        this.#underWay += 1;
        whenGone(request.signal, () => (this.#underWay -= 1));
        const answer = (message: Envelope | undefined): Promise<ProgramAnswer> => http.answer(request, message);
        return inTurnsOf(record.id, async () => {
          await surveyInTurn(request.body);
          // What each member is asked is noted as its own.
          if (!calls) return await answer(request.method === 'POST' ? readEnvelope(request.body) : undefined);
          return await answerNoted(calls, request, answer);
        });
      },
    };
  }

  async #target(reference: string): Promise<Target | undefined> {
    const { store, collections } = this.#options;
    const name = collectionNamed(reference);
    if (name === undefined) {
      const integration = (await store.list()).find(({ alias }) => alias === reference);
      return integration && { id: integration.id, name: integration.name, integration };
    }
    const collection = await collections.find(name);
    return collection && { id: collectionReference(collection), name: titleOf(collection), collection };
  }

  #open(target: Target, record: ProgramRecord, isOnce: boolean): Known {
    const { clock, random, room, serve, paused, collections: open } = this.#options;
    const budget = this.#options.budget.of(record.id);
    const right = target.id;
    if ('collection' in target) {
      const { collection } = target;
      return {
        http: new HttpCollection({ collection, open, record, isOnce, random }),
        server: undefined,
        right,
        record,
      };
    }
    const server = serve(target.integration);
    const admit = (): void => paused().admit(record);
    return { http: new HttpProgram({ server, clock, random, room, budget, record, admit }), server, right, record };
  }
}
