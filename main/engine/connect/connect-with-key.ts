import { noteIf } from '../../../shared/compatibility-notes.ts';
import type { Integration } from '../../../shared/integration.ts';
import { checkAddress } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { isToFillIn, parseTypedAddress } from '../../address/typed-address.ts';
import { isOutcome, PosternError } from '../../errors/postern-error.ts';
import type { FixedHeader } from '../../mcp/http/credential-gate.ts';
import { newerAddress } from '../../oauth/discovery/probe-answer.ts';
import { Secret, splitAddress } from '../../secret.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { keySource, unusedSignIn, usesApiKey } from '../kept/api-key.ts';
import { integrationPolicy } from '../kept/integration-policy.ts';
import { integrationLock, loadHeaderValue, saveHeaderValue } from '../kept/stored-secrets.ts';
import { noteListed } from '../kept/tool-pins.ts';
import { openServer } from '../use/open-server.ts';
import { readTools } from '../use/use-server.ts';
import type { Connected, ConnectRequest } from './connect-server.ts';
import { holdGreeting, withFreeName } from './new-integration.ts';

interface KeyRequest extends Pick<ConnectRequest, 'url' | 'name' | 'options' | 'again' | 'takesNameOf'> {
  readonly key: Secret;
  /** Headers that go with it; left out: those that are kept already. */
  readonly further?: readonly FixedHeader[] | undefined;
}

/**
 * Connects a server that wants a fixed header instead of a sign-in (`options.headerName`): lists its tools with the
 * key, and keeps both only when that worked. Errors: those of the address rule, API_KEY_INVALID, API_KEY_REFUSED, MCP_FAILED, those
 * of HTTP, NOT_FOUND when it was removed meanwhile, KC_*, CFG_*; then nothing is left behind.
 */
export async function connectWithKey(
  ports: EnginePorts,
  { url, name, options: chosen, again, takesNameOf, key, further: given }: KeyRequest,
  signal: AbortSignal,
): Promise<Connected> {
  const { href, parts } = splitAddress(parseTypedAddress(url).href);
  for (const header of [{ name: chosen.headerName, value: key }, ...(given ?? [])])
    if (isToFillIn(header.value.reveal()))
      throw new PosternError('API_KEY_INVALID', { stage: 'address', detail: { toFillIn: header.name ?? '' } });
  const typed = new URL(href);
  const address = checkAddress(typed, integrationPolicy(typed.href, chosen), 'address');
  const vault = await ports.vault();
  await vault.ready();
  const kept = again && usesApiKey(again) ? await loadHeaderValue(vault, again.id, address) : undefined;
  const inAddress = parts.map((part) => ({ name: part.name, value: new Secret(part.value) }));
  const further = [...(given ?? kept?.further ?? []), ...inAddress];
  const names = further.map((header) => header.name);
  const options = { ...chosen, furtherHeaders: names.length === 0 ? undefined : names };
  const id = again?.id ?? crypto.randomUUID();
  const { onGreeting, added } = holdGreeting(ports);
  const tryAt = async (at: CheckedAddress) => {
    const tried = { id, url: at, options };
    const source = keySource(tried, async () => ({ value: key, further }));
    const listed = await readTools(openServer({ ...ports, onGreeting }, tried, source), again?.era, signal);
    return { wanted: tried, ...listed };
  };
  const typedAt = await tryAt(address);
  // The old transport at the address that was typed: the same server may have the newer one beside it.
  const newer = typedAt.era === 'sse' && !again ? newerAddress(address) : undefined;
  const newerAt = newer && (await tryAt(newer).catch((error: unknown) => passOver(error, signal)));
  const isNewer = newerAt !== undefined && newerAt.era !== 'sse';
  const { wanted, tools, era } = isNewer ? newerAt : typedAt;
  async function install(freeName: string): Promise<Integration> {
    const installed: Integration = {
      ...wanted,
      ...unusedSignIn(again),
      name: freeName,
      method: 'NoAuth',
      state: 'integrated',
      createdAt: again?.createdAt ?? ports.clock.now(),
      keySavedAt: ports.clock.now(),
      notes: [...noteIf(isNewer, 'newer-address')],
      era,
    };
    // The secret first: there must never be an entry without its key.
    return await ports.locks.hold(integrationLock(wanted.id), async () => {
      // Removed while the server was asked: that was the person's last word.
      if (again && !(await ports.store.read(again.id))) throw new PosternError('NOT_FOUND', { stage: 'install' });
      await saveHeaderValue(vault, wanted, { value: key, further });
      return await ports.store.write(installed);
    });
  }
  const integration = await (again
    ? install(again.name)
    : withFreeName(ports, { name, url: wanted.url, takesNameOf }, install));
  added();
  await noteListed(ports, integration, tools);
  return { integration, tools, warnings: [] };
}

/** Nothing of use is there. */
function passOver(error: unknown, signal: AbortSignal): undefined {
  if (!isOutcome(error) || signal.aborted) throw error;
}

/**
 * Whether it is used without any credential, so that headers of an entry for the same address are all that there is.
 */
export function lacksCredential(integration: Integration): boolean {
  return usesApiKey(integration) ? integration.state === 'signedOut' : integration.method === 'NoAuth';
}

/**
 * Headers that came for an integration which is there already: it keeps them where it has no credential, once the
 * server has taken them; else it goes on with what it has. Errors: as `connectWithKey`.
 */
export async function keepHeaders(
  ports: EnginePorts,
  integration: Integration,
  { name: headerName, value: key, further = [] }: FixedHeader & { readonly further?: readonly FixedHeader[] },
  signal: AbortSignal,
): Promise<'kept' | 'existing'> {
  if (!lacksCredential(integration)) return 'existing';
  const { url, name, options } = integration;
  const keyed = { url, name, options: { ...options, headerName }, again: integration, key, further };
  await connectWithKey(ports, keyed, signal);
  return 'kept';
}
