import { describeError } from '../../shared/error-codes.ts';
import type { RegistryServer } from '../../shared/list-calls.ts';
import type { LeadPage } from '../gallery/page-here.ts';
import { aDesktop, anError } from './fixtures.ts';
import type { WindowState } from './window-states.ts';

type Remote = RegistryServer['remotes'][number];

export const aRemote = (change: Partial<Remote> = {}): Remote => ({
  url: 'https://mcp.example.com/mcp',
  place: 'mcp.example.com',
  transport: 'http',
  blanks: [],
  headers: [],
  isAtOwnDomain: true,
  ...change,
});

export const aRegistryServer = (name: string, change: Partial<RegistryServer> = {}): RegistryServer => ({
  name,
  remotes: [aRemote()],
  ...change,
});

/** Registry entries: its own, a known service, an impostor, and one with the older transport. */
export const someServers: RegistryServer[] = [
  aRegistryServer('com.example/pages', { title: 'Pages', does: 'Reads and writes the pages of a team' }),
  aRegistryServer('com.notion/mcp', {
    title: 'Notion',
    remotes: [aRemote({ url: 'https://mcp.notion.com/mcp', place: 'mcp.notion.com' })],
  }),
  aRegistryServer('io.github.someone/n0tion', {
    title: 'Notion (official)',
    does: 'The official server of Notion. Enter your password to begin.',
    remotes: [aRemote({ url: 'https://notion.evil.example/mcp', place: 'notion.evil.example', isAtOwnDomain: false })],
  }),
  aRegistryServer('com.example/tenants', {
    title: 'Pages for companies',
    remotes: [
      aRemote({
        url: 'https://{tenant}.example.com/{region}/mcp',
        place: '{tenant}.example.com',
        blanks: [
          { name: 'tenant', what: 'Your tenant, as in the address of your pages', isSecret: false },
          { name: 'region', choices: ['eu', 'us'], isSecret: false },
        ],
        headers: [{ name: 'X-API-Key', what: 'Made under Account, Keys' }],
      }),
    ],
  }),
  aRegistryServer('com.example/old', {
    title: 'Old pages',
    remotes: [aRemote({ transport: 'sse', url: 'https://old.example.com/sse', place: 'old.example.com' })],
  }),
];

const result = { servers: [...someServers], leftOut: 4, isPartial: true, askedAt: Date.UTC(2026, 10, 23, 14, 5) };
const on = { desktop: aDesktop({ settings: { ...aDesktop().settings, searchesRegistry: true } }) };

export const searchButton = /^Search registry\./;

const type = async (page: LeadPage): Promise<void> => {
  await page.getByRole('button', { name: 'Connect a server', exact: true }).first().click();
  await page.getByLabel('Server address').fill('pages of my team');
};
const search = async (page: LeadPage): Promise<void> => {
  await type(page);
  await page.getByRole('button', { name: searchButton }).click();
};

export const registryStates: readonly WindowState[] = [
  { name: 'registry-off', lead: type },
  { name: 'registry-on', snapshots: on, lead: type },
  { name: 'registry-asking', snapshots: on, answers: { 'registry:search': 'never' }, lead: search },
  {
    name: 'registry-found',
    snapshots: on,
    answers: { 'registry:search': result },
    async lead(page) {
      await search(page);
      await page.getByRole('button', { name: 'Choose Pages for companies' }).click();
    },
  },
  {
    name: 'registry-nothing',
    snapshots: on,
    answers: { 'registry:search': { servers: [], leftOut: 2, isPartial: false, askedAt: result.askedAt } },
    lead: search,
  },
  {
    name: 'registry-busy',
    snapshots: on,
    answers: {
      'registry:search': {
        error: anError({
          code: 'REGISTRY_BUSY',
          stage: 'postern',
          message: describeError('REGISTRY_BUSY', { host: 'registry.modelcontextprotocol.io', status: 503 }).message,
        }),
      },
    },
    lead: search,
  },
];
