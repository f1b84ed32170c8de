import { ArrowLeft } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useLanguage } from '../language.ts';
import { ToolHints } from '../permissions/tool-hints.tsx';
import { formatMoment } from '../moments.ts';
import { postern } from '../postern.ts';
import { showIntegration } from '../view.ts';
import { words } from '../words.ts';
import { CallLog } from './call-log.tsx';
import { OfferForm } from './offer-form.tsx';
import type { Offer } from './offers.ts';
import type { JsonValue } from './resolve-schema.ts';
import { ResultView } from './result-view.tsx';
import { RunState } from './run-state.tsx';
import { followTrial, startTrial, useTrials } from './trials.ts';
import { suggestFor, Suggesting } from './suggesting.ts';
import { useEntered } from './use-entered.ts';

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
  const send = (values: Record<string, JsonValue>): void => {
    setAsked(undefined);
    void startTrial(place, { id: integrationId, offer, uri: entered.uri, values }, signedInAt);
  };
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
          onRun={offer.destructive ? setAsked : send}
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
          <ErrorNotice error={trial.error} actions={{ signIn, grant: signIn, review }} />
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
