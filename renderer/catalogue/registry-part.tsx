import type { KnownServer } from '../../shared/known-servers/known-server.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { placeOfAddress } from '../parts/place-of-address.ts';
import { Working } from '../parts/working.tsx';
import { readPasted } from '../pasted/read-pasted.ts';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { RegistryResults } from './registry-results.tsx';
import { useRegistrySearch } from './use-registry-search.ts';
import './registry.css';

export interface RegistryPartProps {
  /** What stands in the field; of it a name alone is sent anywhere. */
  readonly typed: string;
  readonly onCheck: (url: string) => void;
  readonly onKnown: (server: KnownServer) => void;
}

/** The same search in the MCP registry: off until the person chooses it, and asked at a press alone. */
export function RegistryPart({ typed, ...rest }: RegistryPartProps) {
  const read = readPasted(typed);
  if (read.kind !== 'name' || read.name.length < 2) return null;
  // Another name is another search: the one before ends.
  return <RegistrySection key={read.name} name={read.name} {...rest} />;
}

function RegistrySection({ name, onCheck, onKnown }: Omit<RegistryPartProps, 'typed'> & { readonly name: string }) {
  const settings = useSnapshots((state) => state.app?.settings);
  const choosing = useCall<null>();
  const { busy, found, error, search, stop } = useRegistrySearch(settings?.registry ?? '', name);
  if (!settings) return null;
  const { searchesRegistry: isOn, registry } = settings;
  const place = placeOfAddress(registry, '');
  const own = words.registry;
  const choose = (searchesRegistry: boolean): void => {
    stop();
    void choosing.run(() => postern.settings.update({ searchesRegistry }));
  };
  return (
    <section className="section" aria-labelledby="registry-title">
      <h2 id="registry-title">{own.title}</h2>
      <CheckBox checked={isOn} onChange={choose} label={own.choose} hint={own.sends(place)} />
      {choosing.error && <ErrorNotice error={choosing.error} actions={{ dismiss: choosing.clear }} />}
      {isOn && !busy && !found && (
        <div>
          <Button onClick={() => void search()}>{own.search(name, place)}</Button>
        </div>
      )}
      {busy && (
        <div className="row">
          <Working>{own.asking(place)}</Working>
          <Button kind="quiet" onClick={stop}>
            {own.stop}
          </Button>
        </div>
      )}
      {error && <ErrorNotice error={error} actions={{ dismiss: stop }} />}
      {isOn && found && <RegistryResults found={found} place={place} onCheck={onCheck} onKnown={onKnown} />}
    </section>
  );
}
