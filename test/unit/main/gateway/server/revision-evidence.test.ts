import { expect, it } from 'vitest';
import { listsStatelessRevision } from '../../../../../main/gateway/server/revision-evidence.ts';

it.for([
  [{ supportedVersions: ['2025-11-25', '2026-07-28'] }, true],
  [{ supportedVersions: ['2027-01-01'] }, true],
  [{ supportedVersions: ['2025-11-25'] }, false],
  [{ supportedVersions: [] }, false],
  [{ supportedVersions: '2026-07-28' }, false],
  // From a server that answers every request with something arbitrary.
  [{}, false],
  [undefined, false],
] as const)(
  'infers from the `server/discover` result %j whether the server is stateless: %s',
  ([result, isStateless]) => {
    expect(listsStatelessRevision(result)).toBe(isStateless);
  },
);
