import { useKept } from '../use-kept.ts';
import { readStartWords } from '../pasted/start-words.ts';

export interface TypedVariable {
  readonly name: string;
  readonly value: string;
}

/** What is entered of a server on this computer. */
export interface LocalDraft {
  readonly isOpen: boolean;
  readonly name: string;
  readonly line: string;
  readonly folder: string;
  readonly variables: readonly TypedVariable[];
}

export const localPlace = ['page', 'local command'] as const;

const nothing: LocalDraft = { isOpen: false, name: '', line: '', folder: '', variables: [] };

export function useLocalDraft(): [LocalDraft, (change: Partial<LocalDraft>) => void] {
  const [draft, keep] = useKept(...localPlace, nothing);
  return [draft, (change) => keep((before) => ({ ...before, ...change }))];
}

/** A command as it was pasted: its variables apart, and a name from what it starts. */
export function draftOf(line: string, program: string): Partial<LocalDraft> {
  const { words, variables } = readStartWords(line);
  const name = program
    .replace(/^.*[/\\]/u, '')
    .replace(/@[\w.-]+$/u, '')
    .replace(/^(?:mcp-)?server-|-mcp(?:-server)?$/gu, '');
  const typed = variables.length === 0 ? line.trim() : words.map(quoted).join(' ');
  return { isOpen: true, line: typed, name: name.slice(0, 80), variables };
}

const quoted = (word: string): string =>
  /^[\w@%+=:,./~-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
