import path from 'node:path';
import { expect, it } from 'vitest';
import { removeForeignAppImage } from '../../../../../../main/window/start/system/foreign-app-image.ts';

const mount = path.resolve('/tmp/.mount_PosterAb12');

it.each([
  ['its own', { APPIMAGE: '/home/me/Postern.AppImage', APPDIR: mount }, path.join(mount, 'resources'), true],
  ['that of a terminal around it', { APPIMAGE: '/home/me/Editor.AppImage', APPDIR: mount }, '/opt/Postern', false],
  ['one beside it', { APPIMAGE: '/home/me/Editor.AppImage', APPDIR: mount }, `${mount}4/resources`, false],
  ['one without a folder', { APPIMAGE: '/home/me/Editor.AppImage' }, '/opt/Postern/resources', false],
])('takes the AppImage for its own only where it is in it: %s', (_whose, variables, resources, isOwn) => {
  const env: NodeJS.ProcessEnv = { ...variables };
  removeForeignAppImage(env, resources);
  expect('APPIMAGE' in env).toBe(isOwn);
});
