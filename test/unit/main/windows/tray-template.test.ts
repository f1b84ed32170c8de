import { describe, expect, it } from 'vitest';
import { trayTemplate, trayToolTip } from '../../../../main/windows/tray-template.ts';

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
    expect(labels[8]).toBe('22 more…');
    expect(done[8]).toBe('open');
  });

  it('shows an & as one, which would mark a key otherwise', () => {
    expect(open([{ id: 'a', name: 'Q & A' }]).labels[0]).toContain('Q && A');
  });
});

describe('trayToolTip', () => {
  it.each([
    [0, false, 'Postern: nothing needs you'],
    [1, false, 'Postern: 1 server needs you'],
    [2, true, 'Postern: programs are paused, 2 servers need you'],
    [0, true, 'Postern: programs are paused'],
  ])('says of %i servers, paused %s: %s', (count, isPaused, said) => {
    const needing = Array.from({ length: count }, (_, index) => ({ id: String(index), name: 'Name' }));
    expect(trayToolTip({ needing, isPaused })).toBe(said);
  });
});
