import type { KnownServer } from '../../shared/known-servers/known-server.ts';
import { locale } from '../locale.ts';
import { words } from '../words.ts';
import { useCatalogue } from './catalogue.ts';
import { KnownRow, RegistryRow } from './registry-row.tsx';
import type { FoundServers } from './use-registry-search.ts';

interface RegistryResultsProps {
  readonly found: FoundServers;
  readonly place: string;
  readonly onCheck: (url: string) => void;
  readonly onKnown: (server: KnownServer) => void;
}

/** What strangers have published. At the address of a service that is known stands that service, whoever names it. */
export function RegistryResults({ found, place, onCheck, onKnown }: RegistryResultsProps) {
  const catalogue = useCatalogue();
  if (!catalogue) return null;
  const own = words.registry;
  const rows = found.servers.map((server) => ({
    server,
    known: server.remotes.map(({ url }) => catalogue.findKnownServer(url)).find((each) => each !== undefined),
  }));
  const known = [...new Set(rows.flatMap((row) => row.known ?? []))];
  const strangers = rows.filter((row) => row.known === undefined);
  const time = new Date(found.askedAt).toLocaleTimeString(locale, { timeStyle: 'short' });
  return (
    <div className="stack-tight">
      <p className="soft small" role="status">
        {found.servers.length === 0 ? own.nothing(place) : own.found(found.servers.length, place, time)}{' '}
        {found.leftOut > 0 && `${own.leftOut(found.leftOut)} `}
        {found.isPartial && own.partial}
      </p>
      {rows.length > 0 && (
        <ul className="registry-rows" aria-label={own.title}>
          {known.map((server) => (
            <KnownRow key={server.name} server={server} onChoose={() => onKnown(server)} />
          ))}
          {strangers.map(({ server }) => (
            <RegistryRow
              key={server.name}
              server={server}
              lookAlike={catalogue.findLookAlike(`${server.title ?? ''} ${server.name.split('/')[1]}`)}
              onCheck={onCheck}
            />
          ))}
        </ul>
      )}
    </div>
  );
}
