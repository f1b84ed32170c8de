import { useSyncExternalStore } from 'react';

/**
 * Unsaved input and view state, by owner and name. In memory only. A window closed with unsaved input is hidden
 * instead, as long as Postern runs (`preventUnloadWithInput`).
 */
const retained = new Map<string, unknown>();
/** The least recently changed entry is dropped first. */
const maxEntries = 500;
const listeners = new Set<() => void>();

type Change<Value> = Value | ((before: Value) => Value);

/**
 * State that survives unmounting, until its owner (a server, a connection, or the page) is gone. Falls back to the
 * current `initial` while nothing was entered.
 */
export function useRetainedState<Value extends object>(
  owner: string,
  name: string,
  initial: Value,
): [Value, (change: Change<Value>) => void] {
  const key = keyOf(owner, name);
  const read = (): Value => (retained.get(key) as Value | undefined) ?? initial;
  const value = useSyncExternalStore(subscribe, read);
  const setValue = (change: Change<Value>): void => set(key, typeof change === 'function' ? change(read()) : change);
  return [value, setValue];
}

/** The entered state, if any. */
export const readRetained = (owner: string, name: string): unknown => retained.get(keyOf(owner, name));

/** Sets the state as if the user had entered it. */
export const retain = (owner: string, name: string, value: object): void => set(keyOf(owner, name), value);

/** The input was sent or is no longer needed. */
export function forget(owner: string, name: string): void {
  if (retained.delete(keyOf(owner, name))) notify();
}

/** Name for view state that was not typed: it is restored, but is no reason to keep a closed window. */
export const viewStateKey = (what: string): string => `${viewStatePrefix}${what}`;
const viewStatePrefix = 'view state ';

/** Blocks unloading while there is unsaved input; main then hides the window instead (`PosternWindows`). */
export function preventUnloadWithInput(): void {
  addEventListener('beforeunload', (event) => {
    if ([...retained.keys()].some((key) => !key.includes(`\n${viewStatePrefix}`))) event.preventDefault();
  });
}

/** Drops everything of an owner that is gone, secrets included. */
export function forgetOwner(owner: string): void {
  for (const key of retained.keys()) if (key.startsWith(keyOf(owner, ''))) retained.delete(key);
  notify();
}

/** Moves the state to another owner. */
export function moveState(name: string, from: string, to: string): void {
  const value = retained.get(keyOf(from, name));
  if (value === undefined) return;
  retained.delete(keyOf(from, name));
  set(keyOf(to, name), value);
}

const keyOf = (owner: string, name: string): string => `${owner}\n${name}`;

function set(key: string, value: unknown): void {
  retained.delete(key);
  retained.set(key, value);
  const [oldest] = retained.keys();
  if (retained.size > maxEntries && oldest !== undefined) retained.delete(oldest);
  notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const notify = (): void => listeners.forEach((listener) => listener());
