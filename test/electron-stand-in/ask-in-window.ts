import { browser } from './browser.ts';
import type { CdpParams } from './cdp-connection.ts';
import { screenArea } from './screen.ts';

export interface Question {
  readonly title: string;
  readonly message: string;
  readonly detail?: string;
  readonly buttons: readonly string[];
  /** Also asks for a path. */
  readonly path?: { readonly label: string; readonly value: string };
}

export interface Answer {
  /** Index of the button; -1 if the window was closed. */
  readonly button: number;
  readonly path: string;
}

const width = 480;
const height = 260;

/** Asks the user in a small Chromium window, instead of a system dialog. */
export async function askInWindow(question: Question): Promise<Answer> {
  const { connection, createTarget } = await browser();
  const { browserContextId } = await connection.send('Target.createBrowserContext', { disposeOnDetach: true });
  const area = screenArea();
  const bounds = { width, height, x: (area.width - width) >> 1, y: (area.height - height) >> 1 };
  const { id, session } = await createTarget({ contextId: String(browserContextId), bounds });
  await Promise.all([
    session.send('Page.enable'),
    session.send('Runtime.enable'),
    session.send('Runtime.addBinding', { name: 'answer' }),
  ]);
  await session.send('Runtime.runIfWaitingForDebugger');
  const answering = new Promise<Answer>((resolve) => {
    session.once('Runtime.bindingCalled', ({ payload }: CdpParams) => resolve(JSON.parse(String(payload)) as Answer));
    session.once('detached', () => resolve({ button: -1, path: '' }));
  });
  await session.send('Page.setDocumentContent', { frameId: id, html: drawQuestion(question) });
  session.post('Page.bringToFront');
  const answer = await answering;
  connection.post('Target.disposeBrowserContext', { browserContextId });
  return answer;
}

function drawQuestion({ title, message, detail = '', buttons, path }: Question): string {
  const field = path
    ? `<label>${escape(path.label)}<input id="path" value="${escape(path.value)}" autofocus></label>`
    : '';
  const drawn = buttons.map((label, index) => `<button value="${index}">${escape(label)}</button>`).join('');
  return `<!doctype html><meta charset="utf-8"><title>${escape(title)}</title>
<style>
  :root { color-scheme: light dark; font: 14px system-ui, sans-serif }
  body { margin: 24px } h1 { font-size: 16px; margin: 0 0 8px } p { white-space: pre-wrap; overflow-wrap: anywhere }
  label { display: block } input { display: block; width: 100%; box-sizing: border-box; font: inherit; padding: 6px; margin: 4px 0 16px }
  footer { display: flex; gap: 8px; justify-content: flex-end } button { font: inherit; padding: 6px 14px }
</style>
<main role="dialog" aria-label="${escape(title)}"><h1>${escape(message)}</h1><p>${escape(detail)}</p>${field}</main>
<footer>${drawn}</footer>
<script>
  const say = (button) => answer(JSON.stringify({ button, path: document.getElementById('path')?.value ?? '' }));
  for (const button of document.querySelectorAll('button')) button.onclick = () => say(Number(button.value));
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') say(-1);
    if (event.key === 'Enter' && event.target.id === 'path') say(0);
  });
</script>`;
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
