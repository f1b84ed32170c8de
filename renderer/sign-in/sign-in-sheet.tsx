import { AppWindow, Copy, ExternalLink, Smartphone } from 'lucide-react';
import { useState } from 'react';
import type { ConnectionView, PendingView } from '../../shared/connection-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { formatCountdown, useNow } from '../moments.ts';
import { Button } from '../parts/button.tsx';
import { Disclosure } from '../parts/disclosure.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { PasteCallback } from './paste-callback.tsx';
import { TimeLeft } from './time-left.tsx';
import './sign-in-sheet.css';

interface SignInSheetProps {
  readonly connection: ConnectionView;
  readonly pending: PendingView;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The wait for the sign-in page, and every way to help it along. Leaving this sheet ends nothing. */
export function SignInSheet({ connection: { id }, pending, expiresAt }: SignInSheetProps) {
  const { host, surface, opened, openBefore, error, offersDevice } = pending;
  const [copied, setCopied] = useState(false);
  const [hasLink, setHasLink] = useState(false);
  const call = useCall<null>();
  const isPopup = surface === 'popup';
  const explanation = !opened ? words.signIn.notOpened : isPopup ? words.signIn.inPopup : words.signIn.inBrowser;
  return (
    <section className="sheet" data-at-work="" aria-labelledby="sheet-title">
      <header className="sheet-head">
        <div>
          <h2 id="sheet-title">{words.signIn.title(host)}</h2>
          <p className="soft" role="status">
            {explanation}
          </p>
        </div>
        <TimeLeft expiresAt={expiresAt} />
      </header>
      <div className="row">
        <Button
          icon={isPopup ? AppWindow : ExternalLink}
          onClick={() => void call.run(() => postern.connection.openAgain({ id }))}
        >
          {isPopup ? words.signIn.showAgain : words.signIn.openAgain}
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
              .run(() => postern.app.copy({ kind: 'authorizationLink', id }))
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
      <p className="faint small">{words.signIn.leaves}</p>
    </section>
  );
}

/** A copied link refers to what the service keeps only so long (RFC 9126 section 2.2). */
function LinkEnds({ openBefore }: { readonly openBefore: number }) {
  const left = openBefore - useNow(1_000);
  return (
    <p className="soft small">{left > 0 ? words.signIn.linkEnds(formatCountdown(left)) : words.signIn.linkEnded}</p>
  );
}
