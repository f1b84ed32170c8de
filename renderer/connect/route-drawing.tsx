import { Lock, LockOpen } from 'lucide-react';
import { HostName } from '../parts/host-name.tsx';
import { words } from '../words.ts';
import './route-drawing.css';

interface RouteDrawingProps {
  readonly server: string;
  /** Absent: no sign-in, or at the server's own host. */
  readonly service?: string | undefined;
  /** `inside`: not encrypted, and never on a network. */
  readonly wire: 'closed' | 'inside' | 'open';
  /** The sign-in service belongs to somebody else. */
  readonly warn?: boolean;
}

/** The way that the person's data takes: who talks to whom, and whether the wire is closed. */
export function RouteDrawing({ server, service, wire: kind, warn = false }: RouteDrawingProps) {
  const isSame = service === undefined || service === server;
  const wire = (
    <span className={`route-wire ${kind}`} aria-hidden="true">
      {kind === 'closed' && <Lock size={12} />}
      {kind === 'open' && <LockOpen size={12} />}
    </span>
  );
  return (
    <div className="route" role="group" aria-label={words.connect.route.label(server, isSame ? undefined : service)}>
      <div className="route-stop">
        <span className="route-node home" aria-hidden="true" />
        {wire}
        <span className="route-role">{words.connect.route.computer}</span>
      </div>
      <div className="route-stop">
        <span className="route-node" aria-hidden="true" />
        {!isSame && wire}
        <span className="route-role">
          {isSame && service !== undefined ? words.connect.route.same : words.connect.route.server}
        </span>
        <span className="route-host address">
          <HostName>{server}</HostName>
        </span>
      </div>
      {!isSame && (
        <div className={`route-stop${warn ? ' other' : ''}`}>
          <span className="route-node" aria-hidden="true" />
          <span className="route-role">{words.connect.route.service}</span>
          <span className="route-host address">
            <HostName>{service}</HostName>
          </span>
        </div>
      )}
    </div>
  );
}
