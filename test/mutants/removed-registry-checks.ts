import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const hostile = (title: string) => ['hostile', 'hostile/registry.test.ts', title] as const;
const contract = (title: string) => ['contract', 'contract/registry.test.ts', title] as const;

/** What keeps a registry, and whoever publishes there, from the person and from other servers. */
export const removedRegistryChecks: readonly Mutant[] = [
  removedCheck(
    'registry-asked-unasked',
    ['registryHandlers', "if (!$on) throw new PosternError('REGISTRY_OFF', { stage: 'app' });", ''],
    contract('MR-01'),
  ),
  removedCheck(
    'registry-redirects',
    ['RegistrySearch', "redirects: 'same-origin'", "redirects: 'none'"],
    contract('MR-02'),
  ),
  removedCheck(
    'registry-address-in-the-window',
    ['changeSettings', "if (typeof $registry === 'string') openRegistry($registry);", ''],
    contract('MR-03'),
  ),
  removedCheck(
    'registry-bytes',
    ['RegistrySearch', 'bodyLimit: registrySearch.bodyBytes', 'bodyLimit: 16_777_216'],
    hostile('MR-04'),
  ),
  removedCheck('registry-pages', ['RegistrySearch', '$pages < registrySearch.pages', '$pages < 12'], hostile('MR-05')),
  removedCheck(
    'registry-names',
    ['readPage', '$name.regex(/^[A-Za-z0-9.-]+\\/[A-Za-z0-9._-]+$/u)', '$name'],
    hostile('MR-07'),
  ),
  removedCheck(
    'registry-address-length',
    ['readRemote', 'url: z.string().max(urlLength.received)', 'url: z.string()'],
    hostile('MR-07'),
  ),
  removedCheck(
    'registry-value-length',
    [
      'describeRemote',
      'inputOf($remote, $name)?.value?.slice(0, urlLength.received + 1)',
      'inputOf($remote, $name)?.value',
    ],
    hostile('MR-07'),
  ),
  removedCheck(
    'registry-deleted-entries',
    ['readPage', "return $status === 'active' && $latest;", 'return true;'],
    hostile('MR-07'),
  ),
  removedCheck(
    'registry-hosts-inside',
    ['describeRemote', 'if ($inside && !$registry.isOwn) return undefined;', ''],
    hostile('MR-09'),
  ),
  removedCheck(
    'registry-end-of-a-domain',
    ['authorityOf', '/^https?:\\/\\/([^/?#\\\\]*)/iu', '/^https?:\\/\\/([^/]*)/iu'],
    hostile('MR-08'),
  ),
  removedCheck('registry-blanks-in-a-domain', ['describeRemote', '!isFillable($template)', 'false'], hostile('MR-08')),
  removedCheck(
    'registry-unencrypted-servers',
    [
      'describeRemote',
      "return $url.protocol === 'https:' || ($kind === 'loopback' && $registry.isOwn) ? $url : undefined;",
      'return $url;',
    ],
    hostile('MR-08'),
  ),
  removedCheck(
    'registry-titles',
    ['describeServer', '$title && isPlain($title) && { title: $title }', '{ title: $title }'],
    hostile('MR-10'),
  ),
  removedCheck(
    'registry-descriptions',
    ['describeServer', "displayText($published.description ?? '', registryEntry.text)", "$published.description ?? ''"],
    hostile('MR-10'),
  ),
  removedCheck('registry-domains', ['describeRemote', 'registrableDomain($url.hostname)', '$domain'], hostile('MR-11')),
  removedCheck(
    'registry-headers',
    ['describeRemote', '$headers.slice(0, registryEntry.headers)', '$headers'],
    hostile('MR-12'),
  ),
];
