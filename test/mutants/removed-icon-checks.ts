import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const hostile = (title: string) => ['hostile', 'hostile/icons.test.ts', title] as const;

/** What keeps the picture of a server from the person, from other servers and from who decodes it. */
export const removedIconChecks: readonly Mutant[] = [
  removedCheck('icon-types', ['fetchIcon', '!types.has($size.type)', 'false'], hostile('IC-01')),
  removedCheck('icon-pixels', ['fetchIcon', '$size.width > bounds.side', 'false'], hostile('IC-02')),
  removedCheck('icon-text', ['chooseIcons', '$src.length > $bounds.text', 'false'], hostile('IC-03')),
  removedCheck('icon-origin', ['chooseIcons', '$url.origin !== new URL($server).origin', 'false'], hostile('IC-04')),
  removedCheck('icon-scheme', ['chooseIcons', '!/^https?:$/u.test($url.protocol)', 'false'], hostile('IC-04')),
  removedCheck(
    'icon-type-told',
    ['fetchIcon', 'isSameType($declared, $size.type) ? $bytes : undefined', '$bytes'],
    hostile('IC-07'),
  ),
  removedCheck('icon-status', ['fetchIcon', '$status === 200', '$status > 0'], hostile('IC-07')),
];
