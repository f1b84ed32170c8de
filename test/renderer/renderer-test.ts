import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Snapshots } from '../../shared/snapshots.ts';
import { buildRenderer } from './build-renderer.ts';
import { anApp } from './fixtures.ts';
import { someIntegrations } from './list-fixtures.ts';
import { launchBrowser, openRenderer } from './open-renderer.ts';
import type { OpenedRenderer, RendererOptions } from './open-renderer.ts';

type Setup = Partial<Omit<RendererOptions, 'snapshots'>> & { readonly snapshots?: Partial<Snapshots> };

/** Builds the renderer and starts a browser once a file; answers how to run something in a window of its own. */
export function useRenderer(): (setup: Setup, work: (opened: OpenedRenderer) => Promise<void>) => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-renderer-'));
  let browser: Browser | undefined;
  beforeAll(async () => {
    await buildRenderer(folder);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return async ({ snapshots, ...options }, work) => {
    if (browser === undefined) throw new Error('the browser did not start');
    const whole = { app: anApp(), integrations: someIntegrations(), connections: [], ...snapshots };
    const opened = await openRenderer(browser, folder, { ...options, snapshots: whole });
    try {
      await work(opened);
      // Nothing may be refused by the content security policy, and nothing thrown.
      expect(opened.complaints).toEqual([]);
    } finally {
      await opened.close();
    }
  };
}
