import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import { flushSync } from 'react-dom';
import { asksForSecret } from '../../shared/question-field.ts';
import type { FieldValue } from '../../shared/question-field.ts';
import type { QuestionView } from '../../shared/question-view.ts';
import { ErrorLine } from '../errors/error-notice.tsx';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { HostName } from '../components/facts.tsx';
import { Notice } from '../components/notice.tsx';
import { useAnswerGuard } from '../components/use-answer-guard.ts';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { formatCountdown, useNow, words } from '../words.ts';
import { QuestionFields, readQuestion, startDraft } from './question-fields.tsx';
import './server-questions.css';

/** Elicitation requests of servers, one at a time. Approvals of apps come first, since they time out sooner. */
export function ServerQuestions() {
  const questions = useSnapshots((state) => state.questions) ?? [];
  const hasApprovals = useSnapshots((state) => state.approvals?.some(({ isMissed }) => !isMissed) ?? false);
  const [first] = questions;
  return first && !hasApprovals && <ServerQuestion key={first.id} question={first} waiting={questions.length - 1} />;
}

type OnAnswer = (answer: 'accept' | 'decline' | 'cancel', content?: Record<string, FieldValue>) => void;

function ServerQuestion({ question, waiting }: { readonly question: QuestionView; readonly waiting: number }) {
  const { id, integration, host, tool, message, expiresAt } = question;
  const canAnswer = useAnswerGuard();
  const { run, error, busy } = useCall<null>();
  const formId = useId();
  const answer: OnAnswer = (choice, content) => {
    if (canAnswer && !busy)
      void run(() => postern.question.answer({ id, answer: choice, ...(content && { content }) }));
  };
  const texts = words.questions;
  const isOpen = question.kind === 'page' && question.state !== 'asked';
  return (
    <Dialog
      open
      isText
      title={tool === undefined ? texts.onItsOwn(integration, host) : texts.during(integration, host, tool)}
      onClose={() => answer('cancel')}
      footer={
        <>
          <Button aria-disabled={!canAnswer} onClick={() => answer(isOpen ? 'cancel' : 'decline')}>
            {isOpen ? words.common.cancel : texts.decline}
          </Button>
          {question.kind === 'form' ? (
            <Button kind="primary" type="submit" form={formId} aria-disabled={!canAnswer}>
              {texts.send}
            </Button>
          ) : (
            <Button kind="primary" busy={busy} aria-disabled={!canAnswer} onClick={() => answer('accept')}>
              {isOpen ? texts.done : texts.open}
            </Button>
          )}
        </>
      }
    >
      <p className="server-says">{message}</p>
      {question.kind === 'form' ? (
        <QuestionForm id={formId} fields={question.fields} onAnswer={answer} />
      ) : (
        <UrlRequest page={question} />
      )}
      {error && question.kind === 'form' && <ErrorLine error={error} />}
      <p className="soft small">
        <Remaining expiresAt={expiresAt} /> {waiting > 0 && words.approval.waiting(waiting)}
      </p>
    </Dialog>
  );
}

interface QuestionFormProps {
  readonly id: string;
  readonly fields: Extract<QuestionView, { kind: 'form' }>['fields'];
  readonly onAnswer: OnAnswer;
}

function QuestionForm({ id, fields, onAnswer }: QuestionFormProps) {
  const [draft, setDraft] = useState(() => startDraft(fields));
  // After the first attempt, each error disappears as it is corrected.
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
      {fields.some(asksForSecret) && <Notice tone="ask" title={words.questions.secret} />}
      <QuestionFields
        fields={fields}
        draft={draft}
        faults={wasTried ? readQuestion(fields, draft).faults : {}}
        onChange={setDraft}
      />
    </form>
  );
}

function UrlRequest({ page: { address, place, isConfusable, state } }: { readonly page: PageView }) {
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
