import { expect, it } from 'vitest';
import { namesNewerEra } from '../../../../../main/gateway/server/revision-evidence.ts';

it.for([
  [{ supportedVersions: ['2025-11-25', '2026-07-28'] }, true],
  [{ supportedVersions: ['2027-01-01'] }, true],
  [{ supportedVersions: ['2025-11-25'] }, false],
  [{ supportedVersions: [] }, false],
  [{ supportedVersions: '2026-07-28' }, false],
  // Of a server that answers anything with anything.
  [{}, false],
  [undefined, false],
] as const)(
  'takes a server that answers `server/discover` with %j for one of the newer wire: %s',
  ([result, isNewer]) => {
    expect(namesNewerEra(result)).toBe(isNewer);
  },
);
