import path from 'node:path';
import { writeProfile } from '../../support/write-profile.ts';
import type { BenchRuntime } from './bench-runtime.ts';

export interface ListFrames {
  /** 95th percentile of the time between two frames, milliseconds. */
  readonly many: number;
  readonly empty: number;
  /** The longest time between two frames with 1,000 servers, milliseconds. */
  readonly longest: number;
}

/** Scrolling and filtering 1,000 servers, and the same over an empty list; the best of `rounds`. */
export async function measureListFrames(
  runtime: BenchRuntime,
  built: string,
  folder: string,
  rounds: number,
): Promise<ListFrames> {
  const measured: Record<'many' | 'empty', Frames[]> = { many: [], empty: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, count] of [['empty', 0] as const, ['many', 1_000] as const]) {
      const profile = path.join(folder, `list-${name}-${round}`);
      writeProfile(profile, count);
      await using window = await runtime.launch(built, profile);
      const page = await window.page('app://postern/index.html');
      await page.locator('.frame').waitFor();
      if (count > 0) await page.locator('.integration-row').first().waitFor();
      measured[name].push(await page.evaluate(scrollAndFilter));
    }
  }
  const best = (frames: readonly Frames[], key: keyof Frames): number => Math.min(...frames.map((each) => each[key]));
  const { many, empty } = measured;
  return { many: best(many, 'usual'), empty: best(empty, 'usual'), longest: best(many, 'longest') };
}

interface Frames {
  /** 95th percentile. */
  readonly usual: number;
  readonly longest: number;
}

/** Runs in the page: one step in each of 400 frames. */
async function scrollAndFilter(): Promise<Frames> {
  const search = document.querySelector<HTMLInputElement>('#search');
  if (!search) throw new Error('there is nothing to filter with');
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  const type = (text: string): void => {
    setValue?.call(search, text);
    search.dispatchEvent(new InputEvent('input', { bubbles: true }));
  };
  const words = ['', 's', 'se', 'server 7', 'server 77', 'server 7', 'mcp', ''];
  const times: number[] = [];
  for (let step = 0; step < 400; step += 1) {
    times.push(await new Promise(requestAnimationFrame));
    const list = document.querySelector('.integration-list');
    if (step < 240) list?.scrollBy(0, step % 60 < 30 ? 400 : -250);
    else if (step % 10 === 0) type(words[(step / 10) % words.length] ?? '');
  }
  const frames = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const usual = frames.toSorted((a, b) => a - b)[Math.floor(frames.length * 0.95)] ?? NaN;
  return { usual, longest: Math.max(...frames) };
}
