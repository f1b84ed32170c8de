import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The program of systemd that speaks its protocol (sd_notify): a datagram socket, which Node has not. */
const programs = ['/usr/bin/systemd-notify', '/bin/systemd-notify'];
/** Milliseconds. */
const patience = 10_000;

/** What the service manager is told, where one has started this process. */
export interface ServiceNotice {
  ready(status: string): void;
  status(text: string): void;
  /** Resolves once it has been told. */
  stopping(): Promise<void>;
}

/** Tells systemd that the service is up, how it does, and that it ends; and that it lives, where that is asked for. */
export function openServiceNotice(
  env: Readonly<Record<string, string | undefined>>,
  candidates: readonly string[] = programs,
): ServiceNotice {
  const program = env['NOTIFY_SOCKET'] ? candidates.find((file) => existsSync(file)) : undefined;
  let told: Promise<void> = Promise.resolve();
  const tell = (...words: string[]): void => {
    if (program === undefined) return;
    // One after the other: a status that is older must not come last.
    told = told.then(
      () =>
        new Promise((resolve) => {
          execFile(program, [`--pid=${process.pid}`, ...words], { timeout: patience }, () => resolve());
        }),
    );
  };
  const watchdog = Number(env['WATCHDOG_USEC']) / 1_000;
  const isWatched = watchdog > 0 && [undefined, '', String(process.pid)].includes(env['WATCHDOG_PID']);
  const timer = isWatched ? setInterval(() => tell('WATCHDOG=1'), watchdog / 2) : undefined;
  timer?.unref();
  return {
    ready: (status) => tell('--ready', `--status=${status}`),
    status: (text) => tell(`--status=${text}`),
    async stopping() {
      clearInterval(timer);
      tell('STOPPING=1');
      await told;
    },
  };
}
