import { randomUUID } from 'node:crypto';
import { isKeyHeaderName, isKeyHeaderValue } from '../../../shared/header-name.ts';
import type { Integration, IntegrationOptions } from '../../../shared/integration.ts';
import { parseTypedAddress } from '../../address/parse-typed-address.ts';
import { connectServer } from '../../integration/connect/connect-server.ts';
import { connectWithKey } from '../../integration/connect/connect-with-key.ts';
import { inspectServer } from '../../integration/connect/inspect-server.ts';
import { withFreeName } from '../../integration/connect/with-free-name.ts';
import type { EnginePorts } from '../../integration/engine-ports.ts';
import type { SignInInteraction } from '../../integration/sign-in/sign-in-interaction.ts';
import { PosternError } from '../../postern-error.ts';
import type { Importable } from '../../programs/importable.ts';
import { Secret } from '../../secret.ts';

/** What became of an entry: `sign-in` is listed and waits for one; `local` and `to-fill-in` were left where they are. */
export type Imported =
  | { readonly outcome: 'imported' | 'known' | 'sign-in'; readonly integration: Integration }
  | { readonly outcome: 'local' | 'to-fill-in' }
  | { readonly outcome: 'failed'; readonly error: PosternError };

export interface ImportEngine {
  readonly ports: EnginePorts;
  readonly options: IntegrationOptions;
  /** For servers that are told of no sign-in, and so ask nobody. */
  readonly interaction: SignInInteraction;
  readonly signal: AbortSignal;
}

/**
 * One entry as an integration, by the checks that every address goes through; a header's value goes to the vault, under
 * the address that it came with. Errors: what is not about this entry.
 */
export async function importEntry(engine: ImportEngine, { name, server }: Importable): Promise<Imported> {
  if (server.kind === 'local' || server.url === undefined) return { outcome: 'local' };
  if (server.notes.some((note) => note === 'url-to-fill-in' || note === 'header-to-fill-in'))
    return { outcome: 'to-fill-in' };
  try {
    return await connect(engine, name, { url: server.url, header: server.header });
  } catch (error) {
    if (!(error instanceof PosternError) || engine.signal.aborted || error.stage === 'settings') throw error;
    return { outcome: 'failed', error };
  }
}

interface Remote {
  readonly url: string;
  readonly header: { readonly name: string; readonly value: string } | undefined;
}

async function connect(engine: ImportEngine, name: string, { url, header }: Remote): Promise<Imported> {
  const { ports, options, interaction, signal } = engine;
  const { href } = parseTypedAddress(url);
  const known = (await ports.store.list()).find((each) => each.url === href);
  if (known) return { outcome: 'known', integration: known };
  if (header) {
    if (!isKeyHeaderName(header.name) || !isKeyHeaderValue(header.value))
      throw new PosternError('API_KEY_INVALID', { stage: 'address' });
    const keyed = { url, name, options: { ...options, headerName: header.name }, key: new Secret(header.value) };
    return { outcome: 'imported', integration: (await connectWithKey(ports, keyed, signal)).integration };
  }
  const inspection = await inspectServer(ports, { url, options }, () => {}, signal);
  const { discovery } = inspection;
  if (discovery.method === 'NoAuth') {
    const request = { url, name, options, inspection, surface: 'command-line' };
    return { outcome: 'imported', integration: (await connectServer(ports, request, interaction, signal)).integration };
  }
  const { method } = discovery;
  const id = randomUUID();
  await withFreeName(ports, { name, url: discovery.url }, (freeName) =>
    ports.store.write({
      id,
      name: freeName,
      url: discovery.url,
      method,
      state: 'signedOut',
      createdAt: ports.clock.now(),
      notes: [],
      options,
    }),
  );
  const integration = await ports.store.read(id);
  if (!integration) throw new PosternError('NOT_FOUND', { stage: 'settings' });
  return { outcome: 'sign-in', integration };
}
