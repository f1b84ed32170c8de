import { Mime } from 'mime';
import otherTypes from 'mime/types/other.js';
import standardTypes from 'mime/types/standard.js';
import { readPictureSize } from './media-header.ts';

/** Of several endings for one type the one that people know. */
const types = new Mime(standardTypes, otherTypes).define({ 'audio/mpeg': ['mp3'], 'audio/ogg': ['ogg'] }, true);

/** Endings that a system runs, opens in a browser as a page with scripts, installs, or follows elsewhere. */
const runnable: ReadonlySet<string> = new Set(
  `ade adp apk apkg app appcache application appx bash bat bin cab cco chm class cmd com command cpl crx csh deb dll dmg
  docm dotm ear exe exec gadget hlp hta htm html inf ins iso ista jar jardiff jnlp job js jse jsx ksh lnk lua mde mht mhtml
  mjs mpkg msc msh msi msix msp mst ocx ops php pif pkg pl pm potm ppam ppsm pptm prg ps1 psm1 py pyc pyw rb reg rpm run
  scf scpt scr sct sh shb shs shtml sldm so svg svgz swf sys tcl tk url vb vbe vbs vsto war wasm webloc workflow ws wsc
  wsf wsh xap xbap xht xhtml xlam xlsb xlsm xltm xml xpi xps xsl xslt zsh desktop appimage`.split(/\s+/u),
);

/**
 * How the file of a result that is no text ends. Its type is a server's word, so an ending that a system runs is not
 * given: what is text then ends in `.txt`, all else is `bin`.
 */
export function fileExtension(mimeType: string, bytes: Buffer): string {
  const picture = readPictureSize(bytes);
  if (picture) return picture.type.slice('image/'.length);
  const ending = types.getExtension(mimeType);
  if (ending === null || !/^[a-z0-9-]{1,20}$/u.test(ending)) return 'bin';
  if (!runnable.has(ending)) return ending;
  return /^text\/|[+/](?:xml|json|yaml|javascript)$/u.test(bare(mimeType)) ? `${ending}.txt` : 'bin';
}

/** Without parameters (RFC 9110 section 8.3.1). */
function bare(mimeType: string): string {
  return (mimeType.split(';')[0] ?? '').trim().toLowerCase();
}
