import type Conf from 'conf';

/**
 * Loads conf. What it writes with answers each signal by sending it to this process once more, which is to us what a
 * person's second Ctrl-C is: an end at once. So its listeners go; what a killed write leaves is tidied by whoever reads
 * the settings next.
 */
export async function loadConf(): Promise<typeof Conf> {
  const known = new Set(signalListeners().map(([, listener]) => listener));
  const { default: loaded } = await import('conf');
  for (const [signal, listener] of signalListeners()) {
    if (!known.has(listener)) process.removeListener(signal, listener);
  }
  return loaded;
}

function signalListeners(): readonly (readonly [NodeJS.Signals, NodeJS.SignalsListener])[] {
  const signals = process.eventNames().filter((name): name is NodeJS.Signals => /^SIG[A-Z0-9]+$/u.test(String(name)));
  return signals.flatMap((signal) => process.listeners(signal).map((listener) => [signal, listener] as const));
}
