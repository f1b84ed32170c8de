import type { AppView } from '../../shared/app-view.ts';
import { Button } from '../parts/button.tsx';
import { Facts } from '../parts/facts.tsx';
import { postern } from '../postern.ts';
import { words } from '../words.ts';

export function AboutSection({ app }: { readonly app: AppView }) {
  const command = app.platform === 'darwin' ? '⌘' : 'Ctrl';
  const list = words.settings.shortcutList;
  const shortcuts: readonly (readonly [string, readonly string[]])[] = [
    [list.connect, [command, 'N']],
    [words.palette.open, [command, 'K']],
    [list.search, [command, 'F']],
    [list.settings, [command, ',']],
    [list.fold, [command, 'B']],
    [list.move, ['↑', '↓']],
    [list.rename, ['F2']],
    [list.remove, [app.platform === 'darwin' ? '⌫' : words.settings.deleteKey]],
    [list.close, ['Esc']],
  ];
  return (
    <section className="section" id="settings-about" tabIndex={-1} aria-labelledby="settings-about-title">
      <h2 id="settings-about-title">{words.settings.about}</h2>
      <Facts
        facts={[
          { term: words.settings.version, value: `${words.common.product} ${app.version}` },
          ...app.runtime.map(({ name, version }) => ({ term: name, value: version })),
          {
            term: words.settings.shortcuts,
            value: (
              <ul className="stack-tight">
                {shortcuts.map(([name, keys]) => (
                  <li className="row" key={name}>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                    {name}
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
      <div className="row">
        <Button onClick={() => void postern.app.openLogs()}>{words.settings.logs}</Button>
        <span className="soft small">{words.settings.logsHint}</span>
      </div>
    </section>
  );
}
