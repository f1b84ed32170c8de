import { useCallback, useState } from 'react';

/** What was entered, by the place where it was; for as long as the window is open, and never written anywhere. */
const kept = new Map<string, unknown>();
/** Places that are remembered; the one that was left longest ago is forgotten first. */
const most = 500;

/** A state that is still there when its part of the window is shown again. */
export function useKept<Value>(place: string, initial: Value): [Value, (value: Value) => void, () => void] {
  const [value, setValue] = useState<Value>(() => (kept.has(place) ? (kept.get(place) as Value) : initial));
  const keep = useCallback(
    (next: Value) => {
      kept.delete(place);
      kept.set(place, next);
      const [oldest] = kept.keys();
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
      setValue(next);
    },
    [place],
  );
  const forget = useCallback(() => void kept.delete(place), [place]);
  return [value, keep, forget];
}
