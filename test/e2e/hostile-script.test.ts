import { expect, it } from 'vitest';
import { serveBytes } from '../support/loopback-server.ts';
import { openProgram, runtime } from './kit/open-program.ts';

/** Every way by which a page loads or sends something, tried at once. Answers what each said. */
async function tryEveryWayOut(http: string): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {};
  const attempt = async (name: string, run: () => unknown): Promise<void> => {
    try {
      const result = await run();
      outcomes[name] = typeof result === 'string' ? result : typeof result;
    } catch (error) {
      outcomes[name] = String(error);
    }
  };
  const settled = (target: EventTarget, good: string): Promise<string> =>
    new Promise((resolve) => {
      target.addEventListener(good, () => resolve(good));
      target.addEventListener('error', () => resolve('error'));
    });
  const element = (name: string, attributes: object): HTMLElement => {
    const made = Object.assign(document.createElement(name), attributes);
    document.head.append(made);
    return made;
  };
  const ways: Record<string, () => unknown> = {
    fetch: () => fetch(`${http}/fetch`, { method: 'POST', mode: 'no-cors', body: 'x' }),
    xhr: () => {
      const request = new XMLHttpRequest();
      request.open('GET', `${http}/xhr`, false);
      request.send();
    },
    beacon: () => navigator.sendBeacon(`${http}/beacon`, 'x'),
    socket: () => settled(new WebSocket(`${http.replace('http', 'ws')}/socket`), 'open'),
    events: () => settled(new EventSource(`${http}/events`), 'open'),
    worker: () => settled(new Worker(`${http}/worker.js`), 'message'),
    blobWorker: () => {
      const source = new Blob([`fetch('${http}/blob').then(() => postMessage('sent'), () => postMessage('refused'))`]);
      const worker = new Worker(URL.createObjectURL(source));
      return settled(worker, 'message');
    },
    serviceWorker: () => navigator.serviceWorker?.register('/no.js'),
    image: () => settled(Object.assign(new Image(), { src: `${http}/image` }), 'load'),
    script: () => settled(element('script', { src: `${http}/script.js` }), 'load'),
    style: () => settled(element('link', { rel: 'stylesheet', href: `${http}/style.css` }), 'load'),
    prefetch: () => void element('link', { rel: 'prefetch', href: `${http}/prefetch` }),
    preload: () => void element('link', { rel: 'preload', as: 'image', href: `${http}/preload` }),
    module: () => void element('link', { rel: 'modulepreload', href: `${http}/module.js` }),
    prerender: () =>
      void element('script', { type: 'speculationrules', text: `{"prerender":[{"urls":["${http}/rules"]}]}` }),
    icon: () => void element('link', { rel: 'icon', href: `${http}/icon.png` }),
    manifest: () => void element('link', { rel: 'manifest', href: `${http}/manifest` }),
    refresh: () => void element('meta', { httpEquiv: 'refresh', content: `0;url=${http}/refresh` }),
    inline: () => void element('style', { textContent: `body { background: url(${http}/inline) }` }),
    font: () => new FontFace('x', `url(${http}/font)`).load(),
    frame: () => document.body.append(Object.assign(document.createElement('iframe'), { src: `${http}/frame` })),
    object: () => document.body.append(Object.assign(document.createElement('object'), { data: `${http}/object` })),
    media: () => settled(Object.assign(document.createElement('video'), { src: `${http}/media` }), 'loadeddata'),
    form: () => {
      const form = Object.assign(document.createElement('form'), { action: `${http}/form`, method: 'post' });
      document.body.append(form);
      form.submit();
    },
    ping: () => {
      const link = Object.assign(document.createElement('a'), { href: '#', ping: `${http}/ping` });
      document.body.append(link);
      link.click();
    },
  };
  await Promise.all(
    Object.entries(ways).map(([name, run]) =>
      Promise.race([attempt(name, run), new Promise((done) => setTimeout(done, 5_000))]),
    ),
  );
  return outcomes;
}

it(`lets nothing out of the window by any way that a page has, ${runtime} (IP-04)`, async () => {
  await using tcp = await serveBytes((socket) => socket.end());
  const { page, popups } = await openProgram();
  const at = page.url();
  const outcomes = await page.evaluate(tryEveryWayOut, tcp.origin);
  // The attack took place: a page with no such policy answers otherwise.
  expect(outcomes['fetch']).toContain('Failed to fetch');
  // Chromium opens connections in advance for navigations that are then refused; not a byte goes over them.
  expect(tcp.received()).toBe('');
  expect(page.url().replace('#', '')).toBe(at);
  expect(popups()).toEqual([]);
});
