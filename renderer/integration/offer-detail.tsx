import { ArrowLeft, Square } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, FieldError, TextInput } from '../parts/field.tsx';
import { ToolHints } from '../permissions/permissions-tab.tsx';
import { postern } from '../postern.ts';
import { useKept } from '../use-kept.ts';
import { showIntegration } from '../view.ts';
import { formatCountdown, formatDuration, formatMoment, useLanguage, useNow, words } from '../words.ts';
import { groupOf, readArguments, startGroup, writeTemplate } from './argument-draft.ts';
import type { ArgumentFaults, GroupDraft, ReadArguments } from './argument-draft.ts';
import './offer-detail.css';
import type { Offer } from './offers.ts';
import { ResultView } from './result-view.tsx';
import { isObject } from './schema-fields.ts';
import type { GroupShape, JsonValue } from './schema-fields.ts';
import { GroupFields, suggestFor, Suggesting } from './schema-input.tsx';
import { followTrial, startTrial, stopTrial, useTrials } from './trials.ts';
import type { CallProgress, LogLine, TrialState } from './trials.ts';

interface OfferDetailProps {
  readonly integrationId: string;
  readonly signedInAt: number | undefined;
  readonly offer: Offer;
  readonly onBack: () => void;
}

export function OfferDetail({ integrationId, signedInAt, offer, onBack }: OfferDetailProps) {
  const { language } = useLanguage();
  // Its choices have names in the language that is spoken.
  const shape = useMemo(() => offer.input(), [offer, language]);
  const place = `${integrationId} ${offer.kind} ${offer.name}`;
  const entered = useEntered(integrationId, `${offer.kind} ${offer.name}`, shape, offer.name);
  const trial = useTrials((trials) => trials[place]);
  const isRunning = trial !== undefined && trial.endedAt === undefined;
  const { call, value: { uri } = {} } = trial ?? {};
  useEffect(
    () => (call === undefined || uri === undefined ? undefined : followTrial(integrationId, call, uri)),
    [integrationId, call, uri, signedInAt],
  );
  /** What waits for a second yes. */
  const [asked, setAsked] = useState<Record<string, JsonValue>>();
  const signIn = (): void => void postern.integration.signInAgain({ id: integrationId });
  const review = (): void => showIntegration(integrationId, 'permissions');
  const send = (values: Record<string, JsonValue>, anyField = false): void => {
    setAsked(undefined);
    void startTrial(place, { id: integrationId, offer, uri: entered.uri, values, anyField }, signedInAt);
  };
  const sendAnyway = (): void => trial && send(trial.values, true);
  return (
    <article className="stack" aria-labelledby="offer-title">
      <header className="offer-head">
        <div className="offer-back">
          <Button kind="quiet" icon={ArrowLeft} onClick={onBack}>
            {words.common.back}
          </Button>
        </div>
        <h2 id="offer-title">{offer.title}</h2>
        {offer.title !== offer.name && <p className="offer-name">{offer.name}</p>}
        {offer.description && <p className="offer-description">{offer.description}</p>}
        <ToolHints hints={offer.hints} />
        {(offer.readOnly || offer.destructive) && (
          <p className={offer.destructive ? 'offer-mark destructive' : 'offer-mark'}>
            {offer.destructive ? words.tools.destructive : words.tools.readOnly}
          </p>
        )}
      </header>
      <Suggesting value={suggestFor(integrationId, offer, entered.draft)}>
        <OfferForm
          offer={offer}
          shape={shape}
          entered={entered}
          busy={isRunning}
          onRun={offer.destructive ? setAsked : (values) => send(values)}
        >
          {trial && <RunState trial={trial} />}
        </OfferForm>
      </Suggesting>
      {trial?.log && <CallLog lines={trial.log} />}
      {trial?.refused?.map((why) => (
        <p key={why} role="status" className="soft small">
          {words.questions.refused[why]}
        </p>
      ))}
      {trial?.error &&
        (trial.signedInAt === signedInAt ? (
          <ErrorNotice error={trial.error} actions={{ signIn, grant: signIn, review, sendAnyway }} />
        ) : (
          <p role="status">{trial.error.remedy.kind === 'grant-scopes' ? words.tools.granted : words.tools.runAgain}</p>
        ))}
      {trial?.updatedAt !== undefined && (
        <p role="status" className="faint small">
          {words.tools.updated(formatMoment(trial.updatedAt, Date.now()))}
        </p>
      )}
      {trial?.value && <ResultView call={trial.call} result={trial.value} />}
      <Dialog
        open={asked !== undefined}
        title={words.tools.confirm(offer.title)}
        description={words.tools.confirmText}
        onClose={() => setAsked(undefined)}
        footer={
          <>
            <Button onClick={() => setAsked(undefined)}>{words.common.cancel}</Button>
            <Button kind="danger" onClick={() => asked && send(asked)}>
              {words.tools.confirmed}
            </Button>
          </>
        }
      />
    </article>
  );
}

interface OfferFormProps {
  readonly offer: Offer;
  readonly shape: GroupShape;
  readonly entered: EnteredArguments;
  readonly busy: boolean;
  readonly onRun: (values: Record<string, JsonValue>) => void;
  /** Beside the button. */
  readonly children?: ReactNode;
}

const verbs = { tools: 'run', resources: 'read', prompts: 'get' } as const;

/** The input of a tool, as fields or as JSON, with the button that stays in sight. */
function OfferForm({ offer, shape, entered, busy, onRun, children }: OfferFormProps) {
  const form = useRef<HTMLFormElement>(null);
  // Once it was tried, each fault goes as it is mended.
  const [wasTried, setWasTried] = useState(false);
  const faults: ArgumentFaults = wasTried ? entered.read().faults : {};
  const faulty = Object.keys(faults).length;
  const takesInput = shape.fields.length > 0;
  const run = (event: FormEvent): void => {
    event.preventDefault();
    const found = entered.read();
    const isRight = Object.keys(found.faults).length === 0;
    // Drawn at once, since the first field that is wrong gets the focus: it may be out of sight.
    flushSync(() => setWasTried(!isRight));
    if (isRight && !busy) onRun(found.values);
    else focusFault();
  };
  const focusFault = (): void => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  const switchView = (): void => {
    if (entered.showJson(!entered.json)) return setWasTried(false);
    flushSync(() => setWasTried(true));
    focusFault();
  };
  return (
    <form className="stack" ref={form} onSubmit={run} noValidate>
      {offer.template === 'by-hand' && (
        <Field label={words.tools.uri} hint={words.tools.template}>
          {(control) => (
            <TextInput {...control} value={entered.uri} onChange={(event) => entered.enterUri(event.target.value)} />
          )}
        </Field>
      )}
      {entered.json ? (
        <Field label={words.tools.jsonView} error={faults[wholePath] && words.tools[faults[wholePath]]}>
          {(control) => (
            <textarea
              {...control}
              className="input mono json-view"
              spellCheck={false}
              value={entered.json?.text}
              onChange={(event) => entered.enterJson(event.target.value)}
            />
          )}
        </Field>
      ) : (
        <GroupFields
          shape={shape}
          draft={entered.draft}
          path={wholePath}
          faults={faults}
          onChange={(draft) => entered.enter(draft)}
        />
      )}
      <div className="row run-bar">
        <Button type="submit" kind={offer.destructive ? 'danger' : 'primary'} busy={busy}>
          {words.tools[verbs[offer.kind]]}
        </Button>
        {offer.kind === 'tools' && (
          <Button onClick={switchView}>{entered.json ? words.tools.asForm : words.tools.asJson}</Button>
        )}
        {faulty > 0 && <FieldError>{words.tools.attention(faulty)}</FieldError>}
        {offer.kind !== 'resources' && !takesInput && <span className="soft small">{words.tools.noArguments}</span>}
        {children}
      </div>
    </form>
  );
}

/** Beside the button: how long it has taken, how far it is, and the way to stop it. */
function RunState({ trial }: { readonly trial: TrialState }) {
  const now = useNow(1_000);
  const { startedAt, endedAt, progress, isStopping = false } = trial;
  if (endedAt !== undefined)
    return <span className="soft small push">{words.tools.took(formatDuration(endedAt - startedAt))}</span>;
  return (
    <>
      <Button icon={Square} busy={isStopping} onClick={() => stopTrial(trial)}>
        {words.tools.stop}
      </Button>
      <span className="soft small run-state">
        {progress && <ProgressPart progress={progress} />}
        {formatCountdown(now - startedAt)}
      </span>
    </>
  );
}

function ProgressPart({ progress: { progress, total, message } }: { readonly progress: CallProgress }) {
  const isPart = total !== undefined && total > 0 && progress >= 0 && progress <= total;
  return (
    <>
      {isPart && <progress max={total} value={progress} aria-label={words.tools.progress} />}
      {message !== undefined && <span>{message}</span>}
    </>
  );
}

/** What a server writes into its log while a tool runs. */
function CallLog({ lines }: { readonly lines: readonly LogLine[] }) {
  return (
    <div className="call-log" role="log" aria-label={words.tools.log} {...{ tabIndex: 0 }}>
      {lines.map(({ level, text }, index) => (
        <p key={index}>
          <span className="faint">{level}</span> {text}
        </p>
      ))}
    </div>
  );
}

interface Entered {
  readonly draft: GroupDraft;
  /** While it is looked at as JSON: what stands there, and what stood there when it was opened. */
  readonly json?: { readonly text: string; readonly before: string };
  readonly uri: string;
}

interface EnteredArguments extends Entered {
  readonly read: () => ReadArguments;
  readonly enter: (draft: GroupDraft) => void;
  readonly enterJson: (text: string) => void;
  readonly enterUri: (uri: string) => void;
  /** False: what stands there as JSON is no object, so that it stays in sight. */
  readonly showJson: (shown: boolean) => boolean;
}

/** The path of the whole, where it is entered as JSON. */
const wholePath = '';

/** What was entered for one tool, as fields or as JSON; both ways nothing is lost. */
function useEntered(owner: string, place: string, shape: GroupShape, uri: string): EnteredArguments {
  const start = useMemo<Entered>(() => ({ draft: startGroup(shape), uri }), [shape, uri]);
  const [entered, keep] = useKept(owner, place, start);
  const { draft, json } = entered;
  const read = (): ReadArguments => {
    if (!json) return readArguments(shape, draft);
    const values = parseObject(json.text);
    return values ? { values, faults: {} } : { values: {}, faults: { [wholePath]: 'objectWrong' } };
  };
  const showJson = (shown: boolean): boolean => {
    if (shown) {
      const text = writeTemplate(shape, draft);
      keep({ ...entered, json: { text, before: text } });
      return true;
    }
    const values = json && json.text !== json.before ? parseObject(json.text) : undefined;
    if (json && json.text !== json.before && !values) return false;
    // What is not right yet in a field stays there, as long as nothing was changed here.
    keep({ draft: values ? groupOf(shape, values) : draft, uri: entered.uri });
    return true;
  };
  return {
    ...entered,
    read,
    enter: (next) => keep({ ...entered, draft: next }),
    enterJson: (text) => keep({ ...entered, ...(json && { json: { ...json, text } }) }),
    enterUri: (next) => keep({ ...entered, uri: next }),
    showJson,
  };
}

function parseObject(text: string): Record<string, JsonValue> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as Record<string, JsonValue>) : undefined;
  } catch {
    return undefined;
  }
}
