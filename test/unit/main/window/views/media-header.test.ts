import standardTypes from 'mime/types/standard.js';
import otherTypes from 'mime/types/other.js';
import { describe, expect, it } from 'vitest';
import { fileExtension } from '../../../../../main/window/views/media-header.ts';
import { picture } from '../../../../support/capabilities-server.ts';

const some = Buffer.from('some bytes');

describe('fileExtension', () => {
  it.each([
    ['text/csv', 'csv'],
    ['text/csv; charset=utf-8', 'csv'],
    ['TEXT/MARKDOWN', 'md'],
    ['application/json', 'json'],
    ['application/pdf', 'pdf'],
    ['audio/mpeg', 'mp3'],
    ['audio/wav', 'wav'],
    ['video/mp4', 'mp4'],
    ['application/zip', 'zip'],
    ['text/calendar', 'ics'],
    ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
    ['application/x-odd', 'bin'],
    ['application/octet-stream', 'bin'],
    ['', 'bin'],
    ['__proto__', 'bin'],
  ])('is, for %s, %s', (type, extension) => {
    expect(fileExtension(type, some)).toBe(extension);
  });

  it('follows the bytes of a picture, whatever its declared type', () => {
    expect(fileExtension('text/html', picture)).toBe('png');
  });

  it.each([
    ['text/html', 'html.txt'],
    ['text/javascript', 'js.txt'],
    ['image/svg+xml', 'svg.txt'],
    ['application/xhtml+xml', 'xhtml.txt'],
    ['application/x-msdownload', 'bin'],
    ['application/x-sh', 'bin'],
    ['application/java-archive', 'bin'],
    ['application/vnd.android.package-archive', 'bin'],
  ])('is never executable: %s', (type, extension) => {
    expect(fileExtension(type, some)).toBe(extension);
  });

  it('is one part, or ends in .txt, for every known type', () => {
    for (const type of Object.keys({ ...standardTypes, ...otherTypes }))
      expect(fileExtension(type, some)).toMatch(
        /^(?!.*(?:^|\.)(?:exe|bat|cmd|com|msi|scr|jar|html?|js|sh|ps1)$)[a-z0-9-]+(?:\.txt)?$/u,
      );
  });
});
