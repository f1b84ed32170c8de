import type { Browser } from './browser.ts';
import type { CdpParams } from './cdp-connection.ts';
import { createEvent } from './electron-event.ts';
import { strictObject } from './not-emulated.ts';
import type { Page } from './page.ts';
import type { StandInWebContents } from './web-contents.ts';

/**
 * Blocks all downloads and reports each attempt to the session; allowing one is not emulated.
 */
export async function refuseDownloads(
  { connection }: Browser,
  page: Page,
  contents: StandInWebContents,
  browserContextId: string | undefined,
): Promise<void> {
  const { session } = contents.standIn.options;
  const report = ({ frameId, url, suggestedFilename }: CdpParams): void => {
    if (frameId !== page.id) return;
    const item = strictObject('downloadItem', {
      getURL: () => String(url),
      getFilename: () => String(suggestedFilename),
      cancel: () => event.preventDefault(),
    });
    const event = createEvent();
    session.emit('will-download', event, item, contents);
    if (!event.defaultPrevented) console.error(`not emulated: the download of ${String(url)}`);
  };
  connection.on('Browser.downloadWillBegin', report);
  page.once('closed', () => connection.off('Browser.downloadWillBegin', report));
  await connection.send('Browser.setDownloadBehavior', {
    behavior: 'deny',
    eventsEnabled: true,
    ...(browserContextId === undefined ? {} : { browserContextId }),
  });
}
