import { create } from 'zustand';

const useStore = create<{ readonly keys: ReadonlySet<string> }>()(() => ({ keys: new Set() }));

/** Whether a person has put off what `key` names, until the next start; something else than before has another key. */
export function usePutOff(key: string): readonly [isPutOff: boolean, putOff: () => void] {
  const isPutOff = useStore(({ keys }) => keys.has(key));
  return [isPutOff, () => useStore.setState(({ keys }) => ({ keys: new Set([...keys, key]) }))];
}
