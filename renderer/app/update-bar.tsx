import { create } from 'zustand';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { useView } from '../view.ts';
import { words } from '../words.ts';

/** What was put off, until the next start. */
const useLater = create<{ readonly putOff: string | undefined }>()(() => ({ putOff: undefined }));

/** Says once that there is a newer version, or that it can start; nothing happens unless the person says so. */
export function UpdateBar() {
  const update = useSnapshots((state) => state.app?.update);
  const onSettings = useView((state) => state.view.name === 'settings');
  const putOff = useLater((state) => state.putOff);
  const { state, version = '' } = update ?? {};
  if (onSettings || (state !== 'available' && state !== 'ready') || putOff === `${state} ${version}`) return null;
  const isReady = state === 'ready';
  return (
    <div className="bar">
      <Notice
        title={isReady ? words.update.ready(version) : words.update.available(version)}
        actions={
          <>
            <Button onClick={() => void (isReady ? postern.update.install() : postern.update.download())}>
              {isReady ? words.update.restart : words.update.download}
            </Button>
            <Button kind="quiet" onClick={() => useLater.setState({ putOff: `${state} ${version}` })}>
              {words.update.later}
            </Button>
          </>
        }
      >
        {isReady && <p>{words.update.readyText}</p>}
      </Notice>
    </div>
  );
}
