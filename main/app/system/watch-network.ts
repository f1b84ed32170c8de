import { net, powerMonitor } from 'electron';

/** Milliseconds between two looks: main hears of no change by itself. */
const interval = 5_000;

/** Tells when the machine woke up, and when the network came back. */
export function watchNetwork(onBack: () => void): void {
  powerMonitor.on('resume', onBack);
  let wasOnline = net.isOnline();
  setInterval(() => {
    const isOnline = net.isOnline();
    if (isOnline && !wasOnline) onBack();
    wasOnline = isOnline;
  }, interval).unref();
}
