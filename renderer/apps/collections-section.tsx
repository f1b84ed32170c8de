import { useState } from 'react';
import type { FormEvent } from 'react';
import type { CollectionView } from '../../shared/app-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { filterIntegrations, sortIntegrations } from '../integrations/arrange-rows.ts';
import { describeStatus } from '../integrations/server-icon.tsx';
import { Button } from '../components/button.tsx';
import { CheckBox } from '../components/check-box.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field, TextInput } from '../components/field.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { forget, useRetainedState } from '../use-retained-state.ts';
import { beginRemoval, openAppSelection } from '../view.ts';
import { words } from '../words.ts';
import { maxRows, searchThreshold } from '../components/use-visible-rows.ts';

/** Collections: several servers behind one app entry. Create, edit, remove, and see which apps use them. */
export function CollectionsSection() {
  const collections = useSnapshots((state) => state.collections) ?? [];
  const apps = useSnapshots((state) => state.apps) ?? [];
  const [edited, setEdited] = useState<CollectionView | 'new'>();
  const texts = words.apps.collections;
  return (
    <section className="section" aria-labelledby="collections">
      <h2 id="collections">{texts.title}</h2>
      <p className="soft">{texts.intro}</p>
      {collections.length > 0 && (
        <ul className="app-list">
          {collections.map((collection) => {
            const { id, name, members } = collection;
            const users = apps.filter(({ uses }) => uses.includes(id)).map((app) => app.name);
            return (
              <li className="app-server" key={id}>
                <div className="collection">
                  <span className="app-name">{name}</span>
                  <span className="app-state">{texts.state(members.length, users)}</span>
                </div>
                <div className="row">
                  <Button
                    kind="quiet"
                    aria-label={`${words.arrange.use} ${name}`}
                    onClick={() => openAppSelection([id])}
                  >
                    {words.arrange.use}
                  </Button>
                  <Button kind="quiet" aria-label={`${texts.change} ${name}`} onClick={() => setEdited(collection)}>
                    {texts.change}
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
        <Button onClick={() => setEdited('new')}>{texts.add}</Button>
      </div>
      {edited && (
        <CollectionDialog collection={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </section>
  );
}

interface CollectionDialogProps {
  /** Absent for a new collection. */
  readonly collection?: CollectionView | undefined;
  readonly onClose: () => void;
}

const emptyCollection = { name: '', members: [] as readonly string[] };

/** Name and servers. Apps see the servers in the order in which they were chosen. */
function CollectionDialog({ collection, onClose }: CollectionDialogProps) {
  const texts = words.apps.collections;
  const servers = sortIntegrations(useSnapshots((state) => state.integrations) ?? []);
  const [search, setSearch] = useState('');
  const found = filterIntegrations(servers, search);
  const stateKey = `collection ${collection?.id ?? ''}`;
  const [{ name, members }, setDraft] = useRetainedState('page', stateKey, collection ?? emptyCollection);
  const saving = useCall<unknown>();
  const title = name.trim();
  // Escape keeps the draft; Save and Cancel discard it.
  const done = (): void => {
    forget('page', stateKey);
    onClose();
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (saving.busy || title === '') return;
    const input = { ...(collection && { id: collection.id }), name: title, members: [...members] };
    if ((await saving.run(() => postern.collection.save(input))) !== undefined) done();
  };
  return (
    <Dialog
      wide
      open
      title={collection?.name ?? texts.new}
      description={texts.text}
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
        <Field label={words.apps.other.name}>
          {(control) => (
            <TextInput
              {...control}
              value={name}
              maxLength={80}
              onChange={(event) => setDraft({ members, name: event.target.value })}
            />
          )}
        </Field>
        {servers.length > searchThreshold && (
          <TextInput
            type="search"
            value={search}
            placeholder={words.sidebar.search}
            aria-label={words.sidebar.search}
            onChange={(event) => setSearch(event.target.value)}
          />
        )}
        <div className="app-choices" role="group" aria-label={words.sidebar.servers}>
          {found.slice(0, maxRows).map((server) => (
            <CheckBox
              key={server.id}
              checked={members.includes(server.id)}
              label={server.name}
              hint={describeStatus(server)}
              onChange={(isIn) => {
                const others = members.filter((id) => id !== server.id);
                setDraft({ name, members: isIn ? [...others, server.id] : others });
              }}
            />
          ))}
        </div>
        {found.length > maxRows && <p className="soft small">{words.tools.shownOf(maxRows, found.length)}</p>}
        {saving.error && <ErrorNotice error={saving.error} actions={{ dismiss: saving.clear }} />}
      </form>
    </Dialog>
  );
}
