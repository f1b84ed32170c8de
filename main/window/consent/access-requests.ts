import { randomUUID } from 'node:crypto';
import type { ApprovalAnswer, ApprovalView } from '../../../shared/approval-view.ts';
import { displayText, escapeConfusables } from '../../address/display-text.ts';
import { findAppByReportedName } from '../../apps/table/apps.ts';
import type { AskForAccess, AccessDecision, AccessRequest } from '../../gateway-ports.ts';
import { askAgainAfter, accessRequests } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import type { DesktopShell } from '../../window-ports.ts';
import { windowWords } from '../../window-words.ts';

interface AccessRequestsOptions {
  readonly clock: Pick<Clock, 'after' | 'now'>;
  readonly notify: DesktopShell['notify'];
  readonly onChange: () => void;
}

interface OpenRequest {
  readonly view: ApprovalView;
  readonly app: { readonly id: string; readonly name: string } | undefined;
  readonly decision: Promise<AccessDecision>;
  readonly settle: (answer: AccessDecision) => void;
}

/** A request that the user did not answer in time. */
interface MissedRequest extends Pick<OpenRequest, 'view' | 'app'> {
  /** A late answer, used when the app asks again. */
  readonly decision?: AccessDecision;
}

const declined: AccessDecision = { kind: 'no' };

/**
 * Asks the user which apps may use which servers: once per app and server, and never again after a denial. A missed
 * request stays in the list; the app, which retries every minute, does not interrupt the user again for a while.
 */
export class AccessRequests {
  readonly #options: AccessRequestsOptions;
  /** By request key, oldest first. */
  readonly #open = new Map<string, OpenRequest>();
  readonly #refused = new Set<string>();
  readonly #missedRequests = new Map<string, MissedRequest>();

  constructor(options: AccessRequestsOptions) {
    this.#options = options;
  }

  readonly ask: AskForAccess = async (question) => {
    const key = keyOf(question);
    if (this.#refused.has(key)) return declined;
    const open = this.#open.get(key);
    const missed = this.#missedRequests.get(key);
    // An answer for one name does not apply to another.
    if ((open ?? missed) && (open ?? missed)?.view.app !== identify(question).name) return declined;
    if (open) return await open.decision;
    if (missed?.decision) {
      this.#missedRequests.delete(key);
      return missed.decision;
    }
    if (missed && this.#options.clock.now() < missed.view.expiresAt + askAgainAfter) return declined;
    if (this.#open.size >= accessRequests.count) return declined;
    return await this.#begin(key, question);
  };

  views(): ApprovalView[] {
    const waiting = [...this.#missedRequests.values()].filter(({ decision }) => decision === undefined);
    return [...this.#open.values(), ...waiting].map(({ view }) => view);
  }

  /** Ignores an answer that is too late or was not available. */
  answer(id: string, answer: ApprovalAnswer): void {
    const found = [...this.#open].find(([, { view }]) => view.id === id);
    if (!found) return this.#answerMissed(id, answer);
    const [key, { app, settle }] = found;
    if (answer === 'always') {
      if (app) settle({ kind: 'always', app });
      return;
    }
    if (answer === 'no') this.#rememberRefusal(key);
    settle({ kind: answer });
  }

  #answerMissed(id: string, answer: ApprovalAnswer): void {
    const found = [...this.#missedRequests].find(([, { view }]) => view.id === id);
    if (!found) return;
    const [key, { view, app }] = found;
    if (answer === 'no') {
      this.#rememberRefusal(key);
      this.#missedRequests.delete(key);
    } else if (answer === 'once') this.#missedRequests.set(key, { view, app, decision: { kind: 'once' } });
    else if (app) this.#missedRequests.set(key, { view, app, decision: { kind: 'always', app } });
    this.#options.onChange();
  }

  /** Declines all open requests. */
  close(): void {
    for (const { settle } of this.#open.values()) settle(declined);
  }

  async #begin(key: string, question: AccessRequest): Promise<AccessDecision> {
    const { clock, notify, onChange } = this.#options;
    const { promise, resolve } = Promise.withResolvers<AccessDecision>();
    const stop = clock.after(accessRequests.deadline, () => {
      this.#addMissed(key, { view: { ...view, isMissed: true }, app });
      settle(declined);
    });
    const settle = (answer: AccessDecision): void => {
      stop();
      if (this.#open.delete(key)) onChange();
      resolve(answer);
    };
    const identity = identify(question);
    const { app } = identity;
    const view = describe(question, identity, clock.now() + accessRequests.deadline);
    this.#missedRequests.delete(key);
    this.#open.set(key, { view, app, decision: promise, settle });
    onChange();
    const words = windowWords.appAsks;
    const body = view.isSelfReported ? words.unknownApp(view.app) : words.known(view.app);
    notify({ title: view.integration, body, integrationId: view.integrationId });
    return await promise;
  }

  #addMissed(key: string, missed: MissedRequest): void {
    this.#missedRequests.set(key, missed);
    const [oldest] = this.#missedRequests.keys();
    if (oldest !== undefined && this.#missedRequests.size > accessRequests.count) this.#missedRequests.delete(oldest);
  }

  /** Bounded: an app that changes its name each time must not fill the memory. */
  #rememberRefusal(key: string): void {
    this.#refused.add(key);
    const [oldest] = this.#refused;
    if (oldest !== undefined && this.#refused.size > accessRequests.remembered) this.#refused.delete(oldest);
  }
}

/** An unknown app is identified by its reported name and its parent process: nothing else is known. */
function keyOf({ entry, ownNames, parent, integration }: AccessRequest): string {
  return JSON.stringify([integration.id, entry ?? [ownNames[0], parent]]);
}

/** The displayed name, and the known app that a lasting permission would apply to. */
interface Identity {
  readonly name: string;
  readonly app: OpenRequest['app'];
}

/**
 * Only a known app can be always allowed: it then appears under Apps, where it can be revoked. An app that reports
 * several names is a known app only if all of them belong to it.
 */
function identify({ record, entry, ownNames, parent }: AccessRequest): Identity {
  if (record) return { name: displayText(record.name), app: { id: record.app, name: record.name } };
  const names = ownNames.map((each) => displayText(each, accessRequests.nameLength)).filter((each) => each !== '');
  const [first, ...others] = names.map(findAppByReportedName);
  if (first && others.every((other) => other === first))
    return { name: first.name, app: entry === undefined ? undefined : { id: first.id, name: first.name } };
  const [name = displayText(parent ?? '', accessRequests.nameLength)] = names;
  return { name: displayText(escapeConfusables(name), accessRequests.nameLength), app: undefined };
}

function describe(
  { record, parent, integration }: AccessRequest,
  { name, app }: Identity,
  expiresAt: number,
): ApprovalView {
  const startedBy = displayText(
    escapeConfusables(displayText(parent ?? '', accessRequests.nameLength)),
    accessRequests.nameLength,
  );
  return {
    id: randomUUID(),
    app: name,
    isSelfReported: record === undefined,
    ...(startedBy !== '' && startedBy !== name && { startedBy }),
    integration: displayText(integration.name),
    integrationId: integration.id,
    canLast: app !== undefined,
    expiresAt,
    isMissed: false,
  };
}
