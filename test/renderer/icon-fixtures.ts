import type { Snapshots } from '../../shared/ipc-event.ts';
import { someIntegrations } from './list-fixtures.ts';
import type { Answers } from './open-renderer.ts';

/** A server icon: 32 × 32 px, a disk on a transparent background, in base64. */
export const aServerPicture =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgAgMAAAAOFJJnAAAADFBMVEUAAABGPL7/vjzw8PDXQgUFAAAABHRSTlMA////sy1AiAAAAJpJREFUeNpN0DESgjAQheFQpLSk9iocgYKVGZv0VlzGI1jwLDwCp+AS1qahML7N7ghp+Cb7D8MSwuGI2LMVGfzCrk6KnjgrdJZWn6UMKJr0BR7ShTgWYGYdpbw5UyxbRXt5MboPxLM4wMjAyMDIwMjAyLFsRBQwqm8Go4obo7UPjVwZ5U6/HUjZlxizrSXyIaJiOi64r/z/CXZ+955dIbdKMV8AAAAASUVORK5CYII=';

export const withPictures: Answers = {
  'integration:icon': { data: aServerPicture },
  'app:icon': { data: aServerPicture },
};

/** Servers, every other one with an icon. */
export function pictured(): Partial<Snapshots> {
  const icons = { light: '00000000000000aa', dark: '00000000000000bb' };
  const integrations = someIntegrations().map((each, index) => (index % 2 === 0 ? { ...each, icons } : each));
  return { integrations };
}
