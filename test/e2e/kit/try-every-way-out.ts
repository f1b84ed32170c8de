export interface WaysOut {
  /** Of a listener on 127.0.0.1. */
  readonly tcp: number;
  /** Names that need a DNS lookup. */
  readonly domain: string;
}

/**
 * Tries every way a page can load or send something, except WebRTC and navigation. Resolves with the outcome of each
 * once all have one. Serialized into pages.
 */
export async function tryEveryWayOut({ tcp, domain }: WaysOut): Promise<Record<string, string>> {
  const http = `http://127.0.0.1:${tcp}`;
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
    importScripts: () => {
      const source = new Blob([`try { importScripts('${http}/imported.js') } catch {} postMessage('over')`]);
      return settled(new Worker(URL.createObjectURL(source)), 'message');
    },
    transport: async () => {
      const transport = new WebTransport(`https://127.0.0.1:${tcp}/transport`);
      transport.closed.catch(() => {});
      await transport.ready;
    },
    image: () => settled(Object.assign(new Image(), { src: `${http}/image` }), 'load'),
    script: () => settled(element('script', { src: `${http}/script.js` }), 'load'),
    style: () => settled(element('link', { rel: 'stylesheet', href: `${http}/style.css` }), 'load'),
    lookUp: () => void element('link', { rel: 'dns-prefetch', href: `http://prefetch.${domain}/` }),
    lookUpForLink: () => {
      document.head.append(
        Object.assign(document.createElement('meta'), { httpEquiv: 'x-dns-prefetch-control', content: 'on' }),
      );
      document.body.append(Object.assign(document.createElement('a'), { href: `http://link.${domain}/` }));
    },
    connectByName: () => void element('link', { rel: 'preconnect', href: `http://preconnect.${domain}:${tcp}` }),
    connect: () => void element('link', { rel: 'preconnect', href: http }),
    prefetch: () => void element('link', { rel: 'prefetch', href: `${http}/prefetch` }),
    preload: () => void element('link', { rel: 'preload', as: 'image', href: `${http}/preload` }),
    module: () => void element('link', { rel: 'modulepreload', href: `${http}/module.js` }),
    prerender: () =>
      void element('script', { type: 'speculationrules', text: `{"prerender":[{"urls":["${http}/rules"]}]}` }),
    icon: () => void element('link', { rel: 'icon', href: `${http}/icon.png` }),
    manifest: () => void element('link', { rel: 'manifest', href: `${http}/manifest` }),
    inline: () => void element('style', { textContent: `body { background: url(${http}/inline) }` }),
    font: () => new FontFace('x', `url(${http}/font)`).load(),
    frame: () => document.body.append(Object.assign(document.createElement('iframe'), { src: `${http}/frame` })),
    object: () => document.body.append(Object.assign(document.createElement('object'), { data: `${http}/object` })),
    media: () => settled(Object.assign(document.createElement('video'), { src: `${http}/media` }), 'loadeddata'),
    open: () => void window.open(`${http}/open`),
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
  await Promise.all(Object.entries(ways).map(([name, run]) => attempt(name, run)));
  return outcomes;
}

/** Tries every navigation that needs no user; the first that works ends the page. */
export function tryToLeave({ tcp }: Pick<WaysOut, 'tcp'>): void {
  const http = `http://127.0.0.1:${tcp}`;
  document.head.append(
    Object.assign(document.createElement('meta'), { httpEquiv: 'refresh', content: `0;url=${http}/refresh` }),
  );
  document.body.append(Object.assign(document.createElement('iframe'), { src: `${http}/leaving` }));
  setTimeout(() => location.assign(`${http}/navigate`));
}
