import { useState } from 'react';
import type { CollectionView } from '../../shared/collection-view.ts';
import { Button } from '../parts/button.tsx';
import { useSnapshots } from '../store.ts';
import { beginRemoval, beginUse } from '../view.ts';
import { words } from '../words.ts';
import { CollectionDialog } from './collection-dialog.tsx';

/** Servers that programs use by one entry: made, changed and removed, and who uses them. */
export function CollectionsPart() {
  const collections = useSnapshots((state) => state.collections) ?? [];
  const programs = useSnapshots((state) => state.programs) ?? [];
  const [edited, edit] = useState<CollectionView | 'new'>();
  const own = words.programs.collections;
  return (
    <section className="section" aria-labelledby="collections">
      <h2 id="collections">{own.title}</h2>
      <p className="soft">{own.intro}</p>
      {collections.length > 0 && (
        <ul className="program-list">
          {collections.map((collection) => {
            const { id, name, members } = collection;
            const users = programs.filter(({ uses }) => uses.includes(id)).map((program) => program.name);
            return (
              <li className="program-server" key={id}>
                <div className="collection">
                  <span className="program-name">{name}</span>
                  <span className="program-state">{own.state(members.length, users)}</span>
                </div>
                <div className="row">
                  <Button kind="quiet" aria-label={`${words.arrange.use} ${name}`} onClick={() => beginUse([id])}>
                    {words.arrange.use}
                  </Button>
                  <Button kind="quiet" aria-label={`${own.change} ${name}`} onClick={() => edit(collection)}>
                    {own.change}
                  </Button>
                  <Button
                    kind="quiet"
                    aria-label={`${words.integration.menu.remove} ${name}`}
                    onClick={() => beginRemoval([id])}
                  >
                    {words.integration.menu.remove}
                  </Button>
                </div>
              </li>
            );
          })}
        </ul>
      )}
      <div>
        <Button onClick={() => edit('new')}>{own.add}</Button>
      </div>
      {edited && (
        <CollectionDialog collection={edited === 'new' ? undefined : edited} onClose={() => edit(undefined)} />
      )}
    </section>
  );
}
