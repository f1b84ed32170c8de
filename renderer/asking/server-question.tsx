import { useEffect, useId, useState } from 'react';
import type { FormEvent } from 'react';
import { flushSync } from 'react-dom';
import { wantsSecret } from '../../shared/question-field.ts';
import type { FieldValue } from '../../shared/question-field.ts';
import type { QuestionView } from '../../shared/question-view.ts';
import { ErrorLine } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { HostName } from '../parts/facts.tsx';
import { Notice } from '../parts/notice.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { formatCountdown, useNow, words } from '../words.ts';
import { QuestionFields, readQuestion, startDraft } from './question-fields.tsx';
import './server-question.css';

/** Milliseconds in which nothing is answered: what was typed for something else must not go to a server. */
const reading = 1_000;

/** What servers ask, one after the other; what a program asks comes first, since that has less time. */
export function ServerQuestions() {
  const questions = useSnapshots((state) => state.questions) ?? [];
  const isOtherAsked = useSnapshots((state) => state.approvals?.some(({ isMissed }) => !isMissed) ?? false);
  const [first] = questions;
  return first && !isOtherAsked && <ServerQuestion key={first.id} question={first} waiting={questions.length - 1} />;
}

type Answer = (answer: 'accept' | 'decline' | 'cancel', content?: Record<string, FieldValue>) => void;

function ServerQuestion({ question, waiting }: { readonly question: QuestionView; readonly waiting: number }) {
  const { id, integration, host, tool, message, expiresAt } = question;
  const [canAnswer, setCanAnswer] = useState(false);
  const { run, error, busy } = useCall<null>();
  const formId = useId();
  useEffect(() => {
    const timer = setTimeout(() => setCanAnswer(true), reading);
    return () => clearTimeout(timer);
  }, []);
  const answer: Answer = (given, content) => {
    if (canAnswer && !busy) void run(() => postern.question.answer({ id, answer: given, ...(content && { content }) }));
  };
  const asks = words.questions;
  const isOpen = question.kind === 'page' && question.state !== 'asked';
  return (
    <Dialog
      open
      isText
      title={tool === undefined ? asks.byItself(integration, host) : asks.during(integration, host, tool)}
      onClose={() => answer('cancel')}
      footer={
        <>
          <Button aria-disabled={!canAnswer} onClick={() => answer(isOpen ? 'cancel' : 'decline')}>
            {isOpen ? words.common.cancel : asks.decline}
          </Button>
          {question.kind === 'form' ? (
            <Button kind="primary" type="submit" form={formId} aria-disabled={!canAnswer}>
              {asks.send}
            </Button>
          ) : (
            <Button kind="primary" busy={busy} aria-disabled={!canAnswer} onClick={() => answer('accept')}>
              {isOpen ? asks.done : asks.open}
            </Button>
          )}
        </>
      }
    >
      <p className="server-says">{message}</p>
      {question.kind === 'form' ? (
        <FormPart id={formId} fields={question.fields} onAnswer={answer} />
      ) : (
        <PagePart page={question} />
      )}
      {error && question.kind === 'form' && <ErrorLine error={error} />}
      <p className="soft small">
        <Remaining expiresAt={expiresAt} /> {waiting > 0 && words.approval.waiting(waiting)}
      </p>
    </Dialog>
  );
}

interface FormPartProps {
  readonly id: string;
  readonly fields: Extract<QuestionView, { kind: 'form' }>['fields'];
  readonly onAnswer: Answer;
}

function FormPart({ id, fields, onAnswer }: FormPartProps) {
  const [draft, setDraft] = useState(() => startDraft(fields));
  // Once it was tried, each fault goes as it is mended.
  const [wasTried, setWasTried] = useState(false);
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const { content, faults } = readQuestion(fields, draft);
    if (Object.keys(faults).length === 0) return onAnswer('accept', content);
    const form = event.currentTarget;
    flushSync(() => setWasTried(true));
    form.querySelector<HTMLElement>('[aria-invalid="true"], .wrong button')?.focus();
  };
  return (
    <form className="stack" id={id} onSubmit={send} noValidate>
      {fields.some(wantsSecret) && <Notice tone="ask" title={words.questions.secret} />}
      <QuestionFields
        fields={fields}
        draft={draft}
        faults={wasTried ? readQuestion(fields, draft).faults : {}}
        onChange={setDraft}
      />
    </form>
  );
}

function PagePart({ page: { address, place, isConfusable, state } }: { readonly page: PageView }) {
  const { page, confusable, opened, failed } = words.questions;
  return (
    <div className="stack-tight">
      <p>{page(place)}</p>
      <code className="server-page">
        <HostName>{address}</HostName>
      </code>
      {isConfusable && <Notice tone="ask" title={confusable} />}
      {state !== 'asked' && <p role="status">{state === 'failed' ? failed : opened}</p>}
    </div>
  );
}

type PageView = Extract<QuestionView, { kind: 'page' }>;

function Remaining({ expiresAt }: { readonly expiresAt: number }) {
  return words.questions.remaining(formatCountdown(Math.max(0, expiresAt - useNow(1_000))));
}
