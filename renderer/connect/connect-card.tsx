import { useEffect, useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import type { ConnectionView } from '../../shared/connection-view.ts';
import { useKnownServer } from '../catalog/catalog.ts';
import { HostName, hostOfAddress } from '../components/facts.tsx';
import { ServiceIcon } from '../components/service-icon.tsx';
import { useSnapshots } from '../store.ts';
import { words } from '../words.ts';
import './connect-card.css';

interface ConnectCardProps {
  readonly connection: ConnectionView;
  /** What the card shows now; another step moves the focus into it. */
  readonly step: string;
  /** For several forms side by side. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** The one place from the check to the end of the sign-in: Postern, the service, and what comes next. */
export function ConnectCard({ connection, step, isWide = false, children }: ConnectCardProps) {
  const name = useServiceName(connection);
  const known = useKnownServer(connection.url);
  const card = useStepFocus(step);
  return (
    <section
      ref={card}
      className={`connect-card${isWide ? ' wide' : ''}`}
      tabIndex={-1}
      data-in-progress=""
      aria-labelledby="card-title"
    >
      <div className="connect-card-head">
        <div className="connect-card-drawing" aria-hidden="true">
          <PosternTile />
          <span className="connect-card-line" />
          <ServiceIcon name={name} brand={{ service: known?.name }} size="large" />
        </div>
        <h2 id="card-title">{words.connect.card[connection.kind === 'connect' ? 'title' : 'again'](name)}</h2>
      </div>
      {children}
    </section>
  );
}

/**
 * Another step replaces the button that led to it: the focus goes to the field with the error, or to the card, whose
 * first control is next. A focus elsewhere stays, since the user may be typing there.
 */
function useStepFocus(step: string) {
  const card = useRef<HTMLElement>(null);
  const shown = useRef(step);
  useLayoutEffect(() => {
    const wrong = card.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    const isNext = shown.current !== step;
    shown.current = step;
    const { activeElement, body } = document;
    // A sign-in makes the address field inert.
    const focused = activeElement?.closest('[inert]') ? body : activeElement;
    const isTyping = focused instanceof HTMLInputElement;
    const isElsewhere = isTyping || focused?.contains(card.current) === false;
    if (wrong && !isTyping) wrong.focus();
    else if (isNext && !isElsewhere) card.current?.focus({ preventScroll: true });
  }, [step]);
  return card;
}

/** Escape on the page of the card; dialogs, menus and fields elsewhere use the key for themselves. */
export function useEscape(onEscape: () => void): void {
  const latest = useRef(onEscape);
  useLayoutEffect(() => {
    latest.current = onEscape;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
      if (document.querySelector('dialog') !== null) return;
      const { target } = event;
      if (target instanceof Element && target !== document.body && target.closest('main') === null) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Where the user signs in, as a sentence. */
export function SignInHost({ host }: { readonly host: string }) {
  const [before, after] = words.connect.card.signInAt;
  return (
    <>
      {before}{' '}
      <strong className="address">
        <HostName>{host}</HostName>
      </strong>
      {after}
    </>
  );
}

/**
 * A new server has the catalog's name for its address, or its host: a name that came with a pasted or imported entry
 * could be that of another service.
 */
export function useServiceName({ kind, name, url }: ConnectionView): string {
  const known = useKnownServer(url);
  const isDemo = useSnapshots((state) => state.desktop?.demo?.url === url);
  if (kind !== 'connect' && name) return name;
  return known?.name ?? (isDemo ? words.connect.demoName : hostOfAddress(url, url));
}

function PosternTile() {
  return (
    <svg className="postern-tile" viewBox="0 0 32 32">
      <PosternMark />
    </svg>
  );
}

function PosternMark() {
  return (
    <>
      <rect className="tile" width="32" height="32" rx="7" />
      <path className="arch" d="M8 26V14a8 8 0 0 1 16 0v12" />
      <path className="door" d="M12 26V14a4 4 0 0 1 8 0v12z" />
      <circle className="tile" cx="17.6" cy="19.4" r="1.1" />
    </>
  );
}

/** Three AI apps reach four services through one door. The text next to it says so. */
export function FirstStartPicture() {
  return (
    <svg className="first-start-picture" viewBox="0 0 320 96" aria-hidden="true">
      {[16, 48, 80].map((y) => (
        <g key={y}>
          <path className="way" d={`M52 ${y}C92 ${y} 96 48 136 48`} />
          <rect className="app" x="16" y={y - 10} width="36" height="20" rx="5" />
          <path className="way" d={`M23 ${y - 3}h14M23 ${y + 3}h9`} />
        </g>
      ))}
      {[12, 36, 60, 84].map((y) => (
        <g key={y}>
          <path className="way" d={`M184 48C224 48 228 ${y} 268 ${y}`} />
          <circle className="service" cx="278" cy={y} r="10" />
        </g>
      ))}
      <svg x="136" y="24" width="48" height="48" viewBox="0 0 32 32">
        <PosternMark />
      </svg>
    </svg>
  );
}
