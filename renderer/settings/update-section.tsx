import type { AppView } from '../../shared/app-view.ts';
import type { UpdateView } from '../../shared/update-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { formatDistance, useNow } from '../moments.ts';
import { Button } from '../parts/button.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { Setting } from './setting.tsx';

export function UpdateSection({ app }: { readonly app: AppView }) {
  const { update } = app;
  const call = useCall<null>();
  if (update === undefined) return null;
  const { obstacle, automatic, error } = update;
  return (
    <section className="section" id="settings-update" tabIndex={-1} aria-labelledby="settings-update-title">
      <h2 id="settings-update-title">{words.update.title}</h2>
      <Setting name={words.update.newer} flush>
        {obstacle === undefined ? (
          <div className="stack-tight">
            <CheckBox
              checked={automatic}
              onChange={(chosen) => void call.run(() => postern.settings.update({ checkForUpdates: chosen }))}
              label={words.update.automatic}
              hint={words.update.automaticHint}
            />
            <div className="row">
              <UpdateStep update={update} version={app.version} />
            </div>
          </div>
        ) : (
          <p className="soft">{words.update.obstacles[obstacle]}</p>
        )}
      </Setting>
      {error && <ErrorNotice error={error} />}
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </section>
  );
}

/** Where it stands, and the one thing to do about it. */
function UpdateStep({ update, version: running }: { readonly update: UpdateView; readonly version: string }) {
  const now = useNow(60_000);
  const { state, version = '', percent = 0, checkedAt } = update;
  switch (state) {
    case 'available':
      return (
        <>
          <Button onClick={() => void postern.update.download()}>{words.update.download}</Button>
          <span role="status">{words.update.available(version)}</span>
        </>
      );
    case 'downloading':
      return (
        <>
          <progress max={100} value={percent} aria-label={words.update.downloading(version, percent)} />
          <span className="soft">{words.update.downloading(version, percent)}</span>
        </>
      );
    case 'ready':
      return (
        <>
          <Button onClick={() => void postern.update.install()}>{words.update.restart}</Button>
          <span role="status">{words.update.ready(version)}</span>
        </>
      );
    default: {
      const when = checkedAt === undefined ? undefined : formatDistance(checkedAt, now);
      return (
        <>
          <Button busy={state === 'checking'} onClick={() => void postern.update.check()}>
            {words.update.check}
          </Button>
          <span className="soft" role="status">
            {state === 'checking' && words.update.checking}
            {state === 'idle' && !update.error && words.update.current(running, when)}
          </span>
        </>
      );
    }
  }
}
