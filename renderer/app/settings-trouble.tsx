import { ErrorNotice } from '../errors/error-notice.tsx';
import { formatWhole } from '../moments.ts';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';

/** The settings file cannot be used: nothing is changed, and a person says how it goes on. */
export function SettingsTrouble() {
  const trouble = useSnapshots((state) => state.app?.settingsTrouble);
  const open = useCall<unknown>();
  const restore = useCall<unknown>();
  if (trouble === undefined) return null;
  const { error, lastGood } = trouble;
  const failed = restore.error ?? open.error;
  return (
    <div className="bar stack-tight">
      <Notice
        tone="stop"
        urgent
        title={words.errors.message(error)}
        actions={
          <>
            <Button busy={open.busy} onClick={() => void open.run(() => postern.settings.openFile())}>
              {error.code === 'CFG_CORRUPT' ? words.settings.openFile : words.settings.openFolder}
            </Button>
            {lastGood && (
              <Button busy={restore.busy} onClick={() => void restore.run(() => postern.settings.restore())}>
                {words.settings.restore}
              </Button>
            )}
          </>
        }
      >
        <p>{words.settings.readOnly}</p>
        <p>
          {error.code !== 'CFG_CORRUPT'
            ? words.errors.nextStep(error.remedy)
            : lastGood
              ? words.settings.lastGood(lastGood.servers, formatWhole(lastGood.writtenAt))
              : words.settings.noLastGood}
        </p>
      </Notice>
      {failed && <ErrorNotice error={failed} />}
    </div>
  );
}
