import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { ApprovalAnswer, ApprovalView } from '../../shared/approval-view.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { useAnswerGuard } from '../components/use-answer-guard.ts';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { formatCountdown, formatRelative, useNow, words } from '../words.ts';

/** Apps asking for access, one at a time. */
export function ApprovalDialogs() {
  const approvals = useSnapshots((state) => state.approvals);
  const now = approvals?.filter(({ isMissed }) => !isMissed) ?? [];
  const [first] = now;
  return first && <ApprovalDialog key={first.id} question={first} waiting={now.length - 1} />;
}

interface ApprovalDialogProps {
  readonly question: ApprovalView;
  /** Number of requests after this one. */
  readonly waiting?: number;
  /** Leaves the request open. Without it, closing the dialog denies. */
  readonly onDismiss?: () => void;
}

function ApprovalDialog({ question, waiting = 0, onDismiss }: ApprovalDialogProps) {
  const { id, startedBy, integration, canLast, expiresAt, isMissed } = question;
  const canAnswer = useAnswerGuard();
  const answer = (choice: ApprovalAnswer): void => {
    if (canAnswer) void postern.approval.answer({ id, answer: choice });
  };
  const { approval } = words;
  const button = (choice: ApprovalAnswer, kind: 'plain' | 'primary') => (
    <Button kind={kind} aria-disabled={!canAnswer} onClick={() => answer(choice)}>
      {approval.answers[choice]}
    </Button>
  );
  return (
    <Dialog
      open
      title={describeRequest(question)}
      description={startedBy === undefined ? undefined : approval.startedBy(startedBy)}
      onClose={() => (onDismiss ? onDismiss() : answer('no'))}
      footer={
        <>
          {button('no', 'plain')}
          {canLast && button('always', 'plain')}
          {button('once', 'primary')}
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

function describeRequest({ isSelfReported, app, integration }: ApprovalView): string {
  const { unknownApp, known } = words.approval;
  return isSelfReported ? unknownApp(app, integration) : known(app, integration);
}

function Remaining({ expiresAt }: { readonly expiresAt: number }) {
  return words.approval.remaining(formatCountdown(Math.max(0, expiresAt - useNow(1_000))));
}

/** Requests that timed out without an answer. */
export function MissedApprovals() {
  const missed = (useSnapshots((state) => state.approvals) ?? []).filter(({ isMissed }) => isMissed);
  const [chosen, choose] = useState<string>();
  const now = useNow(60_000);
  if (missed.length === 0) return null;
  const question = missed.find(({ id }) => id === chosen);
  const { approval } = words;
  return (
    <section className="section" aria-label={approval.unanswered}>
      <h2>{approval.unanswered}</h2>
      <ul className="app-list">
        {missed.map((each) => (
          <li key={each.id}>
            <button type="button" className="app-row" onClick={() => choose(each.id)}>
              <span className="app-name">{describeRequest(each)}</span>
              <span className="app-state">{approval.askedAgo(formatRelative(Math.min(each.expiresAt, now), now))}</span>
              <ChevronRight aria-hidden="true" size={15} />
            </button>
          </li>
        ))}
      </ul>
      {question && <ApprovalDialog key={question.id} question={question} onDismiss={() => choose(undefined)} />}
    </section>
  );
}
