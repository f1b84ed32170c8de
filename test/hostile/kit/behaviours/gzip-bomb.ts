import { gzipSync } from 'node:zlib';
import type { Behaviour } from '../honest-answers.ts';

const once = gzipSync(Buffer.alloc(50 * 1024 * 1024, ' '));
const twice = gzipSync(once);

/** 48 KB that would be 50 MB, though nobody asked for compression. */
export const gzipBomb: Behaviour = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(once);
};

/** The same packed once more: a few hundred bytes. */
export const doubleGzipBomb: Behaviour = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip, gzip' }).end(twice);
};
