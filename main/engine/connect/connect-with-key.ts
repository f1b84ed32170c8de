import { noteIf } from '../../../shared/compatibility-notes.ts';
import type { Integration } from '../../../shared/integration.ts';
import { checkAddress } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { isPlaceholderValue, parseTypedAddress } from '../../address/typed-address.ts';
import { isExpectedError, PosternError } from '../../errors/postern-error.ts';
import type { FixedHeader } from '../../mcp/http/credential-gate.ts';
import { streamableHttpAddress } from '../../oauth/discovery/probe-response.ts';
import { Secret, splitAddress } from '../../secret.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { keySource, unusedSignIn, usesApiKey } from '../records/api-key.ts';
import { integrationPolicy } from '../records/integration-policy.ts';
import { integrationLock, loadHeaderValue, saveHeaderValue } from '../records/stored-secrets.ts';
import { recordListedTools } from '../records/tool-pins.ts';
import { openServer } from '../use/open-server.ts';
import { readTools } from '../use/use-server.ts';
import type { ConnectResult, ConnectRequest } from './connect-server.ts';
import { deferServerIcons, withFreeName } from './with-free-name.ts';

interface KeyRequest extends Pick<
  ConnectRequest,
  'url' | 'name' | 'usesOwnName' | 'options' | 'existing' | 'takesNameOf'
> {
  readonly key: Secret;
  /** Headers sent along with the key; left out: those already stored. */
  readonly further?: readonly FixedHeader[] | undefined;
}

/**
 * Connects a server that uses a fixed header instead of a sign-in (`options.headerName`): lists its tools with the key,
 * and stores both only if that worked. Errors: those of the address rule, API_KEY_INVALID, API_KEY_REFUSED, MCP_FAILED,
 * those of HTTP, NOT_FOUND when it was removed meanwhile, KC_*, CFG_*; then nothing is left behind.
 */
export async function connectWithKey(
  ports: EnginePorts,
  { url, name, usesOwnName, options: chosen, existing, takesNameOf, key, further: headers }: KeyRequest,
  signal: AbortSignal,
): Promise<ConnectResult> {
  const { href, parts } = splitAddress(parseTypedAddress(url).href);
  for (const header of [{ name: chosen.headerName, value: key }, ...(headers ?? [])])
    if (isPlaceholderValue(header.value.reveal()))
      throw new PosternError('API_KEY_INVALID', { stage: 'address', detail: { toFillIn: header.name ?? '' } });
  const typed = new URL(href);
  const address = checkAddress(typed, integrationPolicy(typed.href, chosen), 'address');
  const vault = await ports.vault();
  await vault.ready();
  const stored = existing && usesApiKey(existing) ? await loadHeaderValue(vault, existing.id, address) : undefined;
  const inAddress = parts.map((part) => ({ name: part.name, value: new Secret(part.value) }));
  const further = [...(headers ?? stored?.further ?? []), ...inAddress];
  const names = further.map((header) => header.name);
  const options = { ...chosen, furtherHeaders: names.length === 0 ? undefined : names };
  const id = existing?.id ?? crypto.randomUUID();
  const { onServerIcons, release } = deferServerIcons(ports);
  const listToolsAt = async (endpoint: CheckedAddress) => {
    const server = { id, url: endpoint, options };
    const source = keySource(server, async () => ({ value: key, further }));
    const listed = await readTools(openServer({ ...ports, onServerIcons }, server, source), existing?.protocol, signal);
    return { server, ...listed };
  };
  const typedResult = await listToolsAt(address);
  // HTTP+SSE at the typed address: the same server may offer streamable HTTP beside it.
  const streamableUrl = typedResult.protocol === 'sse' && !existing ? streamableHttpAddress(address) : undefined;
  const streamableResult =
    streamableUrl && (await listToolsAt(streamableUrl).catch((error: unknown) => ignoreOutcome(error, signal)));
  const isStreamable = streamableResult !== undefined && streamableResult.protocol !== 'sse';
  const { server, tools, protocol, ownName } = isStreamable ? streamableResult : typedResult;
  async function install(freeName: string): Promise<Integration> {
    const installed: Integration = {
      ...server,
      ...unusedSignIn(existing),
      name: freeName,
      method: 'NoAuth',
      state: 'integrated',
      createdAt: existing?.createdAt ?? ports.clock.now(),
      keySavedAt: ports.clock.now(),
      notes: [...noteIf(isStreamable, 'newer-address')],
      protocol,
    };
    // The secret first: there must never be an entry without its key.
    return await ports.locks.hold(integrationLock(server.id), async () => {
      // The user removed it meanwhile: the removal wins.
      if (existing && !(await ports.store.read(existing.id))) throw new PosternError('NOT_FOUND', { stage: 'install' });
      await saveHeaderValue(vault, server, { value: key, further });
      return await ports.store.write(installed);
    });
  }
  const integration = await (existing
    ? install(existing.name)
    : withFreeName(ports, { name: name ?? (usesOwnName && ownName), url: server.url, takesNameOf }, install));
  release();
  await recordListedTools(ports, integration, tools);
  return { integration, tools, warnings: [] };
}

/** A failure there only means that the typed address is used. */
function ignoreOutcome(error: unknown, signal: AbortSignal): undefined {
  if (!isExpectedError(error) || signal.aborted) throw error;
}

/** True if the server is used without any credential, so that an imported entry's headers would be its only ones. */
export function lacksCredential(integration: Integration): boolean {
  return usesApiKey(integration) ? integration.state === 'signedOut' : integration.method === 'NoAuth';
}

/**
 * Stores headers imported for an existing integration if it has no credential and the server accepts them; otherwise it
 * keeps what it has. Errors: as `connectWithKey`.
 */
export async function saveHeaders(
  ports: EnginePorts,
  integration: Integration,
  { name: headerName, value: key, further = [] }: FixedHeader & { readonly further?: readonly FixedHeader[] },
  signal: AbortSignal,
): Promise<'stored' | 'existing'> {
  if (!lacksCredential(integration)) return 'existing';
  const { url, name, options } = integration;
  const request = { url, name, options: { ...options, headerName }, existing: integration, key, further };
  await connectWithKey(ports, request, signal);
  return 'stored';
}
