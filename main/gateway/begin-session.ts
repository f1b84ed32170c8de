import type { Collection } from '../../shared/collection.ts';
import { collectionNamed, collectionReference, titleOf } from '../../shared/entry-name.ts';
import type { Integration } from '../../shared/integration.ts';
import type { ProgramRecord } from '../../shared/program-record.ts';
import { displayText } from '../address/display-text.ts';
import { findIntegration } from '../engine/kept/find-integration.ts';
import { PosternError } from '../errors/postern-error.ts';
import { pipeProtocol } from '../gateway-ports.ts';
import type { Hello, ProgramLine, ProgramSession } from '../gateway-ports.ts';
import { displayNameLength } from '../limits.ts';
import { admit, askForUse, canAsk, findById, isRecordId } from './permissions/program-access.ts';
import type { Admitted } from './permissions/program-access.ts';
import { refusalFor } from './answers/judge-failure.ts';
import { ProgramOfCollection } from './collection/app-of-collection.ts';
import type { OpenCollections, OpenCollectionsPorts } from './collection/open-collections.ts';
import type { Bystanders } from './limits/session-room.ts';
import { CallLog } from './answers/call-log.ts';
import type { Caller } from './answers/call-log.ts';
import { openSession } from './session/open-session.ts';
import { RefusedSession, WaitingSession } from './session/waiting-session.ts';

export interface BeginPorts extends OpenCollectionsPorts {
  readonly bystanders: Bystanders;
  readonly open: OpenCollections;
}

/** What a program asks for, with what it has to be allowed. */
type Target = { readonly right: Pick<Integration, 'id' | 'name'> } & (
  | { readonly kind: 'server'; readonly integration: Integration }
  | { readonly kind: 'collection'; readonly collection: Collection }
);

interface Beginning extends Admitted {
  readonly record: ProgramRecord | undefined;
  readonly line: ProgramLine;
}

/**
 * Begins a session at the socket. `ownNames`: what the program says it is; without them a person who has to be asked is
 * asked later. A reason against it is answered within the session. Never rejects.
 */
export async function beginSession(
  ports: BeginPorts,
  hello: Hello,
  line: ProgramLine,
  ownNames?: readonly string[],
): Promise<ProgramSession> {
  const { server: reference, program: recordId, parent } = hello;
  const name = displayText(reference, displayNameLength);
  // Whoever may use nothing yet shares one part with all others.
  const strangers = ports.budget.of(undefined);
  let caller: Caller = { program: undefined, server: { integration: { name } } };
  try {
    if (hello.protocol !== pipeProtocol) throw new PosternError('PIPE_OUTDATED', { stage: 'gateway' });
    const target = await findTarget(ports, reference);
    const record = findById(await ports.programs.list(), recordId);
    const integration = target.kind === 'server' ? target.integration : { name: target.right.name };
    caller = { program: record?.program, server: { integration } };
    const isAsked = !ports.paused().has(record) && canAsk(ports, record, target.right);
    if (isAsked && !ownNames)
      return new WaitingSession(
        { line, reading: strangers.openReading(line.hangUp) },
        recordId,
        ports.bystanders,
        (said) => beginSession(ports, hello, line, said),
      );
    const entry = recordId !== undefined && isRecordId(recordId) ? recordId : undefined;
    const admitted = isAsked
      ? await askForUse(ports, { record, entry, ownNames: ownNames ?? [], parent, integration: target.right })
      : { program: admit(record, target.right, ports), isOnce: false };
    const beginning = { ...admitted, record, line };
    return target.kind === 'server'
      ? openServer(ports, target.integration, beginning)
      : await openCollection(ports, target.collection, beginning);
  } catch (error) {
    ports.onSession({ state: 'refused', program: recordId, integration: reference });
    const thrown = error instanceof PosternError ? error : new PosternError('INTERNAL', { stage: 'gateway' });
    const refusal = refusalFor(thrown, { name, reference: name, command: ports.command });
    const reading = strangers.openReading(line.hangUp);
    const leave = ports.bystanders.enter(recordId, line.hangUp);
    return new RefusedSession(refusal, { send: line.send, calls: new CallLog(ports, caller), leave, reading });
  }
}

/** Errors: NOT_FOUND, CFG_*. */
async function findTarget({ store, open }: BeginPorts, reference: string): Promise<Target> {
  const name = collectionNamed(reference);
  if (name === undefined) {
    // Entries keep the alias: a server that gets the same name later takes nothing over.
    const known = (await store.list()).find(({ alias }) => alias === reference);
    const integration = known ?? (await findIntegration(store, reference));
    return { kind: 'server', integration, right: integration };
  }
  const collection = await open.find(name);
  if (!collection) {
    const detail = { count: 0, collection: displayText(name, displayNameLength) };
    throw new PosternError('NOT_FOUND', { stage: 'gateway', detail });
  }
  return { kind: 'collection', collection, right: { id: collectionReference(collection), name: titleOf(collection) } };
}

/** Errors: GATEWAY_BUSY. */
function openServer(ports: BeginPorts, integration: Integration, beginning: Beginning): ProgramSession {
  const { onSession, budget } = ports;
  const { program, record, isOnce, line } = beginning;
  const told = { program: program?.name, integration: integration.id };
  const { send, giveBack, hangUp } = line;
  const app = { program, record, right: integration.id, isOnce, isAtSocket: true, send, giveBack, hangUp };
  const onClosed = (): void => onSession({ state: 'closed', ...told });
  const reading = budget.of(program?.id).openReading(hangUp);
  const session = openSession(ports, ports.serve(integration), { ...app, onClosed }, reading);
  onSession({ state: 'open', ...told });
  return session;
}

/** Its members take their places when they are needed. Errors: CFG_*. */
async function openCollection(
  { open, onSession, budget }: BeginPorts,
  collection: Collection,
  { program, record, isOnce, line }: Beginning,
): Promise<ProgramSession> {
  const told = { program: program?.name, integration: collectionReference(collection) };
  const { send, giveBack, hangUp } = line;
  const session = await ProgramOfCollection.open(
    (way) => open.open(collection, { ...way, program, record, isOnce, hangUp, isAtSocket: true }),
    {
      send,
      giveBack,
      reading: budget.of(program?.id).openReading(hangUp),
      newId: open.newId,
      refuse: open.refuses(collection),
      close: async (ended) => {
        if (await open.close(ended)) onSession({ state: 'closed', ...told });
      },
    },
  );
  onSession({ state: 'open', ...told });
  return session;
}
