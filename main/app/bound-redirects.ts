/** The two ways in which electron-updater asks for something; neither is part of its public types. */
export interface RedirectingExecutor {
  doApiRequest(options: object, token: object, ...rest: unknown[]): Promise<unknown>;
  doDownload(request: object, task: { readonly callback: (error: Error) => void }, ...rest: unknown[]): void;
}

/** Requests for one thing, the first one included: a release page takes two or three. */
const mostRounds = 10;

/**
 * Lets a feed redirect a few times. electron-updater's own bound never counts up (its `redirectCount` is handed on as
 * it came), so a feed that redirects to itself would keep the program asking for ever.
 */
export function boundRedirects(executor: RedirectingExecutor): void {
  const rounds = new WeakMap<object, number>();
  const isOver = (errand: object): boolean => {
    const round = (rounds.get(errand) ?? 0) + 1;
    rounds.set(errand, round);
    return round > mostRounds;
  };
  const doApiRequest = executor.doApiRequest.bind(executor);
  const doDownload = executor.doDownload.bind(executor);
  // One token, and one task, goes with all requests for one thing.
  executor.doApiRequest = async (options, token, ...rest) => {
    if (isOver(token)) throw new Error('too many redirects');
    return await doApiRequest(options, token, ...rest);
  };
  executor.doDownload = (request, task, ...rest) => {
    if (isOver(task)) task.callback(new Error('too many redirects'));
    else doDownload(request, task, ...rest);
  };
}
