import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { formatDistance, useNow } from '../moments.ts';
import { useSnapshots } from '../store.ts';
import { words } from '../words.ts';
import { UseQuestion, describeQuestion } from './use-question.tsx';

/** Programs that have asked while nobody answered. */
export function MissedQuestions() {
  const missed = (useSnapshots((state) => state.approvals) ?? []).filter(({ isMissed }) => isMissed);
  const [chosen, choose] = useState<string>();
  const now = useNow(60_000);
  if (missed.length === 0) return null;
  const question = missed.find(({ id }) => id === chosen);
  const { approval } = words;
  return (
    <section className="section" aria-label={approval.unanswered}>
      <h2>{approval.unanswered}</h2>
      <ul className="program-list">
        {missed.map((each) => (
          <li key={each.id}>
            <button type="button" className="program-row" onClick={() => choose(each.id)}>
              <span className="program-name">{describeQuestion(each)}</span>
              <span className="program-state">
                {approval.missed(formatDistance(Math.min(each.expiresAt, now), now))}
              </span>
              <ChevronRight aria-hidden="true" size={15} />
            </button>
          </li>
        ))}
      </ul>
      {question && <UseQuestion key={question.id} question={question} onLeft={() => choose(undefined)} />}
    </section>
  );
}
