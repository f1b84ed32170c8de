import { expect, it } from 'vitest';
import { channelOf } from '../../../../main/engine/installation.ts';

it.each([
  [false, '1.0.0', 'dev'],
  [false, '1.0.0-beta.1', 'dev'],
  [true, '1.0.0', 'stable'],
  [true, '1.0.0-beta.1', 'beta'],
])('keeps builds apart by their channel: packaged %s, version %s is %s', (packaged, version, channel) => {
  expect(channelOf({ packaged, version })).toBe(channel);
});
