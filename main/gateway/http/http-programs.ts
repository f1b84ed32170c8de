import { createHash } from 'node:crypto';
import type { Collection } from '../../../shared/collection.ts';
import { collectionNamed, collectionReference, titleOf } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import { inTurnsOf } from '../../fair-turn.ts';
import { uncounted } from '../../gateway-ports.ts';
import type { Admission, AppUser, ProgramRecords } from '../../gateway-ports.ts';
import { surveyInTurn } from '../../mcp/messages/survey-json.ts';
import type { IntegrationStore, Random } from '../../ports.ts';
import { askForUse, canAsk, findBySecret, mayUse } from '../permissions/program-access.ts';
import { errorText, rpcCode } from '../answers/answers.ts';
import { isOfNewerWire } from '../bridge/revisions.ts';
import { ProgramOfCollection } from '../collection/app-of-collection.ts';
import type { OpenCollections } from '../collection/open-collections.ts';
import { CallLog } from '../answers/call-log.ts';
import { beginsSession, isObject, readEnvelope } from '../messages/envelope.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';
import { namesAnother } from '../permissions/call-permits.ts';
import type { ServedServer } from '../server/served-server.ts';
import { openSession } from '../session/open-session.ts';
import type { OpenSessionPorts } from '../session/open-session.ts';
import { whenGone } from './exchanges.ts';
import { HttpDoor } from './http-door.ts';
import type { DoorSession, DoorSide } from './http-door.ts';

export interface HttpProgramsOptions extends OpenSessionPorts {
  readonly programs: ProgramRecords;
  readonly user: AppUser;
  readonly store: Pick<IntegrationStore, 'list'>;
  readonly random: Random;
  readonly serve: (integration: Integration) => ServedServer;
  readonly collections: OpenCollections;
}

interface Known {
  readonly door: HttpDoor;
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
    for (const [key, { door, right, record }] of this.#known) {
      if (isAllowed(record, right, this.#once.has(key))) continue;
      this.#known.delete(key);
      this.#once.delete(key);
      void door.close();
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#known.values()].map(({ door }) => door.close()));
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
    const { door } = known;
    return {
      kind: 'admitted',
      program: record.id,
      openReading: (hangUp) => this.#options.budget.of(record.id).openReading(hangUp),
      answer: (request) => {
        this.#wasUsed = true;
        this.#underWay += 1;
        whenGone(request.signal, () => (this.#underWay -= 1));
        return inTurnsOf(record.id, async () => {
          await surveyInTurn(request.body);
          return await door.answer(request, request.method === 'POST' ? readEnvelope(request.body) : undefined);
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
    const right = target.id;
    const user = { record, isOnce, right };
    const door =
      'collection' in target
        ? this.#doorOfCollection(target.collection, user)
        : this.#doorOfServer(target.integration, user);
    return { door, right, record };
  }

  #doorOfServer(integration: Integration, user: User): HttpDoor {
    const { clock, random, serve } = this.#options;
    const { record } = user;
    const server = serve(integration);
    const calls = new CallLog(this.#options, { program: record.program, server });
    return new HttpDoor({
      clock,
      random,
      open: (side) => this.#openServer(server, side, user),
      sharedBy: () => '',
      // The newer wire has no such stream (MCP 2026-07-28, streamable HTTP).
      hasStream: () => server.integration.era !== 'modern',
      // The server judges that.
      refuses: () => undefined,
      refuse: (error) => server.refuse(record.name, error),
      note: (request, outcome, bytes) => calls.begin(request).end(outcome, bytes),
    });
  }

  /** Errors: GATEWAY_BUSY, those of `storedAddress`. */
  #openServer(server: ServedServer, side: DoorSide, user: User): DoorSession {
    const app = { ...side, ...user, program: user.record, isAtSocket: false, isByHttp: true, mayEnd: true };
    // Nothing of it can be given back to an app that comes by HTTP.
    const opened = openSession(this.#options, server, { ...app, giveBack: async () => {} }, uncounted);
    const { session } = opened;
    return {
      receive: ({ bytes }, coming) => opened.receive(bytes, coming),
      drop: opened.drop,
      listen: () => session.listen(),
      touch: opened.touch,
      close: () => opened.close(),
    };
  }

  #doorOfCollection(collection: Collection, { record, isOnce }: User): HttpDoor {
    const { clock, random, collections: open } = this.#options;
    const refuse = open.refuses(collection);
    return new HttpDoor({
      clock,
      random,
      open: ({ hangUp, ...side }) => openCollection(open, collection, { ...side, hangUp, record, isOnce }),
      // Nobody outside of a session can have been asked anything.
      sharedBy: (message) => (message.kind === 'request' ? kindOf(message) : undefined),
      hasStream: () => false,
      refuses: (message, headers) => {
        if (message.kind !== 'request') return undefined;
        if (namesAnother(message, headers))
          return errorText(message.id, rpcCode.headerMismatch, 'A header field says something else.');
        const isAtHome = headers['mcp-session-id'] !== undefined || beginsSession(message) || isOfNewerWire(message);
        return isAtHome ? undefined : errorText(message.id, rpcCode.notARequest, 'A session begins with initialize.');
      },
      refuse,
      // What each member is asked is noted as its own.
      note: () => {},
    });
  }
}

interface User {
  readonly record: ProgramRecord;
  readonly isOnce: boolean;
  /** What the program has to be allowed. */
  readonly right: string;
}

async function openCollection(
  open: OpenCollections,
  collection: Collection,
  { send, answers, hangUp, isShared, record, isOnce }: DoorSide & Pick<User, 'record' | 'isOnce'>,
): Promise<DoorSession> {
  const program = await ProgramOfCollection.open(
    (way) => open.open(collection, { ...way, program: record, record, isOnce, hangUp, isAtSocket: false }),
    {
      send,
      answers,
      giveBack: async () => {},
      newId: open.newId,
      refuse: open.refuses(collection),
      touch: (session) => open.touch(session),
      close: async (session) => void (await open.close(session)),
    },
  );
  return {
    receive: (message, { about }) => program.take(message, about),
    drop: (about) => void (isShared && program.cancel(about)),
    listen: () => {},
    touch: () => program.touch(),
    close: () => program.close(),
  };
}

/** What an app says that it is and can do, as each of its requests does: a collection speaks to its members so. */
function kindOf({ params: { _meta } }: RequestEnvelope): string {
  const said = isObject(_meta) ? _meta : {};
  return JSON.stringify(['clientInfo', 'clientCapabilities'].map((name) => said[`io.modelcontextprotocol/${name}`]));
}
