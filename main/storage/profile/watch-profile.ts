import { watch } from 'node:fs';

/** Milliseconds: a change is a file written beside and renamed, with a lock around it. */
const settling = 150;

/** Tells when settings or list were changed, by a command beside this window too. Answers how to stop. */
export function watchProfile(folder: string, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  try {
    const watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (name !== 'config.json') return;
      clearTimeout(timer);
      timer = setTimeout(onChange, settling);
    });
    // A folder that goes away, or too many watches: the window still sees its own changes.
    watcher.on('error', () => watcher.close());
    return () => {
      clearTimeout(timer);
      watcher.close();
    };
  } catch {
    return () => {};
  }
}
