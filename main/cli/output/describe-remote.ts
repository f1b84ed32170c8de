import type { RemoteOf } from '../../../shared/local-command.ts';
import { remoteOf } from '../../apps/import/list-server.ts';
import { printableLine } from '../text/printable.ts';

/** For `--json`: what the command would do has an address. */
export function remoteFields(words: readonly string[]): { readonly remote?: RemoteOf } {
  const remote = remoteOf(words);
  return remote ? { remote } : {};
}

/** The same for a person, who may not need the command at all. */
export function describeRemote({ remote }: { readonly remote?: RemoteOf }): readonly string[] {
  if (!remote) return [];
  const address = printableLine(remote.address, 2_048);
  const connect = `\`postern connect ${address}\``;
  return [
    remote.isBridged
      ? `mcp-remote only leads to ${address}, which needs no program on this computer: ${connect}.`
      : `${printableLine(remote.name)} has a server of its own, which needs no program on this computer: ${connect}.`,
  ];
}
