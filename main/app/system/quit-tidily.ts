import { app } from 'electron';

/** Milliseconds for ending flows, answering programs and closing what is open; the program ends in any case. */
const closingTime = 5_000;

/** Ends flows and closes what is open before the program does, once, within a bound. */
export function quitTidily(close: () => Promise<void>): void {
  let closing = false;
  app.on('before-quit', (event) => {
    if (closing) return;
    closing = true;
    event.preventDefault();
    const patience = new Promise((resolve) => setTimeout(resolve, closingTime).unref());
    void Promise.race([close().catch(() => {}), patience]).then(() => app.exit(0));
  });
}
