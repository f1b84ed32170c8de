import type { IntegrationView } from '../../../shared/integration-view.ts';
import { displayText } from '../../address/display-text.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { noticeInterval } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import type { DesktopShell, Confirmation } from '../../window-ports.ts';
import { windowWords } from '../../window-words.ts';
import type { IntegrationStatuses } from '../state/integration-statuses.ts';

type Notify = DesktopShell['notify'];

/** Limits notifications to one per integration and `noticeInterval`, whatever their cause. */
export function limitNotifications(notify: Notify, { monotonic }: Pick<Clock, 'monotonic'>): Notify {
  const notifiedAt = new Map<string, number>();
  return (notice) => {
    const now = monotonic();
    for (const [id, at] of notifiedAt) if (now - at >= noticeInterval) notifiedAt.delete(id);
    if (notifiedAt.has(notice.integrationId)) return;
    notifiedAt.set(notice.integrationId, now);
    notify(notice);
  };
}

/** A call was refused, and only an action of the user can make it succeed. */
interface UserAction {
  readonly integration: { readonly id: string; readonly name: string };
  readonly app: string;
  readonly error: PosternError;
  readonly userAction: keyof typeof windowWords.appNeeds;
}

/** Shows it on the integration's card and notifies the user. Opens no window and retries nothing. */
export function showUserAction(
  statuses: Pick<IntegrationStatuses, 'markNeedsUser'>,
  notify: Notify,
): (need: UserAction) => void {
  return ({ integration: { id, name }, app, error, userAction }) => {
    statuses.markNeedsUser(id, app, error);
    const body = windowWords.appNeeds[userAction](app);
    notify({ title: displayText(name), body, integrationId: id });
  };
}

/**
 * One silent notification when a sign-in has ended; opens no window. Sign-ins that had ended before the first view are
 * only in the list. Notifications contain no URL, account or reason.
 */
export function notifyEndedSignIns(notify: Notify): (views: readonly IntegrationView[]) => void {
  let known: ReadonlySet<string> | undefined;
  return (views) => {
    const ended = views.filter(({ status }) => status.name === 'signInAgain');
    const before = known;
    known = new Set(ended.map(({ id }) => id));
    if (!before) return;
    for (const { id, name } of ended) {
      if (before.has(id)) continue;
      notify({ title: name, body: windowWords.signInEnded, integrationId: id });
    }
  };
}

/** One silent notification when a server's tools have changed; earlier changes are only in the list. */
export function notifyChangedTools(notify: Notify): (views: readonly IntegrationView[]) => void {
  let known: ReadonlyMap<string, number> | undefined;
  return (views) => {
    const before = known;
    known = new Map(views.flatMap(({ id, toolReview }) => (toolReview?.changedAt ? [[id, toolReview.changedAt]] : [])));
    if (!before) return;
    for (const { id, name } of views) {
      if (known.get(id) === before.get(id) || !known.has(id)) continue;
      notify({ title: displayText(name), body: windowWords.toolsChanged, integrationId: id });
    }
  };
}

export type Confirm = (question: Confirmation) => Promise<boolean>;

/**
 * Asks before something is destroyed, in a system dialog: a script in the window can make the call, but cannot answer
 * it. While a dialog is open, further questions count as declined, so that the user cannot be worn down.
 */
export function createConfirm({ confirm }: Pick<DesktopShell, 'confirm'>): Confirm {
  let isOpen = false;
  return async (question) => {
    if (isOpen) return false;
    isOpen = true;
    try {
      return await confirm(question);
    } finally {
      isOpen = false;
    }
  };
}
