import { useLayoutEffect } from 'react';
import type { HeldCallAnswer, HeldCallView } from '../../shared/approval-view.ts';
import { Button } from '../components/button.tsx';
import { useAnswerGuard } from '../components/use-answer-guard.ts';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { formatCountdown, useNow, words } from '../words.ts';
import './held-calls.css';

/** Tool calls waiting for consent, one at a time. Fills a small window of its own. */
export function HeldCalls() {
  const calls = useSnapshots((state) => state.heldCalls) ?? [];
  const [first] = calls;
  if (!first) return <p className="held-call soft">{words.permits.nothing}</p>;
  return <HeldCall key={first.id} call={first} waiting={calls.length - 1} />;
}

function HeldCall({ call, waiting }: { readonly call: HeldCallView; readonly waiting: number }) {
  const { id, app, integration, canLast } = call;
  const canAnswer = useAnswerGuard();
  const { permits } = words;
  const answer = (choice: HeldCallAnswer): void => {
    if (canAnswer) void postern.permission.answer({ id, answer: choice });
  };
  // With the buttons, so that Escape works as soon as they appear enabled.
  useLayoutEffect(() => {
    const leave = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && canAnswer) void postern.permission.answer({ id, answer: 'no' });
    };
    addEventListener('keydown', leave);
    return () => removeEventListener('keydown', leave);
  }, [id, canAnswer]);
  const button = (choice: HeldCallAnswer, kind: 'plain' | 'primary') => (
    <Button kind={kind} autoFocus={choice === 'no'} aria-disabled={!canAnswer} onClick={() => answer(choice)}>
      {permits.answers[choice]}
    </Button>
  );
  return (
    <main className="held-call" aria-labelledby="held-call">
      <h1 id="held-call">{permits.asks(app, integration)}</h1>
      <HeldCallFacts call={call} waiting={waiting} />
      <div className="held-call-answers">
        {button('no', 'plain')}
        {canLast && button('always', 'plain')}
        {button('session', 'plain')}
        {button('once', 'primary')}
      </div>
    </main>
  );
}

/**
 * The call of the small window, on Home: whichever is answered first counts. One at a time, so that no click meant for
 * one call reaches the next. Takes no focus and no keys from the page.
 */
export function HeldCallOnHome() {
  const calls = useSnapshots((state) => state.heldCalls) ?? [];
  const [first] = calls;
  return first && <HeldCallCard key={first.id} call={first} waiting={calls.length - 1} />;
}

function HeldCallCard({ call, waiting }: { readonly call: HeldCallView; readonly waiting: number }) {
  const { id, app, integration } = call;
  const canAnswer = useAnswerGuard();
  const { permits } = words;
  const button = (answer: 'no' | 'once', kind: 'plain' | 'primary') => (
    <Button
      kind={kind}
      aria-disabled={!canAnswer}
      onClick={() => canAnswer && void postern.permission.answer({ id, answer })}
    >
      {permits.answers[answer]}
    </Button>
  );
  return (
    <section className="held-call-card" aria-labelledby="held-call">
      <h2 id="held-call">{permits.asks(app, integration)}</h2>
      <HeldCallFacts call={call} waiting={waiting} />
      <div className="held-call-answers">
        {button('no', 'plain')}
        {button('once', 'primary')}
      </div>
    </section>
  );
}

/** What is called, and how long it waits. */
function HeldCallFacts({ call, waiting }: { readonly call: HeldCallView; readonly waiting: number }) {
  const { tool, readOnly, input, isCut, expiresAt } = call;
  const { permits } = words;
  return (
    <>
      <dl className="held-call-facts">
        <dt>{permits.tool}</dt>
        <dd>
          <code>{tool}</code>
          <p className="soft small">{readOnly ? permits.readOnlyHint : permits.noReadOnlyHint}</p>
        </dd>
        <dt>{permits.input}</dt>
        <dd>{input === '' ? permits.noInput : <Input text={input} isCut={isCut} />}</dd>
      </dl>
      <p className="soft small">
        <Remaining expiresAt={expiresAt} /> {waiting > 0 && permits.waiting(waiting)}
      </p>
    </>
  );
}

/** Focusable, so that the keyboard can scroll it. */
function Input({ text, isCut }: { readonly text: string; readonly isCut: boolean }) {
  return (
    <>
      <pre className="held-call-input" tabIndex={0} role="group" aria-label={words.permits.input}>
        {text}
      </pre>
      {isCut && <p className="soft small">{words.permits.cut}</p>}
    </>
  );
}

function Remaining({ expiresAt }: { readonly expiresAt: number }) {
  return words.permits.remaining(formatCountdown(Math.max(0, expiresAt - useNow(1_000))));
}
