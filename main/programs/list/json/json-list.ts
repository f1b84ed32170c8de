import type { Node } from 'jsonc-parser';
import type { EntryList, FileContent } from '../entry-list.ts';
import { asDamage, ListFault } from '../list-fault.ts';
import type { Program } from '../../table/program.ts';
import { cut, indentationAt, insert, lineEnd } from '../text-edit.ts';
import { addMember, indentUnit, renderMember, renderValue } from './json-insertion.ts';
import { spansOfMember } from './json-removal.ts';
import { membersOf, parseJsonTree, valueOf } from './json-tree.ts';
import type { Member } from './json-tree.ts';

/** A list in an object of JSON, with or without comments, that is a member of the root. */
export function jsonList({
  list,
  format,
  trailingCommas,
}: Pick<Program, 'list' | 'format' | 'trailingCommas'>): EntryList {
  const rules = { comments: format === 'jsonc', trailingCommas };

  function open(text: string) {
    const root = parseJsonTree(text, rules);
    if (root === undefined) return {};
    const [member, ...others] = membersOf(root).filter(({ name }) => name === list);
    const entries = member && membersOf(member.value);
    // Of two the program reads one, and it is not said which.
    const isTwice = entries !== undefined && new Set(entries.map(({ name }) => name)).size < entries.length;
    if (others.length > 0 || isTwice) throw new ListFault('layout');
    return { root, member, entries };
  }

  function find(text: string, name: string): { root: Node; member: Member; entry: Member } {
    const { root, member, entries } = open(text);
    const entry = entries?.find((each) => each.name === name);
    if (!root || !member || !entry) throw new ListFault('layout');
    return { root, member, entry };
  }

  return {
    read(text): FileContent {
      const { root, entries } = open(text);
      const others = (root ? membersOf(root) : []).filter(({ name }) => name !== list);
      return asDamage(() => ({
        rest: others.map(pairOf),
        entries: entries?.map(pairOf),
      }));
    },

    add(text, name, entry) {
      const { root, member } = open(text);
      const end = lineEnd(text);
      if (!root) {
        const only = renderMember(list, { [name]: entry }, { indentation: '  ', unit: '  ', end });
        return { text: `${text}{${end}  ${only}${end}}${end}`, made: 'all' };
      }
      if (!member) return { text: insert(text, addMember(text, root, list, { [name]: entry })), made: 'list' };
      return { text: insert(text, addMember(text, member.value, name, entry)), made: 'entry' };
    },

    replace(text, name, entry) {
      const { value } = find(text, name).entry;
      const end = value.offset + value.length;
      const isOnOneLine = !/[\r\n]/.test(text.slice(value.offset, end));
      const layout = { indentation: indentationAt(text, value.offset), unit: indentUnit(text), end: lineEnd(text) };
      const rendered = isOnOneLine ? JSON.stringify(entry) : renderValue(entry, layout);
      return text.slice(0, value.offset) + rendered + text.slice(end);
    },

    remove(text, name, made) {
      const { root, member, entry } = find(text, name);
      const without = cut(text, spansOfMember(text, member.value, entry));
      if (made === 'entry') return without;
      const left = open(without);
      if (!left.root || !left.member || !isBare(without, left.member.value)) return without;
      const bare = cut(without, spansOfMember(without, left.root, left.member));
      const rest = parseJsonTree(bare, rules);
      if (made === 'list' || !rest || !isBare(bare, rest) || membersOf(root).length > 1) return bare;
      // The whole of it was made, with its line end.
      return bare.slice(0, rest.offset) + bare.slice(rest.offset + rest.length).replace(/^\r?\n/, '');
    },
  };
}

function pairOf({ name, value }: Member): readonly [string, unknown] {
  return [name, valueOf(value)];
}

/** Neither a member nor a comment stands in it. */
function isBare(text: string, node: Node): boolean {
  return text.slice(node.offset + 1, node.offset + node.length - 1).trim() === '';
}
