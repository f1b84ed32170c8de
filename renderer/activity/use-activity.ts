import { useEffect, useRef, useState } from 'react';
import { activityBounds } from '../../shared/activity-bounds.ts';
import type { ActivityView } from '../../shared/activity-calls.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { postern } from '../postern.ts';

/**
 * Milliseconds between two looks: whichever process serves programs notes their calls in files. Where nothing new is
 * found, the next one takes twice as long, up to what the page has said.
 */
const shortest = 250;

export interface NumberedCall extends ActivityView {
  readonly number: number;
}

interface Activity {
  readonly first: number;
  readonly last: number;
  /** Newest first. */
  readonly calls: readonly NumberedCall[];
}

const nothing: Activity = { first: 1, last: 0, calls: [] };

/** The newest calls, as they come while `isLive` and the window is in sight; `undefined` until they were read once. */
export function useActivity(isLive: boolean, longest = 1_000): readonly NumberedCall[] | undefined {
  const [activity, setActivity] = useState<Activity>();
  const held = useRef<Activity>(undefined);
  useEffect(() => {
    if (!isLive) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wait = shortest;
    let isReading = false;
    let isOver = false;
    const read = async (): Promise<void> => {
      clearTimeout(timer);
      // Nobody sees it: it is read when somebody does.
      if (isReading || (document.hidden && held.current)) return;
      isReading = true;
      const before = held.current ?? nothing;
      const answer = await postern.activity.read({ after: before.last });
      isReading = false;
      if (isOver) return;
      const isNew = !held.current || (answer.ok && !isSame(answer.value, before));
      if (answer.ok && isNew) {
        held.current = addTo(before, answer.value);
        setActivity(held.current);
      }
      wait = isNew ? shortest : Math.min(2 * wait, longest);
      timer = setTimeout(() => void read(), wait);
    };
    const onVisible = (): void => {
      wait = shortest;
      void read();
    };
    void read();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [isLive, longest]);
  return activity?.calls;
}

const isSame = (one: Pick<Activity, 'first' | 'last'>, other: Pick<Activity, 'first' | 'last'>): boolean =>
  one.first === other.first && one.last === other.last;

function addTo({ calls }: Activity, { first, last, calls: fresh }: IpcOutput<'activity:read'>): Activity {
  const numbered = fresh.map((call, index) => ({ ...call, number: last - fresh.length + 1 + index })).toReversed();
  const kept = calls.filter(({ number }) => number >= first && number <= last - fresh.length);
  return { first, last, calls: [...numbered, ...kept].slice(0, activityBounds.calls) };
}
