import type { CallbackAnswers, CallbackListener, CallbackReceiver } from '../../callback-ports.ts';

type Listen = CallbackReceiver['listen'];

interface Shared {
  /** Of each sign-in that is under way there. */
  readonly all: Set<CallbackAnswers>;
  readonly listener: Promise<CallbackListener>;
}

/**
 * Sign-ins of one process at one address, as with a port that somebody has registered: they share its listener, and a
 * request is for the one that knows its state, or the word of its link. The last one that ends gives the address up.
 */
export function shareListeners(bind: Listen): Listen {
  const open = new Map<string, Shared>();
  const closing = new Map<string, Promise<void>>();

  async function leave(key: string, { all, listener }: Shared, answers: CallbackAnswers): Promise<void> {
    if (!all.delete(answers) || all.size > 0) return;
    open.delete(key);
    const closed = listener.then(
      (opened) => opened.close(),
      () => {},
    );
    closing.set(key, closed);
    await closed;
    closing.delete(key);
  }

  return async (address, answers) => {
    const key = `${address.host}:${address.port}`;
    for (let last = closing.get(key); last; last = closing.get(key)) await last;
    const all = new Set<CallbackAnswers>();
    const shared = open.get(key) ?? { all, listener: bind(address, firstOf(all)) };
    open.set(key, shared);
    shared.all.add(answers);
    try {
      const listener = await shared.listener;
      return { ...listener, close: () => leave(key, shared, answers) };
    } catch (error) {
      await leave(key, shared, answers);
      throw error;
    }
  };
}

function firstOf(all: ReadonlySet<CallbackAnswers>): CallbackAnswers {
  function ask<Answer>(one: (answers: CallbackAnswers) => Answer): Answer | 'not-valid' {
    for (const answers of all) {
      const answer = one(answers);
      if (answer !== 'not-valid') return answer;
    }
    return 'not-valid';
  }
  return {
    callback: (query) => ask((answers) => answers.callback(query)),
    link: (word) => ask((answers) => answers.link(word)),
  };
}
