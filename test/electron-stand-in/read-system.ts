import type { Browser } from './browser.ts';
import { nativeTheme } from './native-theme.ts';
import { setScreen } from './screen.ts';

const question = `JSON.stringify({
  width: screen.availWidth, height: screen.availHeight, scale: devicePixelRatio,
  dark: matchMedia('(prefers-color-scheme: dark)').matches,
})`;

/** Reads from Chromium's first page what Electron knows without a page: screen, theme, version. */
export async function readSystem({ connection }: Browser): Promise<void> {
  const { targetInfos } = await connection.send('Target.getTargets', { filter: [{ type: 'page' }] });
  const [first] = targetInfos as { targetId: string }[];
  if (!first) return;
  const { sessionId } = await connection.send('Target.attachToTarget', { targetId: first.targetId, flatten: true });
  const { result } = await connection.session(String(sessionId)).send('Runtime.evaluate', { expression: question });
  const { width, height, scale, dark } = JSON.parse(String(result.value)) as {
    [name in 'width' | 'height' | 'scale']: number;
  } & { dark: boolean };
  setScreen(width, height, scale);
  nativeTheme.standInSystemIsDark = dark;
  const { product } = await connection.send('Browser.getVersion');
  Object.assign(process.versions, { chrome: String(product).split('/')[1] });
  connection.post('Target.detachFromTarget', { sessionId });
}
