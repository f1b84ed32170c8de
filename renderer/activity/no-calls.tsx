import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { useCall } from '../use-call.ts';
import { show } from '../view.ts';
import { words } from '../words.ts';

/** Why there is nothing to see, and what changes that. */
export function NoCalls() {
  const { activity } = words;
  const isOff = useSnapshots((state) => state.app?.settings.activity === 'off');
  const call = useCall<null>();
  return (
    <div className="stack-tight">
      <p>{isOff ? activity.off : activity.none}</p>
      <p className="soft">{isOff ? activity.offNext : activity.noneNext}</p>
      <div>
        {isOff ? (
          <Button kind="primary" onClick={() => void call.run(() => postern.settings.update({ activity: 'on' }))}>
            {activity.switchOn}
          </Button>
        ) : (
          <Button kind="primary" onClick={() => show({ name: 'programs' })}>
            {activity.toPrograms}
          </Button>
        )}
      </div>
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </div>
  );
}
