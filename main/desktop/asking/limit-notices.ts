import { noticeInterval } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import type { DesktopShell } from '../../window-ports.ts';

type Notify = DesktopShell['notify'];

/** One notice about an integration in a while, whatever there is to tell and whoever wants it told. */
export function limitNotices(notify: Notify, { monotonic }: Pick<Clock, 'monotonic'>): Notify {
  const told = new Map<string, number>();
  return (notice) => {
    const now = monotonic();
    for (const [id, at] of told) if (now - at >= noticeInterval) told.delete(id);
    if (told.has(notice.integrationId)) return;
    told.set(notice.integrationId, now);
    notify(notice);
  };
}
