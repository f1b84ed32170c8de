import type { Page } from 'playwright-core';
import type { ProgramPreview, ProgramView } from '../../shared/program-view.ts';

export function aProgram(change: Partial<ProgramView> = {}): ProgramView {
  return {
    id: 'cursor',
    name: 'Cursor',
    path: '/home/ada/.cursor/mcp.json',
    uses: ['linear', 'github'],
    isRevoked: false,
    lastChange: { id: '0123456789ab', at: Date.UTC(2026, 10, 20, 9, 30), names: ['github-work'] },
    ...change,
  };
}

/** One of every state, and what a long path does. */
export function somePrograms(): ProgramView[] {
  const without = { uses: [], lastChange: undefined };
  return [
    aProgram({ id: 'claude-code', name: 'Claude Code', path: '/home/ada/.claude.json', uses: ['linear'] }),
    aProgram(),
    aProgram({ id: 'windsurf', name: 'Windsurf', ...without, isRevoked: true }),
    aProgram({
      id: 'zed',
      name: 'Zed',
      path: `/home/ada/${'a-folder-with-a-long-name/'.repeat(6)}settings.json`,
      ...without,
    }),
  ];
}

export function aPreview(change: Partial<ProgramPreview> = {}): ProgramPreview {
  return {
    id: 'a-preview',
    action: 'updated',
    path: '/home/ada/.config/zed/settings.json',
    before: [],
    after: [
      '"linear": {',
      '  "command": "/usr/lib/postern/postern-pipe",',
      '  "args": ["--profile-folder", "/home/ada/.config/Postern", "linear", "--program", "0123456789abcdef"]',
      '}',
    ],
    commands: [],
    restores: false,
    notice: 'restart',
    ...change,
  };
}

/** Switches the first server on for a program that uses none, and waits for the preview. */
export async function previewProgram(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Programs', exact: true }).click();
  await page.getByRole('button', { name: 'Zed' }).click();
  await page.getByRole('checkbox', { name: 'Linear' }).click();
  await page.getByRole('dialog').waitFor();
}
