import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { withAliases } from '../../../shared/entry-name.ts';
import type { Integration, IntegrationOptions } from '../../../shared/integration.ts';
import { parseTypedAddress } from '../../address/typed-address.ts';
import { lacksCredential } from '../../integration/connect/connect-with-key.ts';
import { freeName } from '../../integration/connect/new-integration.ts';
import type { EnginePorts } from '../../integration/engine-ports.ts';
import type { KeysOf } from '../../integration/kept/find-integration.ts';
import { keysIn } from '../../integration/kept/stored-secrets.ts';
import type { FixedHeader } from '../../mcp/http/credential-gate.ts';
import { PosternError } from '../../postern-error.ts';
import type { ProgramFile } from '../../program-ports.ts';
import type { Importable } from '../../programs/import/importable.ts';
import { planTakeOver } from '../../programs/plan/plan-use.ts';
import type { PlannedChange } from '../../programs/plan/planned-change.ts';
import { newId } from '../../programs/program-engine.ts';
import type { ProgramEngine } from '../../programs/program-engine.ts';
import type { Program } from '../../programs/table/program.ts';
import { changeFields, describePreview } from '../output/describe-change.ts';
import { describeFate } from './describe-import.ts';
import { allowedCommands, findExpected, isImportable, sentHeaders } from './import-entry.ts';

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
  const expected = await expectIntegrations(importable, {
    integrations,
    allowed,
    options,
    keysOf: keysIn(ports.vault),
  });
  const replaced = expected.filter(({ entry: { server } }) => isTakenOver(server));
  const shown = replaced.length === 0 ? undefined : await planTakeOver(engine, program, file, replaced, record);
  const fates = expected.flatMap(({ name, known, headers }) =>
    known && headers.length > 0 ? [describeFate(name, known, headers)] : [],
  );
  return {
    fields: shown ? [changeFields(shown)] : [],
    lines: shown ? [describePreview(shown), ...fates, 'Those that cannot be connected stay as they are.'] : [],
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
  readonly keysOf: KeysOf;
}

/** With names and aliases as they will be, in the order in which the entries are imported. */
async function expectIntegrations(
  entries: readonly Importable[],
  { integrations, allowed, options, keysOf }: Known,
): Promise<readonly Expected[]> {
  let all = integrations;
  const before = new Set(integrations.map(({ id }) => id));
  /** Headers that come with an entry, by the id of what will have them. */
  const coming = new Map<string, readonly FixedHeader[]>();
  const comingOr: KeysOf = async (integration) => coming.get(integration.id) ?? (await keysOf(integration));
  const expected: Expected[] = [];
  for (const entry of entries) {
    const { name, server } = entry;
    const sent = sentHeaders(server.headers);
    const headers = sent.map((header) => header.name);
    const [headerName] = headers;
    const found = allowed.get(entry) ?? (await findExpected({ integrations: all, keysOf: comingOr, before }, server));
    if (found === 'nothing') continue;
    const known = found && integrations.find(({ id }) => id === found.id);
    const address = server.url ?? '';
    if (!found) all = withAliases([...all, newIntegration({ name, address, options }, all)]);
    const integration = found ?? all.at(-1);
    if (!integration) continue;
    expected.push({ entry, name, integration, known, headers });
    const takes = !found || (known !== undefined && !coming.has(known.id) && lacksCredential(known));
    if (headerName === undefined || !takes) continue;
    coming.set(integration.id, sent);
    const keyed = { ...integration, options: { ...integration.options, headerName } };
    all = all.map((each) => (each.id === integration.id ? keyed : each));
  }
  return expected;
}

/** As it will be listed, as far as an entry shows it. */
function newIntegration(
  { name: wanted, address, options }: { name: string; address: string; options: IntegrationOptions },
  others: readonly Integration[],
): Integration {
  const { href: url } = parseTypedAddress(address);
  const name = freeName({ name: wanted, url }, others);
  return { id: randomUUID(), name, url, method: 'NoAuth', state: 'signedOut', createdAt: 0, notes: [], options };
}
