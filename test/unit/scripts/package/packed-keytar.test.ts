import { expect, it } from 'vitest';
import { readNodeApi } from '../../../../scripts/package/packed-keytar.ts';

it.each([
  ['{ "variables": { "napi_build_version": "8", "target_arch": "x64" } }', 8],
  ['# Do not edit.\n{\n  "variables": {\n    "napi_build_version": 10\n  }\n}', 10],
  ['{ "variables": {} }', undefined],
])('reads the Node-API of keytar from %j', (config, version) => {
  expect(readNodeApi(config)).toBe(version);
});
