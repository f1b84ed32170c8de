import { ArrowLeft, Square } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { isObject } from '../../shared/json-object.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field, FieldError, TextInput } from '../components/field.tsx';
import { ToolHints } from '../permissions/permissions-section.tsx';
import { postern } from '../postern.ts';
import { useRetainedState } from '../use-retained-state.ts';
import { showIntegration } from '../view.ts';
import { formatCountdown, formatDuration, formatMoment, useLanguage, useNow, words } from '../words.ts';
import { groupOf, readArguments, startGroup, writeTemplate } from './argument-draft.ts';
import type { ArgumentFaults, GroupDraft, ParsedArguments } from './argument-draft.ts';
import './capability-detail.css';
import type { Capability } from './capabilities.ts';
import { ResultView } from './result-view.tsx';
import type { GroupShape, JsonValue } from './schema-fields.ts';
import { GroupFields, suggestFor, SuggestContext } from './schema-input.tsx';
import { followResource, runKey, startRun, stopRun, useRuns } from './runs.ts';
import type { CallProgress, LogLine, Run } from './runs.ts';

interface CapabilityDetailProps {
  readonly integrationId: string;
  readonly signedInAt: number | undefined;
  readonly capability: Capability;
  /** False: the server cannot be used, so the tool is only shown. */
  readonly isUsable: boolean;
  /** The page has another main button. */
  readonly isAside?: boolean;
  readonly onBack: () => void;
}

export function CapabilityDetail({
  integrationId,
  signedInAt,
  capability,
  isUsable,
  isAside = false,
  onBack,
}: CapabilityDetailProps) {
  const { language } = useLanguage();
  // Some choices have translated labels.
  const shape = useMemo(() => capability.input(), [capability, language]);
  const key = runKey(integrationId, capability);
  const entered = useArguments(integrationId, `${capability.kind} ${capability.name}`, shape, capability.name);
  const run = useRuns((runs) => runs[key]);
  const isRunning = run !== undefined && run.endedAt === undefined;
  const { call, value: { uri } = {} } = run ?? {};
  useEffect(
    () => (call === undefined || uri === undefined ? undefined : followResource(integrationId, call, uri)),
    [integrationId, call, uri, signedInAt],
  );
  /** Arguments of a destructive call that waits for confirmation. */
  const [unconfirmed, setUnconfirmed] = useState<Record<string, JsonValue>>();
  const signIn = (): void => void postern.integration.signInAgain({ id: integrationId });
  const review = (): void => showIntegration(integrationId, 'permissions');
  const send = (values: Record<string, JsonValue>, anyField = false): void => {
    setUnconfirmed(undefined);
    void startRun(key, { id: integrationId, capability, uri: entered.uri, values, anyField }, signedInAt);
  };
  const sendAnyway = (): void => run && send(run.values, true);
  return (
    <article className="stack" aria-labelledby="capability-title">
      <header className="capability-head">
        <div className="capability-back">
          <Button kind="quiet" icon={ArrowLeft} onClick={onBack}>
            {words.common.back}
          </Button>
        </div>
        <h2 id="capability-title">{capability.title}</h2>
        {capability.title !== capability.name && <p className="capability-name">{capability.name}</p>}
        {capability.description && <p className="capability-description">{capability.description}</p>}
        <ToolHints hints={capability.hints} />
        {(capability.readOnly || capability.destructive) && (
          <p className={capability.destructive ? 'capability-mark destructive' : 'capability-mark'}>
            {capability.destructive ? words.tools.destructive : words.tools.readOnly}
          </p>
        )}
      </header>
      <SuggestContext value={suggestFor(integrationId, capability, entered.draft)}>
        <CapabilityForm
          capability={capability}
          shape={shape}
          entered={entered}
          busy={isRunning}
          isUsable={isUsable}
          isAside={isAside}
          onRun={capability.destructive ? setUnconfirmed : (values) => send(values)}
        >
          {run && <RunStatus run={run} />}
        </CapabilityForm>
      </SuggestContext>
      {run?.log && <CallLog lines={run.log} />}
      {run?.refused?.map((why) => (
        <p key={why} role="status" className="soft small">
          {words.questions.refused[why]}
        </p>
      ))}
      {run?.error &&
        (run.signedInAt === signedInAt ? (
          <ErrorNotice error={run.error} actions={{ signIn, grant: signIn, review, sendAnyway }} />
        ) : (
          <p role="status">{run.error.remedy.kind === 'grant-scopes' ? words.tools.granted : words.tools.runAgain}</p>
        ))}
      {run?.updatedAt !== undefined && (
        <p role="status" className="faint small">
          {words.tools.updated(formatMoment(run.updatedAt, Date.now()))}
        </p>
      )}
      {run?.value && <ResultView call={run.call} result={run.value} />}
      <Dialog
        open={unconfirmed !== undefined}
        title={words.tools.confirm(capability.title)}
        description={words.tools.confirmText}
        onClose={() => setUnconfirmed(undefined)}
        footer={
          <>
            <Button onClick={() => setUnconfirmed(undefined)}>{words.common.cancel}</Button>
            <Button kind="danger" onClick={() => unconfirmed && send(unconfirmed)}>
              {words.tools.confirmRun}
            </Button>
          </>
        }
      />
    </article>
  );
}

interface CapabilityFormProps {
  readonly capability: Capability;
  readonly shape: GroupShape;
  readonly entered: EnteredArguments;
  readonly busy: boolean;
  readonly isUsable: boolean;
  readonly isAside: boolean;
  readonly onRun: (values: Record<string, JsonValue>) => void;
  /** Shown next to the button. */
  readonly children?: ReactNode;
}

const verbs = { tools: 'run', resources: 'read', prompts: 'get' } as const;

/** Input as fields or JSON, with a submit button that stays visible. */
function CapabilityForm({ capability, shape, entered, busy, isUsable, isAside, onRun, children }: CapabilityFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const whyId = useId();
  // After the first attempt, each error disappears as it is corrected.
  const [wasTried, setWasTried] = useState(false);
  const faults: ArgumentFaults = wasTried ? entered.read().faults : {};
  const faulty = Object.keys(faults).length;
  const takesInput = shape.fields.length > 0;
  const run = (event: FormEvent): void => {
    event.preventDefault();
    const found = entered.read();
    const isRight = Object.keys(found.faults).length === 0;
    // Render at once, since the first invalid field gets the focus and may be out of view.
    flushSync(() => setWasTried(!isRight));
    if (isRight && !busy) onRun(found.values);
    else focusFirstFault();
  };
  const focusFirstFault = (): void => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  const switchView = (): void => {
    if (entered.showJson(!entered.json)) return setWasTried(false);
    flushSync(() => setWasTried(true));
    focusFirstFault();
  };
  return (
    <form className="stack" ref={form} onSubmit={run} noValidate>
      {capability.template === 'by-hand' && (
        <Field label={words.tools.uri} hint={words.tools.template}>
          {(control) => (
            <TextInput {...control} value={entered.uri} onChange={(event) => entered.enterUri(event.target.value)} />
          )}
        </Field>
      )}
      {entered.json ? (
        <Field label={words.tools.jsonView} error={faults[rootPath] && words.tools[faults[rootPath]]}>
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
          path={rootPath}
          faults={faults}
          onChange={(draft) => entered.enter(draft)}
        />
      )}
      <div className="row run-bar">
        <Button
          type="submit"
          kind={capability.destructive ? 'danger' : isAside ? 'plain' : 'primary'}
          busy={busy}
          disabled={!isUsable}
          aria-describedby={isUsable ? undefined : whyId}
        >
          {words.tools[verbs[capability.kind]]}
        </Button>
        {capability.kind === 'tools' && (
          <Button onClick={switchView}>{entered.json ? words.tools.asForm : words.tools.asJson}</Button>
        )}
        {!isUsable && (
          <span className="soft small" id={whyId}>
            {words.tools.notNow}
          </span>
        )}
        {faulty > 0 && <FieldError>{words.tools.attention(faulty)}</FieldError>}
        {isUsable && capability.kind !== 'resources' && !takesInput && (
          <span className="soft small">{words.tools.noArguments}</span>
        )}
        {children}
      </div>
    </form>
  );
}

/** Next to the button: elapsed time, progress, and Stop. */
function RunStatus({ run }: { readonly run: Run }) {
  const now = useNow(1_000);
  const { startedAt, endedAt, progress, isStopping = false } = run;
  if (endedAt !== undefined)
    return <span className="soft small push">{words.tools.took(formatDuration(endedAt - startedAt))}</span>;
  return (
    <>
      <Button icon={Square} busy={isStopping} onClick={() => stopRun(run)}>
        {words.tools.stop}
      </Button>
      <span className="soft small run-state">
        {progress && <CallProgressBar progress={progress} />}
        {formatCountdown(now - startedAt)}
      </span>
    </>
  );
}

function CallProgressBar({ progress: { progress, total, message } }: { readonly progress: CallProgress }) {
  const isPart = total !== undefined && total > 0 && progress >= 0 && progress <= total;
  return (
    <>
      {isPart && <progress max={total} value={progress} aria-label={words.tools.progress} />}
      {message !== undefined && <span>{message}</span>}
    </>
  );
}

/** Log messages of the server during the call. */
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
  /** While edited as JSON: the current text, and the text when the view was opened. */
  readonly json?: { readonly text: string; readonly before: string };
  readonly uri: string;
}

interface EnteredArguments extends Entered {
  readonly read: () => ParsedArguments;
  readonly enter: (draft: GroupDraft) => void;
  readonly enterJson: (text: string) => void;
  readonly enterUri: (uri: string) => void;
  /** Returns false if the JSON is not an object, so the view stays. */
  readonly showJson: (isJson: boolean) => boolean;
}

/** Path of the whole value when it is edited as JSON. */
const rootPath = '';

/** Input for one capability, as fields or JSON. Switching the view loses nothing. */
function useArguments(owner: string, key: string, shape: GroupShape, uri: string): EnteredArguments {
  const start = useMemo<Entered>(() => ({ draft: startGroup(shape), uri }), [shape, uri]);
  const [entered, setEntered] = useRetainedState(owner, key, start);
  const { draft, json } = entered;
  const read = (): ParsedArguments => {
    if (!json) return readArguments(shape, draft);
    const values = parseObject(json.text);
    return values ? { values, faults: {} } : { values: {}, faults: { [rootPath]: 'invalidObject' } };
  };
  const showJson = (isJson: boolean): boolean => {
    if (isJson) {
      const text = writeTemplate(shape, draft);
      setEntered({ ...entered, json: { text, before: text } });
      return true;
    }
    const values = json && json.text !== json.before ? parseObject(json.text) : undefined;
    if (json && json.text !== json.before && !values) return false;
    // If the JSON was not edited, keep the fields as they were, even invalid ones.
    setEntered({ draft: values ? groupOf(shape, values) : draft, uri: entered.uri });
    return true;
  };
  return {
    ...entered,
    read,
    enter: (next) => setEntered({ ...entered, draft: next }),
    enterJson: (text) => setEntered({ ...entered, ...(json && { json: { ...json, text } }) }),
    enterUri: (next) => setEntered({ ...entered, uri: next }),
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
