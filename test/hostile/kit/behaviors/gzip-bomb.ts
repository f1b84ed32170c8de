import { gzipSync } from 'node:zlib';
import type { Behavior } from '../honest-answers.ts';

const once = gzipSync(Buffer.alloc(50 * 1024 * 1024, ' '));
const twice = gzipSync(once);

/** 48 KB that expand to 50 MB, though compression was not requested. */
export const gzipBomb: Behavior = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(once);
};

/** Compressed twice: a few hundred bytes. */
export const doubleGzipBomb: Behavior = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip, gzip' }).end(twice);
};
