import type { IntegrationView } from '../../../shared/integration-view.ts';
import { displayText } from '../../address/display-text.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { noticeInterval } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import type { DesktopShell, PersonQuestion } from '../../window-ports.ts';
import { windowWords } from '../../window-words.ts';
import type { IntegrationBoard } from '../state/integration-board.ts';

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

/** A call of a program that was refused, and that only the person can make possible. */
interface Need {
  readonly integration: { readonly id: string; readonly name: string };
  readonly program: string;
  readonly error: PosternError;
  readonly wayOut: keyof typeof windowWords.programNeeds;
}

/** Puts the one card on the integration and tells of it; no window comes by itself, and nothing is called again. */
export function showNeed(board: Pick<IntegrationBoard, 'want'>, notify: Notify): (need: Need) => void {
  return ({ integration: { id, name }, program, error, wayOut }) => {
    board.want(id, program, error);
    const body = windowWords.programNeeds[wayOut](program);
    notify({ title: displayText(name), body, integrationId: id });
  };
}

/**
 * One quiet notice when a sign-in has ended, and no window by itself. Those that had ended before the first look are
 * not told: the list shows them. No address, account or reason goes into a notice.
 */
export function tellEndedSignIns(notify: Notify): (views: readonly IntegrationView[]) => void {
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

/** One quiet notice when tools of a server have changed; those that had changed before the first look are in the list. */
export function tellChangedTools(notify: Notify): (views: readonly IntegrationView[]) => void {
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

export type AskPerson = (question: PersonQuestion) => Promise<boolean>;

/**
 * Asks before something is destroyed, outside of any page: a script in the window can make a call, and not answer this.
 * While one question is open another one is a no, so that nobody is worn down by them.
 */
export function createAskPerson({ confirm }: Pick<DesktopShell, 'confirm'>): AskPerson {
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
