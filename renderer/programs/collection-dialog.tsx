import { useState } from 'react';
import type { FormEvent } from 'react';
import type { CollectionView } from '../../shared/collection-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { describeStatus } from '../integrations/describe-status.ts';
import { filterIntegrations, sortIntegrations } from '../integrations/filter-integrations.ts';
import { Button } from '../parts/button.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { useCall } from '../use-call.ts';
import { forget, useKept } from '../use-kept.ts';
import { words } from '../words.ts';
import { few, most } from './program-servers.tsx';

interface CollectionDialogProps {
  /** Left out: a new one. */
  readonly collection?: CollectionView | undefined;
  readonly onClose: () => void;
}

const nothing = { name: '', members: [] as readonly string[] };

/** Its name and its servers, which come to programs in the order in which they were chosen. */
export function CollectionDialog({ collection, onClose }: CollectionDialogProps) {
  const own = words.programs.collections;
  const servers = sortIntegrations(useSnapshots((state) => state.integrations) ?? []);
  const [search, look] = useState('');
  const found = filterIntegrations(servers, search);
  const place = `collection ${collection?.id ?? ''}`;
  const [{ name, members }, keep] = useKept('page', place, collection ?? nothing);
  const saving = useCall<null>();
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
