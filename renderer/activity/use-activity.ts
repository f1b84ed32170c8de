import { useEffect, useRef, useState } from 'react';
import { activityBounds } from '../../shared/activity-bounds.ts';
import type { ActivityView } from '../../shared/activity-calls.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { postern } from '../postern.ts';

/** Milliseconds between two looks: whichever process serves programs notes their calls in files. */
const look = 250;

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
export function useActivity(isLive: boolean): readonly NumberedCall[] | undefined {
  const [activity, setActivity] = useState<Activity>();
  const held = useRef<Activity>(undefined);
  useEffect(() => {
    if (!isLive) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const read = async (): Promise<void> => {
      const before = held.current ?? nothing;
      const answer = document.hidden && held.current ? undefined : await postern.activity.read({ after: before.last });
      if (isOver) return;
      if (answer?.ok && (!held.current || answer.value.last !== before.last || answer.value.first !== before.first)) {
        held.current = addTo(before, answer.value);
        setActivity(held.current);
      }
      timer = setTimeout(() => void read(), look);
    };
    void read();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isLive]);
  return activity?.calls;
}

function addTo({ calls }: Activity, { first, last, calls: fresh }: IpcOutput<'activity:read'>): Activity {
  const numbered = fresh.map((call, index) => ({ ...call, number: last - fresh.length + 1 + index })).toReversed();
  const kept = calls.filter(({ number }) => number >= first && number <= last - fresh.length);
  return { first, last, calls: [...numbered, ...kept].slice(0, activityBounds.calls) };
}
