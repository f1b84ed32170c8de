import { Copy, ExternalLink } from 'lucide-react';
import type { DeviceView } from '../../shared/connection-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button, CopyButton } from '../parts/button.tsx';
import { HostName } from '../parts/host-name.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import './sign-in-sheet.css';
import { TimeLeft } from './sign-in-sheet.tsx';

interface DeviceSheetProps {
  readonly id: string;
  readonly device: DeviceView;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The wait for a sign-in with a code, on any device. Leaving this sheet ends nothing. */
export function DeviceSheet({ id, device, expiresAt }: DeviceSheetProps) {
  const { host, page, userCode, hasLink } = device;
  const call = useCall<null>();
  return (
    <section className="sheet" data-at-work="" aria-labelledby="sheet-title">
      <header className="sheet-head">
        <div>
          <h2 id="sheet-title">{words.signIn.title(host)}</h2>
          <p className="soft" role="status">
            {words.signIn.device.text}
          </p>
        </div>
        <TimeLeft expiresAt={expiresAt} />
      </header>
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
            <CopyButton onCopy={async () => (await postern.app.copy({ kind: 'deviceCode', id })).ok} />
          </div>
        </div>
      </div>
      <div className="row">
        <Button icon={ExternalLink} onClick={() => void call.run(() => postern.connection.openAgain({ id }))}>
          {words.signIn.device.open}
        </Button>
        {hasLink && (
          <Button icon={Copy} onClick={() => void call.run(() => postern.app.copy({ kind: 'deviceLink', id }))}>
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
      <p className="soft small">{hasLink ? words.signIn.device.compare : words.signIn.device.nobody}</p>
      <p className="faint small">{words.signIn.leaves}</p>
    </section>
  );
}
