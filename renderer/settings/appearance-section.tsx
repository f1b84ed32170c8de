import { languages, themes } from '../../shared/choices.ts';
import type { AppView } from '../../shared/app-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Choice } from '../parts/choice.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { Setting } from './setting.tsx';

export function AppearanceSection({ app }: { readonly app: AppView }) {
  const call = useCall<null>();
  const { theme, language } = app.settings;
  return (
    <section className="section" id="settings-appearance" tabIndex={-1} aria-labelledby="settings-appearance-title">
      <h2 id="settings-appearance-title">{words.settings.appearance}</h2>
      <Setting name={words.settings.theme}>
        <Choice
          aria-label={words.settings.theme}
          value={theme}
          options={themes.map((value) => ({ value, label: words.settings.themes[value] }))}
          onChoose={(chosen) => void call.run(() => postern.settings.update({ theme: chosen }))}
        />
      </Setting>
      <Setting name={words.settings.language}>
        <Choice
          aria-label={words.settings.language}
          value={language}
          options={languages.map((value) => ({ value, label: words.settings.languages[value] }))}
          onChoose={(chosen) => void call.run(() => postern.settings.update({ language: chosen }))}
        />
      </Setting>
      {call.error && <ErrorNotice error={call.error} actions={{ dismiss: call.clear }} />}
    </section>
  );
}
