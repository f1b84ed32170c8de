import { describe, expect, it } from 'vitest';
import { trayTemplate, trayToolTip } from '../../../../../main/window/electron/tray-template.ts';

function open(serversNeedingUser: readonly { id: string; name: string }[], isPaused = false) {
  const done: string[] = [];
  const items = trayTemplate(
    { serversNeedingUser, isPaused },
    {
      open: () => void done.push('open'),
      openServer: (id) => void done.push(`server ${id}`),
      pause: (on) => void done.push(`pause ${on}`),
      quit: () => void done.push('quit'),
    },
  ).filter(({ type }) => type !== 'separator');
  for (const { click } of items) click?.({} as never, undefined, {});
  return { done, labels: items.map(({ label }) => label) };
}

describe('trayTemplate', () => {
  it('lists servers that need the user first, and opens the window at each', () => {
    const { done } = open([
      { id: 'a', name: 'A' },
      { id: 'b', name: 'B' },
    ]);
    expect(done).toEqual(['server a', 'server b', 'open', 'pause true', 'quit']);
  });

  it('resumes paused apps', () => {
    expect(open([], true).done).toEqual(['open', 'pause false', 'quit']);
  });

  it('lists a bounded number of servers, and opens the window for the rest', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ id: String(index), name: `Server ${index}` }));
    const { done, labels } = open(many);
    expect(labels).toHaveLength(12);
    expect(labels[8]).toContain('22');
    expect(done[8]).toBe('open');
  });

  it('escapes an &, which would mark an access key', () => {
    expect(open([{ id: 'a', name: 'Q & A' }]).labels[0]).toContain('Q && A');
  });
});

describe('trayToolTip', () => {
  const toolTip = (count: number, isPaused: boolean) =>
    trayToolTip({
      serversNeedingUser: Array.from({ length: count }, (_, id) => ({ id: String(id), name: 'canary' })),
      isPaused,
    });

  it('names Postern, how many servers need the user, and whether apps are paused', () => {
    const situations = [
      toolTip(0, false),
      toolTip(0, true),
      toolTip(1, false),
      toolTip(1, true),
      toolTip(2, false),
      toolTip(2, true),
    ];
    expect(new Set(situations).size).toBe(situations.length);
    for (const text of situations) expect(text).toMatch(/^Postern\b/u);
    expect(situations.map((text) => text.match(/\d+/gu)?.join() ?? '')).toEqual(['', '', '1', '1', '2', '2']);
    expect(situations.map((text) => /paused/u.test(text))).toEqual([false, true, false, true, false, true]);
  });

  it('names no server, because others may see it', () => {
    expect(toolTip(2, true)).not.toContain('canary');
  });
});
