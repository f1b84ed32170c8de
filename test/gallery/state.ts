import { askingPage } from '../../shared/ipc-channels.ts';
import { ipcCalls } from '../../shared/ipc-contract.ts';
import type { Snapshots } from '../../shared/ipc-event.ts';
import { installMain } from '../renderer/install-main.ts';
import { snapshotsOf, windowStates } from '../renderer/window-states.ts';
import { pageHere } from './page-here.ts';

/** The renderer on a main made of fixtures, in the state that the URL names. Errors are shown above it. */
const parameters = new URLSearchParams(location.search);
const name = parameters.get('name');
const state = windowStates.find((one) => one.name === name);
if (state === undefined) throw new Error(`there is no state "${name}"`);
// Overrides the system’s preference for `light-dark()`.
document.documentElement.style.colorScheme = parameters.get('theme') ?? '';
const snapshots = snapshotsOf(state);
installMain(JSON.stringify({ calls: ipcCalls, snapshots, answers: state.answers ?? {} }));
if (state.isAsking === true) location.hash = askingPage;
// The renderer reads `window.postern` on load.
const renderer = '/main.tsx';
await import(/* @vite-ignore */ renderer);
try {
  await state.lead?.(pageHere());
} catch (error) {
  parent.postMessage(String(error), location.origin);
}
// Steps use English labels.
if (parameters.get('language') === 'de') {
  const { fakeMain } = window as unknown as { fakeMain: { publish(slices: Partial<Snapshots>): void } };
  fakeMain.publish({ desktop: { ...snapshots.desktop, language: 'de' } });
}
