import { useEffect, useState } from 'react';
import type { ApprovalAnswer, ApprovalView } from '../../shared/approval-view.ts';
import { formatCountdown, useNow } from '../moments.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { words } from '../words.ts';

/** Milliseconds in which nothing is answered: what was typed for something else must not allow a program. */
const reading = 1_000;

/** Programs that ask, one after the other. */
export function UseQuestions() {
  const approvals = useSnapshots((state) => state.approvals);
  const [first] = approvals ?? [];
  if (first === undefined || approvals === undefined) return null;
  return <UseQuestion key={first.id} question={first} waiting={approvals.length - 1} />;
}

function UseQuestion({ question, waiting }: { readonly question: ApprovalView; readonly waiting: number }) {
  const { id, program, isClaim, startedBy, integration, canLast, expiresAt } = question;
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
      title={isClaim ? approval.stranger(program, integration) : approval.known(program, integration)}
      description={startedBy === undefined ? undefined : approval.startedBy(startedBy)}
      onClose={() => answer('no')}
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
          <Remaining expiresAt={expiresAt} /> {waiting > 0 && approval.waiting(waiting)}
        </p>
      </div>
    </Dialog>
  );
}

function Remaining({ expiresAt }: { readonly expiresAt: number }) {
  return words.approval.remaining(formatCountdown(Math.max(0, expiresAt - useNow(1_000))));
}
