import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { nameAfter } from '../../shared/pasted/read-command.ts';
import type { Pasted } from '../../shared/pasted/read-command.ts';
import { postern, useCall } from '../postern.ts';
import { useKept } from '../use-kept.ts';
import { show } from '../view.ts';

type PastedCommand = Extract<Pasted, { readonly kind: 'local' }>;

export interface TypedVariable {
  readonly name: string;
  readonly value: string;
  /** Without a value it has that of the list, which stays in main. */
  readonly isKept?: boolean;
}

/** What is entered of a server on this computer. */
export interface LocalDraft {
  readonly isOpen: boolean;
  readonly name: string;
  readonly line: string;
  readonly folder: string;
  readonly variables: readonly TypedVariable[];
  /** Of a list: what main calls it, and the id of its entry. */
  readonly listed?: { readonly draft: string; readonly entry: string } | undefined;
}

export const localPlace = ['page', 'local command'] as const;

const nothing: LocalDraft = { isOpen: false, name: '', line: '', folder: '', variables: [] };

export function useLocalDraft(): [LocalDraft, (change: Partial<LocalDraft>) => void] {
  const [draft, keep] = useKept(...localPlace, nothing);
  return [draft, (change) => keep((before) => ({ ...before, ...change }))];
}

/** A command as it was pasted: its variables apart, and a name from what it starts. */
export function draftOf({ program, name, words, variables }: PastedCommand): Partial<LocalDraft> {
  const line = words.map(quoted).join(' ');
  return { ...nothing, isOpen: true, line, name: (name ?? nameAfter(program)).slice(0, 80), variables };
}

/** The command of an entry of a list. */
export function draftOfEntry(
  entry: string,
  { draft, name, words, folder, variables }: IpcOutput<'local:draft'>,
): LocalDraft {
  return {
    isOpen: true,
    name,
    line: words.map(quoted).join(' '),
    folder: folder ?? '',
    variables: variables.map((variable) => ({ ...variable, value: '' })),
    listed: { draft, entry },
  };
}

/** Opens the form with the command of an entry of a list. */
export function useListedCommand(entry: string) {
  const [, change] = useLocalDraft();
  const draft = useCall<IpcOutput<'local:draft'>>();
  const open = async (): Promise<void> => {
    const read = await draft.run(() => postern.local.draft({ entry }));
    if (!read) return;
    change(draftOfEntry(entry, read));
    show({ name: 'connect' });
  };
  return { open, busy: draft.busy, error: draft.error };
}

const quoted = (word: string): string =>
  /^[\w@%+=:,./~-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
