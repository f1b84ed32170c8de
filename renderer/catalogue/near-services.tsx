import { useMemo } from 'react';
import type { KnownServer } from '../../shared/known-servers/known-server.ts';
import { words } from '../words.ts';
import { useCatalogue } from './catalogue.ts';
import { ServiceTiles } from './service-tiles.tsx';

interface NearServicesProps {
  /** A name or an address that leads nowhere. */
  readonly text: string;
  readonly onChoose: (server: KnownServer) => void;
}

/** The services that may have been meant, where a letter is wrong. */
export function NearServices({ text, onChoose }: NearServicesProps) {
  const catalogue = useCatalogue();
  const near = useMemo(() => catalogue?.findNearServers(text) ?? [], [catalogue, text]);
  if (near.length === 0) return null;
  return (
    <section className="section" aria-labelledby="near-title">
      <h2 id="near-title">{words.catalogue.meant}</h2>
      <ServiceTiles servers={near} label={words.catalogue.meant} onChoose={onChoose} />
    </section>
  );
}
