import { useSyncExternalStore } from 'react';

/**
 * What was entered, by the place where it was; never written anywhere. A window that is closed with something of it
 * stays, out of sight, for as long as the program runs (`keepWhenClosed`).
 */
const kept = new Map<string, unknown>();
/** Places that are remembered; the one that was left longest ago is forgotten first. */
const most = 500;
const listeners = new Set<() => void>();

type Change<Value> = Value | ((before: Value) => Value);

/**
 * A state that is still there when its part of the window is shown again, until its owner is gone: a server, a
 * connection, or the page. What is not entered yet is as `initial` says now.
 */
export function useKept<Value extends object>(
  owner: string,
  place: string,
  initial: Value,
): [Value, (change: Change<Value>) => void] {
  const key = keyOf(owner, place);
  const read = (): Value => (kept.get(key) as Value | undefined) ?? initial;
  const value = useSyncExternalStore(subscribe, read);
  const keep = (change: Change<Value>): void => keepAt(key, typeof change === 'function' ? change(read()) : change);
  return [value, keep];
}

/** What was entered there, if anything was. */
export const findKept = (owner: string, place: string): unknown => kept.get(keyOf(owner, place));

/** As if it had been entered there. */
export const keepAs = (owner: string, place: string, value: object): void => keepAt(keyOf(owner, place), value);

/** It has arrived where it was meant for, or is of no use any more. */
export function forget(owner: string, place: string): void {
  if (kept.delete(keyOf(owner, place))) tell();
}

/** A place of what is looked at, and was not typed: it is found again, and no reason to keep a window. */
export const lookedAt = (what: string): string => `${looked}${what}`;
const looked = 'looked at ';

/** The page objects to its end while something is entered: main hides its window instead (`ProgramWindows`). */
export function keepWhenClosed(): void {
  addEventListener('beforeunload', (event) => {
    if ([...kept.keys()].some((key) => !key.includes(`\n${looked}`))) event.preventDefault();
  });
}

/** Everything of an owner that is gone, secrets first of all. */
export function forgetAllOf(owner: string): void {
  for (const key of kept.keys()) if (key.startsWith(keyOf(owner, ''))) kept.delete(key);
  tell();
}

/** The same entry belongs to somebody else from here on. */
export function hand(place: string, from: string, to: string): void {
  const value = kept.get(keyOf(from, place));
  if (value === undefined) return;
  kept.delete(keyOf(from, place));
  keepAt(keyOf(to, place), value);
}

const keyOf = (owner: string, place: string): string => `${owner}\n${place}`;

function keepAt(key: string, value: unknown): void {
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > most && oldest !== undefined) kept.delete(oldest);
  tell();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const tell = (): void => listeners.forEach((listener) => listener());
