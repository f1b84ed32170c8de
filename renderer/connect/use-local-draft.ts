import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { nameAfter } from '../../shared/pasted/read-command.ts';
import type { Pasted } from '../../shared/pasted/read-command.ts';
import { postern, useCall } from '../postern.ts';
import { useRetainedState } from '../use-retained-state.ts';
import { show } from '../view.ts';

type PastedCommand = Extract<Pasted, { readonly kind: 'local' }>;

export interface TypedVariable {
  readonly name: string;
  readonly value: string;
  /** An empty value means the one from the list, which stays in main. */
  readonly hasListedValue?: boolean;
}

/** Input for a local server. */
export interface LocalDraft {
  readonly isOpen: boolean;
  readonly name: string;
  readonly line: string;
  readonly folder: string;
  readonly variables: readonly TypedVariable[];
  /** For an entry of a list: main's draft ID and the entry ID. */
  readonly listed?: { readonly draft: string; readonly entry: string } | undefined;
}

export const localStateKey = ['page', 'local command'] as const;

const nothing: LocalDraft = { isOpen: false, name: '', line: '', folder: '', variables: [] };

export function useLocalDraft(): [LocalDraft, (change: Partial<LocalDraft>) => void] {
  const [draft, setDraft] = useRetainedState(...localStateKey, nothing);
  return [draft, (change) => setDraft((before) => ({ ...before, ...change }))];
}

/** A pasted command, split into words and variables, with a name derived from what it starts. */
export function draftOf({ app, name, words, variables }: PastedCommand): Partial<LocalDraft> {
  const line = words.map(quoteWord).join(' ');
  return {
    ...nothing,
    isOpen: true,
    line,
    name: (name ?? nameAfter(app)).slice(0, 80),
    variables: variables.map((variable) => ({ value: '', ...variable })),
  };
}

export function draftOfEntry(
  entry: string,
  { draft, name, words, folder, variables }: IpcOutput<'local:draft'>,
): LocalDraft {
  return {
    isOpen: true,
    name,
    line: words.map(quoteWord).join(' '),
    folder: folder ?? '',
    variables: variables.map((variable) => ({ ...variable, value: '' })),
    listed: { draft, entry },
  };
}

/** Opens the form with the command of a list entry. */
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

const quoteWord = (word: string): string =>
  /^[\w@%+=:,./~-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
