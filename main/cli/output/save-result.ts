import { accessSync, constants, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileExtension } from '../../desktop/views/file-extension.ts';
import { PosternError } from '../../postern-error.ts';
import { optionValue } from '../options/option-values.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import { UsageError } from '../options/usage-error.ts';
import { printableLine } from '../text/printable.ts';
import { type Piece, unchangedPieces } from './result-pieces.ts';

/** Where `--output` puts an answer. */
export interface SaveTarget {
  readonly place: string;
  readonly isFolder: boolean;
}

/** A piece that has its file. */
export interface SavedPiece {
  readonly piece: Piece;
  readonly file: string;
  readonly size: number;
}

/** Names that are tried in one folder. */
const mostNames = 10_000;

/**
 * Looked at before anything is sent: a tool may do its work only once. A name with `/` at its end is a folder, which
 * is made. Errors: USAGE.
 */
export function saveTarget(args: ParsedArguments): SaveTarget | undefined {
  const place = optionValue(args, 'output');
  if (place === undefined) return undefined;
  const found = statSync(place, { throwIfNoEntry: false });
  const namesFolder = /[/\\]$/u.test(place);
  const target = { place, isFolder: found?.isDirectory() ?? namesFolder };
  if (found && namesFolder && !found.isDirectory())
    throw new UsageError(`--output: ${shown(place)} is no folder.`, args.command);
  if (target.isFolder && !found) return target;
  try {
    accessSync(found ? place : path.dirname(path.resolve(place)), constants.W_OK);
  } catch {
    throw new UsageError(`--output: ${shown(place)} cannot be written.`, args.command);
  }
  return target;
}

/**
 * Into a folder each piece goes by itself, under `name` with a number, over nothing that is there; into a file the
 * first piece that is not text (others beside it, with a number), or all the text. Errors: OUTPUT_FAILED.
 */
export async function savePieces(
  target: SaveTarget,
  name: string,
  pieces: readonly Piece[],
): Promise<readonly SavedPiece[]> {
  try {
    if (target.isFolder) {
      await mkdir(target.place, { recursive: true });
      const saved: SavedPiece[] = [];
      for (const piece of pieces) {
        if (piece.kind !== 'link') saved.push(await saveBeside(piece, target.place, plainName(name)));
      }
      return saved;
    }
    const [first, ...more] = pieces.filter(({ kind }) => kind === 'bytes');
    if (!first) {
      const bytes = Buffer.concat(unchangedPieces(pieces).map((piece) => Buffer.from(piece as string)));
      await writeFile(target.place, bytes);
      return pieces.map((piece) => ({ piece, file: target.place, size: bytes.length }));
    }
    const bytes = bytesOf(first);
    await writeFile(target.place, bytes);
    const saved: SavedPiece[] = [{ piece: first, file: target.place, size: bytes.length }];
    const { dir, name: stem } = path.parse(target.place);
    for (const piece of more) saved.push(await saveBeside(piece, dir === '' ? '.' : dir, stem, 2));
    return saved;
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    const detail = { file: shown(target.place), ...(reason !== undefined && { reason }) };
    throw new PosternError('OUTPUT_FAILED', { stage: 'app', cause: error, detail });
  }
}

async function saveBeside(piece: Piece, folder: string, stem: string, from = 1): Promise<SavedPiece> {
  const bytes = bytesOf(piece);
  const extension = piece.kind === 'bytes' ? fileExtension(piece.mimeType, bytes) : 'txt';
  for (let number = from; number < mostNames; number += 1) {
    const file = path.join(folder, `${stem}-${number}.${extension}`);
    try {
      await writeFile(file, bytes, { flag: 'wx' });
      return { piece, file, size: bytes.length };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  throw Object.assign(new Error('no name is free'), { code: 'EEXIST' });
}

function bytesOf(piece: Piece): Buffer {
  if (piece.kind === 'bytes') return Buffer.from(piece.base64, 'base64');
  return piece.kind === 'text' ? (piece.bytes ?? Buffer.from(piece.text)) : Buffer.from(piece.uri);
}

/** What was typed, as the beginning of a file's name that leads nowhere else. */
function plainName(name: string): string {
  return name.replaceAll(/[^\w-]+/gu, '_').slice(0, 60) || 'answer';
}

function shown(place: string): string {
  return `“${printableLine(place, 200)}”`;
}
