import type { Integration } from '../../../shared/integration.ts';
import { parseTypedAddress } from '../../address/parse-typed-address.ts';
import { findSameCommand } from '../../integration/connect/list-local.ts';
import type { EnginePorts } from '../../integration/engine-ports.ts';
import { findSameServer } from '../../integration/kept/find-at-address.ts';
import { keysIn } from '../../integration/kept/stored-secrets.ts';
import { fixedHeaders } from '../../programs/import/fixed-headers.ts';
import { PosternError } from '../../postern-error.ts';
import { UnsentRequest } from '../../request-error.ts';
import { hasGap } from '../../programs/import/listed-command.ts';
import type { ListedServer } from '../../programs/import/list-server.ts';
import { prepareListed } from '../../programs/import/prepare-listed.ts';

/** What an entry of a list is connected as: by its address, or by its command and the values of its variables. Errors: CFG_*, KC_*. */
export async function findListed(
  ports: Pick<EnginePorts, 'store' | 'vault' | 'local'>,
  { url, headers, command }: ListedServer,
): Promise<Integration | undefined> {
  const integrations = await ports.store.list();
  if (url !== undefined) {
    const address = addressOf(url);
    const { first, further } = fixedHeaders(headers);
    const entry = address && { address, headers: first ? [first, ...further] : [] };
    return entry && (await findSameServer(integrations, entry, keysIn(ports.vault)));
  }
  // The vault is not opened for a list of which nothing is here.
  if (!command || hasGap(command) || !integrations.some((each) => each.command)) return undefined;
  const prepared = await prepareListed(ports, command, '').catch((error: unknown) => {
    // Its program is not on this computer.
    if (error instanceof UnsentRequest) return undefined;
    throw error;
  });
  return prepared && (await findSameCommand(ports, prepared))?.integration;
}

/** `undefined`: it is none. */
function addressOf(url: string): URL | undefined {
  try {
    return parseTypedAddress(url);
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    return undefined;
  }
}
