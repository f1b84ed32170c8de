import { useEffect, useLayoutEffect, useState } from 'react';
import type { HeldCallAnswer, HeldCallView } from '../../shared/approval-view.ts';
import { Button } from '../components/button.tsx';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { formatCountdown, useNow, words } from '../words.ts';
import './held-calls.css';

/** Milliseconds during which input is ignored: keystrokes meant for something else must not allow a call. */
const guardPeriod = 1_000;

/** Tool calls waiting for consent, one at a time. Fills a small window of its own. */
export function HeldCalls() {
  const calls = useSnapshots((state) => state.heldCalls) ?? [];
  const [first] = calls;
  if (!first) return <p className="held-call soft">{words.permits.nothing}</p>;
  return <HeldCall key={first.id} call={first} waiting={calls.length - 1} />;
}

function HeldCall({ call, waiting }: { readonly call: HeldCallView; readonly waiting: number }) {
  const { id, app, integration, tool, readOnly, input, isCut, canLast, expiresAt } = call;
  const [canAnswer, setCanAnswer] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setCanAnswer(true), guardPeriod);
    return () => clearTimeout(timer);
  }, []);
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
      <div className="held-call-answers">
        {button('no', 'plain')}
        {canLast && button('always', 'plain')}
        {button('session', 'plain')}
        {button('once', 'primary')}
      </div>
    </main>
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
