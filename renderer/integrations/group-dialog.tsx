import { useState } from 'react';
import type { FormEvent } from 'react';
import type { SidebarChange } from '../../shared/sidebar.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { RadioChoice } from '../parts/radio-choice.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { useCall } from '../use-call.ts';
import { forget, useKept } from '../use-kept.ts';
import { words } from '../words.ts';
import { compareNames } from './filter-integrations.ts';

/** Servers that go into a group, or a group that gets another name. */
export type Grouping =
  | { readonly kind: 'move'; readonly ids: readonly string[]; readonly name: string }
  | { readonly kind: 'rename'; readonly group: string };

interface GroupDialogProps {
  readonly grouping: Grouping;
  readonly onClose: () => void;
}

const [none, fresh] = ['none', 'new'] as const;

export function GroupDialog({ grouping, onClose }: GroupDialogProps) {
  const groups = useSnapshots((state) => state.app?.sidebar.groups) ?? [];
  const ids = grouping.kind === 'move' ? grouping.ids : [];
  const isIn = (servers: readonly string[]): boolean => ids.some((id) => servers.includes(id));
  const names = groups.map(({ name }) => name).toSorted(compareNames);
  const now = groups.find(({ servers }) => ids.length > 0 && ids.every((id) => servers.includes(id)))?.name;
  const [chosen, setChosen] = useState(now === undefined ? fresh : String(names.indexOf(now)));
  const place = grouping.kind === 'rename' ? `group ${grouping.group}` : 'new group';
  const [{ name }, keep] = useKept('page', place, { name: grouping.kind === 'rename' ? grouping.group : '' });
  // Escape leaves it for another time.
  const done = (): void => {
    forget('page', place);
    onClose();
  };
  const isNew = grouping.kind === 'rename' || chosen === fresh;
  const typed = name.trim();
  const arranging = useCall<null>();
  // It closes on what is kept, so that no name that was typed is lost.
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (arranging.busy || (isNew && typed === '')) return;
    const group = isNew ? typed : chosen === none ? null : (names[Number(chosen)] ?? null);
    const change: SidebarChange =
      grouping.kind === 'move'
        ? { do: 'move', ids: [...ids], group }
        : { do: 'rename', group: grouping.group, name: typed };
    if ((await arranging.run(() => postern.settings.arrange(change))) !== undefined) done();
  };
  const options = [
    ...names.map((each, index) => ({ value: String(index), label: each })),
    { value: fresh, label: words.arrange.newGroup },
    ...(groups.some(({ servers }) => isIn(servers)) ? [{ value: none, label: words.arrange.noGroup }] : []),
  ];
  const { arrange } = words;
  return (
    <Dialog
      open
      title={grouping.kind === 'rename' ? arrange.renameTitle(grouping.group) : arrange.moveTitle(grouping.name)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={done}>{words.common.cancel}</Button>
          <Button kind="primary" type="submit" form="group-form" busy={arranging.busy} disabled={isNew && typed === ''}>
            {grouping.kind === 'rename' ? arrange.renameButton : arrange.moveButton}
          </Button>
        </>
      }
    >
      <form id="group-form" className="stack" onSubmit={(event) => void submit(event)}>
        {grouping.kind === 'move' && names.length > 0 && (
          <RadioChoice label={arrange.group} value={chosen} options={options} onChoose={setChosen} />
        )}
        {isNew && (
          <Field label={arrange.groupName}>
            {(control) => (
              <TextInput
                {...control}
                maxLength={80}
                value={name}
                onChange={(event) => keep({ name: event.target.value })}
              />
            )}
          </Field>
        )}
        {arranging.error && <ErrorNotice error={arranging.error} actions={{ dismiss: arranging.clear }} />}
      </form>
    </Dialog>
  );
}
