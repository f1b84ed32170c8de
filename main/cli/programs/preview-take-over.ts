import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { withAliases } from '../../../shared/entry-name.ts';
import type { Integration, IntegrationOptions } from '../../../shared/integration.ts';
import { parseTypedAddress } from '../../address/typed-address.ts';
import { lacksCredential } from '../../engine/connect/connect-with-key.ts';
import { freeNames } from '../../engine/connect/new-integration.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import type { KeysOf } from '../../engine/kept/find-integration.ts';
import { keysIn } from '../../engine/kept/stored-secrets.ts';
import type { FixedHeader } from '../../mcp/http/credential-gate.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { ProgramFile } from '../../program-ports.ts';
import type { Importable } from '../../apps/import/importable.ts';
import { planTakeOver } from '../../apps/plan/plan-use.ts';
import type { PlannedChange } from '../../apps/plan/planned-change.ts';
import { newId } from '../../apps/program-engine.ts';
import type { ProgramEngine } from '../../apps/program-engine.ts';
import type { Program } from '../../apps/table/program.ts';
import { changeFields, describePreview } from '../output/describe-change.ts';
import { describeFate } from './describe-import.ts';
import { allowedCommands, findExpected, isImportable, knownServers, sentHeaders } from '../../operations/import.ts';

/** Taking entries over, as it is shown before anything is connected. */
export interface TakeOverPreview {
  /** Empty where nothing can be taken over. */
  readonly fields: readonly Readonly<Record<string, unknown>>[];
  readonly lines: readonly string[];
  /**
   * What the connection of an entry is called there: the same name may be that of another one, of a project. Where the first of two with one address cannot be
   * connected, that of the second has this name all the same, since its entry was shown to lead there.
   */
  readonly names: ReadonlyMap<Importable, string>;
  /**
   * The change for those that were connected. Errors: PROGRAM_FILE_CHANGED where anything but what was shown would come
   * of it.
   */
  plan(taken: readonly { readonly name: string; readonly integration: Integration }[]): Promise<PlannedChange>;
}

/**
 * What will stand in the places of `entries`: each leads to the integration that is there for its address or command,
 * else to one with the alias that it will get; a command that nobody has allowed stays. Errors: PROGRAM_FILE_*.
 */
export async function previewTakeOver(
  engine: ProgramEngine,
  { program, file }: { readonly program: Program; readonly file: ProgramFile },
  entries: readonly Importable[],
  { ports, options }: { readonly ports: EnginePorts; readonly options: IntegrationOptions },
): Promise<TakeOverPreview> {
  const record = newId(engine, 8);
  const integrations = await ports.store.list();
  const allowed = await allowedCommands(ports, entries, program.name);
  const importable = entries.filter((entry) => isImportable(entry) || allowed.has(entry));
  const expected = await expectIntegrations(ports, importable, { integrations, allowed, options });
  const replaced = expected.filter(({ entry: { server } }) => isTakenOver(server));
  const shown = replaced.length === 0 ? undefined : await planTakeOver(engine, program, file, replaced, record);
  const fates = expected.flatMap(({ name, known, headers }) =>
    known && headers.length > 0 ? [describeFate(name, known, headers)] : [],
  );
  return {
    fields: shown ? [changeFields(shown)] : [],
    lines: shown ? [describePreview(shown), ...fates, 'Entries that cannot be connected stay as they are.'] : [],
    names: new Map(expected.map(({ entry, integration }) => [entry, integration.name])),
    async plan(taken) {
      const planned = await planTakeOver(engine, program, file, taken, record);
      const isShown = planned.edits.every((edit) => shown?.edits.some((each) => isDeepStrictEqual(each, edit)));
      if (isShown && planned.before === shown?.before && planned.way === shown?.way) return planned;
      throw new PosternError('PROGRAM_FILE_CHANGED', { stage: 'programs', detail: { file: file.path } });
    },
  };
}

/** An entry of a project stands elsewhere in its file. */
export function isTakenOver(server: Importable['server']): boolean {
  return server.project === undefined && hasReadableTools(server);
}

export function hasReadableTools({ notes }: Importable['server']): boolean {
  return !notes.includes('tools-unread');
}

interface Expected {
  readonly entry: Importable;
  readonly name: string;
  readonly integration: Integration;
  /** It is there already. */
  readonly known: Integration | undefined;
  readonly headers: readonly string[];
}

interface Known {
  readonly integrations: readonly Integration[];
  /** Commands that run here, by their entries. */
  readonly allowed: ReadonlyMap<Importable, Integration>;
  readonly options: IntegrationOptions;
}

/** With names and aliases as they will be, in the order in which the entries are imported. */
async function expectIntegrations(
  ports: Pick<EnginePorts, 'vault'>,
  entries: readonly Importable[],
  { integrations, allowed, options }: Known,
): Promise<readonly Expected[]> {
  const there = new Map(integrations.map((each) => [each.id, each]));
  const fresh: Integration[] = [];
  const nameFor = freeNames(integrations);
  /** Headers that come with an entry, by the id of what will have them. */
  const coming = new Map<string, readonly FixedHeader[]>();
  const inVault = keysIn(ports.vault);
  const keysOf: KeysOf = async (integration) => coming.get(integration.id) ?? (await inVault(integration));
  const servers = knownServers(integrations, ports, keysOf);
  const expected: Expected[] = [];
  for (const entry of entries) {
    const { name, server } = entry;
    const sent = sentHeaders(server.headers);
    const headers = sent.map((header) => header.name);
    const [headerName] = headers;
    const found = allowed.get(entry) ?? (await findExpected(servers, server));
    if (found === 'nothing') continue;
    const known = found && there.get(found.id);
    const integration = found ?? newIntegration({ name, address: server.url ?? '', options }, nameFor);
    if (!found) fresh.push(integration);
    expected.push({ entry, name, integration, known, headers });
    const takes = !found || (known !== undefined && !coming.has(known.id) && lacksCredential(known));
    const isKeyed = takes && headerName !== undefined;
    if (isKeyed) coming.set(integration.id, sent);
    if (isKeyed) servers.index.put({ ...integration, options: { ...integration.options, headerName } });
    else if (!found) servers.index.put(integration);
  }
  const listed = new Map(withAliases([...integrations, ...fresh]).map((each) => [each.id, each]));
  return expected.map((each) => ({ ...each, integration: listed.get(each.integration.id) ?? each.integration }));
}

/** As it will be listed, as far as an entry shows it. */
function newIntegration(
  { name: wanted, address, options }: { name: string; address: string; options: IntegrationOptions },
  nameFor: ReturnType<typeof freeNames>,
): Integration {
  const { href: url } = parseTypedAddress(address);
  const name = nameFor({ name: wanted, url });
  return { id: randomUUID(), name, url, method: 'NoAuth', state: 'signedOut', createdAt: 0, notes: [], options };
}
