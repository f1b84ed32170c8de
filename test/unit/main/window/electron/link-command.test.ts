import { mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { manualLinkCommand, linkCommand } from '../../../../../main/window/electron/link-command.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const launcher = '/Applications/Postern.app/Contents/Resources/bin/postern';

describe('linkCommand', () => {
  it('creates the link and its folder', () => {
    const link = path.join(temporaryFolder(), 'local/bin/postern');
    expect(linkCommand(launcher, link)).toBe('linked');
    expect(readlinkSync(link)).toBe(launcher);
    expect(linkCommand(launcher, link)).toBe('linked');
  });

  it('replaces the link of an earlier installation', () => {
    const link = path.join(temporaryFolder(), 'postern');
    symlinkSync('/Users/me/Applications/Postern.app/Contents/Resources/bin/postern', link);
    expect(linkCommand(launcher, link)).toBe('linked');
    expect(readlinkSync(link)).toBe(launcher);
  });

  it('leaves foreign files alone', () => {
    const folder = temporaryFolder();
    const [file, other] = [path.join(folder, 'file'), path.join(folder, 'other')];
    writeFileSync(file, 'mine');
    symlinkSync('/usr/bin/true', other);
    expect([linkCommand(launcher, file), linkCommand(launcher, other)]).toEqual(['occupied', 'occupied']);
    expect([readFileSync(file, 'utf8'), readlinkSync(other)]).toEqual(['mine', '/usr/bin/true']);
  });

  it('reports that it cannot write', () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'bin'), '');
    expect(linkCommand(launcher, path.join(folder, 'bin/sub/postern'))).toBe('not-allowed');
    mkdirSync(path.join(folder, 'taken'));
    expect(linkCommand(launcher, path.join(folder, 'taken'))).toBe('occupied');
  });

  it('quotes any path in the command for a terminal', () => {
    expect(
      manualLinkCommand("/Users/o'hara/Postern.app/Contents/Resources/bin/postern", '/usr/local/bin/postern'),
    ).toBe(
      "sudo mkdir -p /usr/local/bin && sudo ln -sf '/Users/o'\\''hara/Postern.app/Contents/Resources/bin/postern' /usr/local/bin/postern",
    );
  });
});
