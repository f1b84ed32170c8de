import { Globe } from 'lucide-react';
import { useId } from 'react';
import type { KnownServer } from '../../shared/known-servers/known-server.ts';
import type { RegistryServer } from '../../shared/registry-calls.ts';
import { Button } from '../parts/button.tsx';
import { HostName } from '../parts/host-name.tsx';
import { placeOfAddress } from '../parts/place-of-address.ts';
import { ServiceIcon } from '../parts/service-icon.tsx';
import { lookedAt, useKept } from '../use-kept.ts';
import { words } from '../words.ts';
import { RegistryForm } from './registry-form.tsx';

interface RegistryRowProps {
  readonly server: RegistryServer;
  /** The service of the catalogue whose name it bears, at another address. */
  readonly lookAlike: KnownServer | undefined;
  readonly onCheck: (url: string) => void;
}

const closed = { isOpen: false };

/** A server as a stranger published it: beside its host, without an icon, and never by the name of another one. */
export function RegistryRow({ server, lookAlike, onCheck }: RegistryRowProps) {
  const id = useId();
  const own = words.registry;
  const { name, title, does, remotes } = server;
  const [{ isOpen }, keep] = useKept('page', lookedAt(`registry row of ${name}`), closed);
  const [first] = remotes;
  const heading = lookAlike ? name : (title ?? name);
  const isOld = remotes.every(({ transport }) => transport === 'sse');
  return (
    <li className="registry-row">
      <Globe className="registry-mark" aria-hidden="true" size={20} />
      <div className="registry-text">
        <div className="row">
          <h3 id={id}>
            <bdi>{heading}</bdi>
          </h3>
          <span className="registry-tag">{own.unverified}</span>
        </div>
        <p className="small registry-place">
          <HostName>{first?.place ?? ''}</HostName>
        </p>
        {does !== undefined && (
          <p className="soft small">
            <bdi>{does}</bdi>
          </p>
        )}
        {lookAlike && (
          <p className="small registry-warning">{own.notThe(lookAlike.name, placeOfAddress(lookAlike.address, ''))}</p>
        )}
        {isOld && <p className="small">{own.old}</p>}
        {isOpen && <RegistryForm server={server} onCheck={onCheck} />}
      </div>
      <Button
        aria-expanded={isOpen}
        aria-label={isOpen ? own.closeOf(heading) : own.openOf(heading)}
        onClick={() => keep({ isOpen: !isOpen })}
      >
        {isOpen ? own.close : own.open}
      </Button>
    </li>
  );
}

/** What the registry names and Postern knows: by the name and the look that it has here. */
export function KnownRow({ server, onChoose }: { readonly server: KnownServer; readonly onChoose: () => void }) {
  return (
    <li className="registry-row">
      <ServiceIcon name={server.name} />
      <div className="registry-text">
        <h3>{server.name}</h3>
        <p className="soft small">{words.registry.known}</p>
      </div>
      <Button aria-label={words.registry.openOf(server.name)} onClick={onChoose}>
        {words.registry.open}
      </Button>
    </li>
  );
}
