import { useState } from 'react';
import type { FormEvent } from 'react';
import type { CollectionView } from '../../shared/program-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { filterIntegrations, sortIntegrations } from '../integrations/arrange-rows.ts';
import { describeStatus } from '../integrations/server-icon.tsx';
import { Button } from '../parts/button.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, TextInput } from '../parts/field.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { forget, useKept } from '../use-kept.ts';
import { beginRemoval, beginUse } from '../view.ts';
import { words } from '../words.ts';
import { few, most } from './program-servers.tsx';

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

interface CollectionDialogProps {
  /** Left out: a new one. */
  readonly collection?: CollectionView | undefined;
  readonly onClose: () => void;
}

const nothing = { name: '', members: [] as readonly string[] };

/** Its name and its servers, which come to programs in the order in which they were chosen. */
function CollectionDialog({ collection, onClose }: CollectionDialogProps) {
  const own = words.programs.collections;
  const servers = sortIntegrations(useSnapshots((state) => state.integrations) ?? []);
  const [search, look] = useState('');
  const found = filterIntegrations(servers, search);
  const place = `collection ${collection?.id ?? ''}`;
  const [{ name, members }, keep] = useKept('page', place, collection ?? nothing);
  const saving = useCall<unknown>();
  const title = name.trim();
  // Escape leaves it for another time.
  const done = (): void => {
    forget('page', place);
    onClose();
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (saving.busy || title === '') return;
    const wanted = { ...(collection && { id: collection.id }), name: title, members: [...members] };
    if ((await saving.run(() => postern.collection.save(wanted))) !== undefined) done();
  };
  return (
    <Dialog
      wide
      open
      title={collection?.name ?? own.new}
      description={own.text}
      onClose={onClose}
      footer={
        <>
          <Button onClick={done}>{words.common.cancel}</Button>
          <Button kind="primary" type="submit" form="collection" busy={saving.busy} disabled={title === ''}>
            {words.common.save}
          </Button>
        </>
      }
    >
      <form id="collection" className="stack" onSubmit={(event) => void submit(event)}>
        <Field label={words.programs.other.name}>
          {(control) => (
            <TextInput
              {...control}
              value={name}
              maxLength={80}
              onChange={(event) => keep({ members, name: event.target.value })}
            />
          )}
        </Field>
        {servers.length > few && (
          <TextInput
            type="search"
            value={search}
            placeholder={words.sidebar.search}
            aria-label={words.sidebar.search}
            onChange={(event) => look(event.target.value)}
          />
        )}
        <div className="program-choices" role="group" aria-label={words.sidebar.servers}>
          {found.slice(0, most).map((server) => (
            <CheckBox
              key={server.id}
              checked={members.includes(server.id)}
              label={server.name}
              hint={describeStatus(server)}
              onChange={(isIn) => {
                const others = members.filter((id) => id !== server.id);
                keep({ name, members: isIn ? [...others, server.id] : others });
              }}
            />
          ))}
        </div>
        {found.length > most && <p className="soft small">{words.tools.shownOf(most, found.length)}</p>}
        {saving.error && <ErrorNotice error={saving.error} actions={{ dismiss: saving.clear }} />}
      </form>
    </Dialog>
  );
}
