import { ChevronRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ApprovalAnswer, ApprovalView } from '../../shared/approval-view.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { formatCountdown, formatDistance, useNow, words } from '../words.ts';

/** Milliseconds in which nothing is answered: what was typed for something else must not allow a program. */
const reading = 1_000;

/** Programs that ask, one after the other. */
export function UseQuestions() {
  const approvals = useSnapshots((state) => state.approvals);
  const now = approvals?.filter(({ isMissed }) => !isMissed) ?? [];
  const [first] = now;
  return first && <UseQuestion key={first.id} question={first} waiting={now.length - 1} />;
}

interface UseQuestionProps {
  readonly question: ApprovalView;
  /** How many others come after it. */
  readonly waiting?: number;
  /** It is left as it is; without, that is a no. */
  readonly onLeft?: () => void;
}

function UseQuestion({ question, waiting = 0, onLeft }: UseQuestionProps) {
  const { id, startedBy, integration, canLast, expiresAt, isMissed } = question;
  const [canAnswer, setCanAnswer] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setCanAnswer(true), reading);
    return () => clearTimeout(timer);
  }, []);
  const answer = (given: ApprovalAnswer): void => {
    if (canAnswer) void postern.approval.answer({ id, answer: given });
  };
  const { approval } = words;
  const button = (given: ApprovalAnswer, kind: 'plain' | 'primary') => (
    <Button kind={kind} aria-disabled={!canAnswer} onClick={() => answer(given)}>
      {approval.answers[given]}
    </Button>
  );
  return (
    <Dialog
      open
      title={describeQuestion(question)}
      description={startedBy === undefined ? undefined : approval.startedBy(startedBy)}
      onClose={() => (onLeft ? onLeft() : answer('no'))}
      footer={
        <>
          {button('no', 'plain')}
          {button('once', canLast ? 'plain' : 'primary')}
          {canLast && button('always', 'primary')}
        </>
      }
    >
      <div className="stack-tight">
        <p>{approval.meaning(integration)}</p>
        {!canLast && <p className="soft">{approval.onlyOnce}</p>}
        <p className="soft small">
          {isMissed ? approval.whenAskedAgain : <Remaining expiresAt={expiresAt} />}{' '}
          {waiting > 0 && approval.waiting(waiting)}
        </p>
      </div>
    </Dialog>
  );
}

/** Who wants to use what. */
function describeQuestion({ isOwnWord, program, integration }: ApprovalView): string {
  const { stranger, known } = words.approval;
  return isOwnWord ? stranger(program, integration) : known(program, integration);
}

function Remaining({ expiresAt }: { readonly expiresAt: number }) {
  return words.approval.remaining(formatCountdown(Math.max(0, expiresAt - useNow(1_000))));
}

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
