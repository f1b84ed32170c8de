import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/**
 * Reports phrases that read as translated. Usage:
 * `npx node scripts/find-old-voice.ts [--list] [PATH…]`; `--list` prints every line. Exits with 1 at one or more marks
 * in 1,000 lines. Not part of the tests: some marks are right where they are.
 */
const marks: readonly RegExp[] = [
  /\bwhoever\b/iu,
  /\bsomebody\b(?! else)/iu,
  /\bthe person\b|\ba person\b|\bperson's\b|\bpersons\b/iu,
  /\bstands? (?:in|there|at|for itself|beside)\b|\bstood (?:in|there)\b/iu,
  /\b(?:of ours|of yours|of theirs)\b/iu,
  /\bnothing of\b/iu,
  /\bby itself\b|\bby themselves\b/iu,
  /\ba yes\b|\b(?:says?|said) (?:yes|no)\b|\bone yes\b|\btheir yes\b|\bits yes\b/iu,
  /\bkept\b/u,
  /\bgives? (?:it |them )?back\b|\bgave back\b|\bgiveBack/u,
  /\btakes? (?:it |them )?back\b|\btook back\b/iu,
  /\bwires?\b(?! format)/iu,
  /\btold apart\b|\btells? apart\b/iu,
  /\bis told\b|\bare told\b|\bbe told\b|\bwas told\b/iu,
  /\bunder way\b|\bunderWay\b|isUnderWay/u,
  /\bin the middle of\b/iu,
  /\bas far as (?:it|they|that|one) /iu,
  /\bin the place of\b|\bin its place\b|\bin their place\b/iu,
  /\bwhat (?:is|was) (?:there|kept|said|asked)\b/iu,
  /\ball the same\b/iu,
  /\bfurther (?:ones?|one of)\b/iu,
  /\bways? (?:out|round)\b|\bwayOut|\bwayRound|\bwaysRound/u,
  /\bmends?\b|\bmended\b/iu,
  /\bglances?\b|\bglanceAt/iu,
  /\bUntold\b|\bBystanders?\b|\bBehind\b/u,
  /\bAI programs?\b/u,
  /\bprograms? of (?:a|the) (?:person|user)\b/iu,
  /\bpractice server\b/iu,
  /\blately\b/iu,
  /\blooked at\b|\blooks? at\b/iu,
  /\bis let through\b|\blets? through\b|\blet through\b/iu,
  /\bgoes on\b|\bgo on\b|\bgoing on\b|\bisGoingOn\b/u,
  /\bspeaks? of\b|\bspoke of\b/iu,
  /\bsay(?:s|ing)? nothing of\b|\bsaid nothing of\b/iu,
  /\bof no (?:use|file|server|app)\b/iu,
  /\bwhat comes\b|\bwhat came\b/iu,
  /\bthe access\b(?! (?:token|policy|list))/iu,
  /\bthe like\b|\btheir kind\b|\bits kind\b/iu,
  /\bnewer (?:era|wire)\b|\bolder (?:era|wire)\b|\bEra\b/u,
  /\bunasked\b/iu,
  /\bhence\b|\bthereof\b|\btherein\b|\bwherefrom\b/iu,
  /\bfor ever\b/iu,
  /\banew\b/iu,
  /\bleads? nowhere\b/iu,
  /\bmay be meant\b|\bis meant\b|\bwas meant\b/iu,
  /\bat its end\b|\bat their end\b/iu,
  /\bhow it is with\b/iu,
  /\bnot understood\b/iu,
  /\btakes? the place\b/iu,
  /\bdoes without\b|\bdo without\b/iu,
  /\bin vain\b/iu,
];

const words = process.argv.slice(2);
const paths = words.filter((word) => !word.startsWith('--'));
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...paths], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:tsx?|rs|css|md)$/u.test(file) && file !== 'scripts/find-old-voice.ts' && existsSync(file))
  .filter((file) => !file.startsWith('shared/words/de/'));
let lines = 0;
const counts = new Map<RegExp, number>();
const byFile = new Map<string, number>();
for (const file of files) {
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    lines += 1;
    for (const mark of marks) {
      if (!mark.test(line)) continue;
      counts.set(mark, (counts.get(mark) ?? 0) + 1);
      byFile.set(file, (byFile.get(file) ?? 0) + 1);
      if (words.includes('--list')) console.log(`${file}:${index + 1}: ${line.trim()}`);
    }
  }
}
const descending = <Key>(map: ReadonlyMap<Key, number>) => [...map].toSorted(([, one], [, other]) => other - one);
const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
for (const [mark, count] of descending(counts).slice(0, 25))
  console.log(`${String(count).padStart(6)}  ${mark.source}`);
for (const [file, count] of descending(byFile).slice(0, 15)) console.log(`${String(count).padStart(6)}  ${file}`);
const rate = (total / lines) * 1_000;
console.log(`${total} marks in ${lines} lines of ${files.length} files: ${rate.toFixed(2)} in 1,000 lines`);
process.exitCode = rate < 1 ? 0 : 1;
