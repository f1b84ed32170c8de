import type { AppView } from '../../shared/app-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { Setting } from './setting.tsx';

/** Whether it is noted which program calls what. */
export function ActivitySetting({ app }: { readonly app: AppView }) {
  const call = useCall<null>();
  return (
    <Setting name={words.activity.setting} flush>
      <CheckBox
        checked={app.settings.activity === 'on'}
        onChange={(isOn) => void call.run(() => postern.settings.update({ activity: isOn ? 'on' : 'off' }))}
        label={words.activity.settingLabel}
        hint={words.activity.settingHint}
      />
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </Setting>
  );
}
