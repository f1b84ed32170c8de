import { describe, expect, it } from 'vitest';
import { trayTemplate, trayToolTip } from '../../../../../main/window/electron/tray-template.ts';

function open(needing: readonly { id: string; name: string }[], isPaused = false) {
  const done: string[] = [];
  const items = trayTemplate(
    { needing, isPaused },
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
  it('has the servers that need the person first, each of which opens the window there', () => {
    const { done } = open([
      { id: 'a', name: 'A' },
      { id: 'b', name: 'B' },
    ]);
    expect(done).toEqual(['server a', 'server b', 'open', 'pause true', 'quit']);
  });

  it('resumes what is paused', () => {
    expect(open([], true).done).toEqual(['open', 'pause false', 'quit']);
  });

  it('names no more servers than fit, and opens the window for the others', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ id: String(index), name: `Server ${index}` }));
    const { done, labels } = open(many);
    expect(labels).toHaveLength(12);
    expect(labels[8]).toContain('22');
    expect(done[8]).toBe('open');
  });

  it('shows an & as one, which would mark a key otherwise', () => {
    expect(open([{ id: 'a', name: 'Q & A' }]).labels[0]).toContain('Q && A');
  });
});

describe('trayToolTip', () => {
  const say = (count: number, isPaused: boolean) =>
    trayToolTip({ needing: Array.from({ length: count }, (_, id) => ({ id: String(id), name: 'canary' })), isPaused });

  it('says which program it is of, how many servers need the person, and that programs are paused', () => {
    const situations = [say(0, false), say(0, true), say(1, false), say(1, true), say(2, false), say(2, true)];
    expect(new Set(situations).size).toBe(situations.length);
    for (const said of situations) expect(said).toMatch(/^Postern\b/u);
    expect(situations.map((said) => said.match(/\d+/gu)?.join() ?? '')).toEqual(['', '', '1', '1', '2', '2']);
    expect(situations.map((said) => /paused/u.test(said))).toEqual([false, true, false, true, false, true]);
  });

  it('names no server, since others may look on', () => {
    expect(say(2, true)).not.toContain('canary');
  });
});
