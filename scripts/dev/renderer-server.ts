import { readFile } from 'node:fs/promises';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { createServer } from 'vite';
import type { Plugin } from 'vite';

const root = path.join(import.meta.dirname, '../..');
const htmlType = 'text/html; charset=utf-8';
const gallery = path.join(root, 'test/gallery');

export interface RendererServer {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves the renderer with hot reload on loopback, and its every state from fixtures at `/gallery`. */
export async function startRendererServer(port: number): Promise<RendererServer> {
  const server = await createServer({
    configFile: false,
    logLevel: 'warn',
    root: path.join(root, 'renderer'),
    cacheDir: path.join(root, 'node_modules/.vite-dev'),
    plugins: [react(), servePages({ '/gallery': 'gallery.html', '/gallery/state': 'state.html' })],
    optimizeDeps: { include: ['ivya'] },
    server: { host: '127.0.0.1', port, fs: { allow: [root] } },
  });
  await server.listen();
  const address = server.httpServer?.address();
  if (typeof address !== 'object' || address === null) throw new Error("the renderer's server has no port");
  return { origin: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}

/** Pages that are not part of Postern, so they are outside its folder. */
function servePages(pages: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'gallery',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const [place = ''] = (request.url ?? '').split('?');
        const file = pages[place];
        if (file === undefined) next();
        else void renderPage(place, file).then((html) => response.setHeader('content-type', htmlType).end(html), next);
      });
      const renderPage = async (place: string, file: string): Promise<string> => {
        const text = await readFile(path.join(gallery, file), 'utf8');
        return await server.transformIndexHtml(place, text.replaceAll('{{gallery}}', `/@fs${gallery}`));
      };
    },
  };
}
