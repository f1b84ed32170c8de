import type { CallbackAnswers } from '../../callback-ports.ts';

/** Asks one after the other, and no further than the one that knows it. */
export function firstOf(all: ReadonlySet<CallbackAnswers>): CallbackAnswers {
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
