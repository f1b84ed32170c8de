import { AppWindow, Copy, ExternalLink, Smartphone } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { ConnectionView, DeviceView, PendingView } from '../../shared/connection-view.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button, CopyButton } from '../components/button.tsx';
import { Disclosure } from '../components/disclosure.tsx';
import { HostName } from '../components/facts.tsx';
import { Field, TextInput } from '../components/field.tsx';
import { postern, useCall } from '../postern.ts';
import { forget, useRetainedState } from '../use-retained-state.ts';
import { formatCountdown, useNow, words } from '../words.ts';
import './sign-in-sheet.css';

interface SignInSheetProps {
  readonly connection: ConnectionView;
  readonly pending: PendingView;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Waits for the sign-in page, with every way to help it along. Leaving this sheet cancels nothing. */
export function SignInSheet({ connection: { id }, pending, expiresAt }: SignInSheetProps) {
  const { host, surface, opened, openBefore, error, offersDevice } = pending;
  const [copied, setCopied] = useState(false);
  const [hasLink, setHasLink] = useState(false);
  const call = useCall<null>();
  const isPopup = surface === 'popup';
  const explanation = !opened ? words.signIn.notOpened : isPopup ? words.signIn.inPopup : words.signIn.inBrowser;
  return (
    <section className="sheet" data-in-progress="" aria-labelledby="sheet-title">
      <SheetHead host={host} expiresAt={expiresAt}>
        {explanation}
      </SheetHead>
      <div className="row">
        <Button
          icon={isPopup ? AppWindow : ExternalLink}
          onClick={() => void call.run(() => postern.connection.openAgain({ id }))}
        >
          {isPopup ? words.signIn.showWindow : words.signIn.openAgain}
        </Button>
        {isPopup && (
          <Button icon={ExternalLink} onClick={() => void call.run(() => postern.connection.useBrowser({ id }))}>
            {words.signIn.useBrowser}
          </Button>
        )}
        <Button
          icon={Copy}
          kind={opened ? 'plain' : 'primary'}
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
        <Button kind="quiet" className="push" onClick={() => void call.run(() => postern.connection.stop({ id }))}>
          {words.signIn.cancel}
        </Button>
      </div>
      {hasLink && openBefore !== undefined && <LinkEnds openBefore={openBefore} />}
      {error && <ErrorNotice error={error} tone="ask" />}
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
      <Disclosure label={words.signIn.pasteTitle}>
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
      <p className="faint small">{words.signIn.canLeave}</p>
    </section>
  );
}

/** A copied link contains a request URI that the service stores only for a short time (RFC 9126 section 2.2). */
function LinkEnds({ openBefore }: { readonly openBefore: number }) {
  const left = openBefore - useNow(1_000);
  return (
    <p className="soft small">
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

interface SheetHeadProps {
  readonly host: string;
  readonly expiresAt: number;
  readonly children: ReactNode;
}

/** Where the sign-in happens, what it waits for, and for how long. */
function SheetHead({ host, expiresAt, children }: SheetHeadProps) {
  return (
    <header className="sheet-head">
      <div>
        <h2 id="sheet-title">{words.signIn.title(host)}</h2>
        <p className="soft" role="status">
          {children}
        </p>
      </div>
      <TimeLeft expiresAt={expiresAt} />
    </header>
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
        <span className="faint"> {words.signIn.timeLeft}</span>
      </span>
    </div>
  );
}

interface DeviceSheetProps {
  readonly id: string;
  readonly device: DeviceView;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Waits for a device sign-in (RFC 8628). Leaving this sheet cancels nothing. */
export function DeviceSheet({ id, device, expiresAt }: DeviceSheetProps) {
  const { host, page, userCode, hasLink } = device;
  const call = useCall<null>();
  return (
    <section className="sheet" data-in-progress="" aria-labelledby="sheet-title">
      <SheetHead host={host} expiresAt={expiresAt}>
        {words.signIn.device.text}
      </SheetHead>
      <div className="device-steps">
        <div>
          <p className="soft small">{words.signIn.device.page}</p>
          <p className="device-page">
            <HostName>{page}</HostName>
          </p>
        </div>
        <div>
          <p className="soft small">{words.signIn.device.code}</p>
          <div className="device-code">
            <code>{userCode}</code>
            <CopyButton onCopy={async () => (await postern.desktop.copy({ kind: 'deviceCode', id })).ok} />
          </div>
        </div>
      </div>
      <div className="row">
        <Button icon={ExternalLink} onClick={() => void call.run(() => postern.connection.openAgain({ id }))}>
          {words.signIn.device.open}
        </Button>
        {hasLink && (
          <Button icon={Copy} onClick={() => void call.run(() => postern.desktop.copy({ kind: 'deviceLink', id }))}>
            {words.signIn.device.copyLink}
          </Button>
        )}
        <Button kind="quiet" onClick={() => void call.run(() => postern.connection.useBrowser({ id }))}>
          {words.signIn.device.back}
        </Button>
        <Button kind="quiet" className="push" onClick={() => void call.run(() => postern.connection.stop({ id }))}>
          {words.signIn.cancel}
        </Button>
      </div>
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
      <p className="soft small">{hasLink ? words.signIn.device.compare : words.signIn.device.doNotShare}</p>
      <p className="faint small">{words.signIn.canLeave}</p>
    </section>
  );
}
