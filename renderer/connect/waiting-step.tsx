import { AppWindow, Copy, ExternalLink, Smartphone } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { ConnectionView, DeviceView, PendingView } from '../../shared/connection-view.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button, CopyButton } from '../components/button.tsx';
import { Disclosure } from '../components/disclosure.tsx';
import { Field, TextInput } from '../components/field.tsx';
import { postern, useCall } from '../postern.ts';
import { forget, useRetainedState } from '../use-retained-state.ts';
import { formatCountdown, useNow, words } from '../words.ts';
import { SignInHost, useEscape } from './connect-card.tsx';
import './waiting-step.css';

interface BrowserStepProps {
  readonly connection: ConnectionView;
  readonly pending: PendingView;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Waits for the sign-in page, with every way to help it along. Leaving the page cancels nothing. */
export function BrowserStep({ connection: { id }, pending, expiresAt }: BrowserStepProps) {
  const { host, surface, opened, openBefore, error, offersDevice } = pending;
  const [copied, setCopied] = useState(false);
  const [hasLink, setHasLink] = useState(false);
  const call = useCall<null>();
  const stop = useStop(id);
  const isPopup = surface === 'popup';
  const { title, text } = words.signIn[!opened ? 'notOpened' : isPopup ? 'inPopup' : 'inBrowser'];
  const open = (
    <Button
      icon={isPopup ? AppWindow : ExternalLink}
      kind={opened ? 'plain' : 'quiet'}
      className={opened ? 'card-button' : undefined}
      onClick={() => void call.run(() => postern.connection.openAgain({ id }))}
    >
      {isPopup ? words.signIn.showWindow : words.signIn.openAgain}
    </Button>
  );
  const copy = (
    <Button
      icon={Copy}
      kind={opened ? 'quiet' : 'primary'}
      className={opened ? undefined : 'card-button'}
      onClick={() =>
        void call
          .run(() => postern.desktop.copy({ kind: 'authorizationLink', id }))
          .then((done) => {
            setCopied(done !== undefined);
            setHasLink(done !== undefined);
          })
      }
      onBlur={() => setCopied(false)}
    >
      {copied ? words.signIn.linkCopied : words.signIn.copyLink}
    </Button>
  );
  return (
    <>
      <Waiting title={title} host={host} expiresAt={expiresAt}>
        {text}
      </Waiting>
      {error && <ErrorNotice error={error} tone="ask" />}
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
      {opened ? open : copy}
      <div className="connect-card-more">
        {isPopup && (
          <Button kind="quiet" onClick={() => void call.run(() => postern.connection.useBrowser({ id }))}>
            {words.signIn.useBrowser}
          </Button>
        )}
        {opened ? copy : open}
        <Button kind="quiet" onClick={stop}>
          {words.common.cancel}
        </Button>
      </div>
      {hasLink && openBefore !== undefined && <LinkEnds openBefore={openBefore} />}
      <p className="soft small card-foot">{words.signIn.waits}</p>
      <div className="connect-card-more">
        <Disclosure label={words.signIn.trouble}>
          <PasteCallback id={id} />
          {offersDevice && (
            <div className="stack-tight">
              <p>{words.signIn.deviceText}</p>
              <div>
                <Button icon={Smartphone} onClick={() => void call.run(() => postern.connection.useDevice({ id }))}>
                  {words.signIn.useDevice}
                </Button>
              </div>
            </div>
          )}
        </Disclosure>
      </div>
    </>
  );
}

/** Ends the sign-in, also with Escape. What the user entered is kept, and *Try again* continues with it. */
function useStop(id: string): () => void {
  const stop = (): void => void postern.connection.stop({ id });
  useEscape(stop);
  return stop;
}

/** A copied link contains a request URI that the service stores only for a short time (RFC 9126 section 2.2). */
function LinkEnds({ openBefore }: { readonly openBefore: number }) {
  const left = openBefore - useNow(1_000);
  return (
    <p className="soft small card-foot">
      {left > 0 ? words.signIn.linkExpires(formatCountdown(left)) : words.signIn.linkExpired}
    </p>
  );
}

const stateKey = 'callback';
const emptyDraft = { address: '' };

/** For a browser that cannot reach this computer: the user pastes the callback address it ended on. */
function PasteCallback({ id }: { readonly id: string }) {
  const [{ address }, setDraft] = useRetainedState(id, stateKey, emptyDraft);
  const call = useCall<IpcOutput<'connection:submitCallback'>>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // It contains the authorization code, so it must not stay in the page.
    forget(id, stateKey);
    void call.run(() => postern.connection.submitCallback({ id, address: address.trim() }));
  };
  const verdict = call.value?.verdict;
  return (
    <form className="stack-tight" onSubmit={submit}>
      <Field
        label={words.signIn.pasteLabel}
        hint={words.signIn.pasteText}
        error={verdict === undefined || verdict === 'done' ? undefined : words.signIn.pasteVerdict[verdict]}
      >
        {(control) => (
          <div className="row nowrap">
            <TextInput
              {...control}
              maxLength={16_384}
              value={address}
              placeholder="http://127.0.0.1/…"
              onChange={(event) => setDraft({ address: event.target.value })}
            />
            <Button type="submit" busy={call.busy} disabled={address.trim() === ''}>
              {words.signIn.pasteButton}
            </Button>
          </div>
        )}
      </Field>
      {verdict === 'done' && <p role="status">{words.signIn.pasteVerdict.done}</p>}
      {call.error && <ErrorNotice error={call.error} />}
    </form>
  );
}

/** The ten minutes that a `state` is valid (spec 2.7), drawn as a shrinking ring. */
const lifetime = 10 * 60_000;
const radius = 15;
const circumference = 2 * Math.PI * radius;

interface WaitingProps {
  readonly title: string;
  /** Where the user signs in. */
  readonly host: string;
  readonly expiresAt: number;
  readonly children: ReactNode;
}

/** What to do, where, and how much time is left for it. */
function Waiting({ title, host, expiresAt, children }: WaitingProps) {
  return (
    <div className="waiting">
      <TimeLeft expiresAt={expiresAt} />
      <div className="waiting-text" role="status">
        <h3>{title}</h3>
        <p className="soft">
          <SignInHost host={host} /> {children}
        </p>
      </div>
    </div>
  );
}

function TimeLeft({ expiresAt }: { readonly expiresAt: number }) {
  const left = Math.max(0, expiresAt - useNow(1_000));
  const time = formatCountdown(left);
  return (
    <div
      className={`time-left${left < 60_000 ? ' short' : ''}`}
      role="timer"
      aria-label={words.signIn.timeLeftLabel(time)}
    >
      <svg viewBox="0 0 36 36" width="36" height="36" aria-hidden="true">
        <circle className="time-track" cx="18" cy="18" r={radius} />
        <circle
          className="time-rest"
          cx="18"
          cy="18"
          r={radius}
          strokeDasharray={circumference}
          strokeDashoffset={circumference * (1 - Math.min(1, left / lifetime))}
          transform="rotate(-90 18 18)"
        />
      </svg>
      <span className="time-value" aria-hidden="true">
        {time}
      </span>
    </div>
  );
}

interface DeviceStepProps {
  readonly id: string;
  readonly device: DeviceView;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Waits for a device sign-in (RFC 8628). Leaving the page cancels nothing. */
export function DeviceStep({ id, device, expiresAt }: DeviceStepProps) {
  const { page, userCode, hasLink } = device;
  const call = useCall<null>();
  const stop = useStop(id);
  const { title, text, code, open, copyLink, back, compare, doNotShare } = words.signIn.device;
  return (
    <>
      <Waiting title={title} host={page} expiresAt={expiresAt}>
        {text}
      </Waiting>
      <div className="device-code" role="group" aria-label={code}>
        <code>{userCode}</code>
        <CopyButton onCopy={async () => (await postern.desktop.copy({ kind: 'deviceCode', id })).ok} />
      </div>
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
      <Button
        icon={ExternalLink}
        kind="primary"
        className="card-button"
        onClick={() => void call.run(() => postern.connection.openAgain({ id }))}
      >
        {open}
      </Button>
      <div className="connect-card-more">
        {hasLink && (
          <Button
            kind="quiet"
            icon={Copy}
            onClick={() => void call.run(() => postern.desktop.copy({ kind: 'deviceLink', id }))}
          >
            {copyLink}
          </Button>
        )}
        <Button kind="quiet" onClick={() => void call.run(() => postern.connection.useBrowser({ id }))}>
          {back}
        </Button>
        <Button kind="quiet" onClick={stop}>
          {words.common.cancel}
        </Button>
      </div>
      <p className="soft small card-foot">{hasLink ? compare : doNotShare}</p>
      <p className="soft small card-foot">{words.signIn.waits}</p>
    </>
  );
}
