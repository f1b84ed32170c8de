import { isObject } from '../../shared/json-object.ts';
import { pointerPart } from '../../shared/mcp-view.ts';
import { words } from '../words.ts';
import './data-view.css';
import { tableColumns } from './result-bounds.ts';
import type { JsonValue } from './schema-fields.ts';

type Row = { [name: string]: JsonValue };

/** Deeper levels are shown as JSON. */
const depthLimit = 6;
/** Further members are counted, not rendered. */
const memberLimit = 100;

interface DataViewProps {
  readonly data: JsonValue;
  /** Total counts by JSON pointer, where main has truncated. */
  readonly counts?: Readonly<Record<string, number>> | undefined;
  /** JSON pointer to `data`. */
  readonly at?: string;
  readonly depth?: number;
}

/** Readable data: arrays of similar objects as a table, objects as names and values. */
export function DataView({ data, counts = {}, at = '', depth = 0 }: DataViewProps) {
  if (data === null || typeof data !== 'object') return <Leaf value={data} />;
  if (depth >= depthLimit) return <code>{JSON.stringify(data)}</code>;
  if (Array.isArray(data)) {
    if (data.length === 0) return <span className="faint">{words.common.none}</span>;
    const rows = data.filter(isRow);
    const areRows = rows.length === data.length;
    const columns = areRows ? tableColumns(rows.slice(0, memberLimit)) : undefined;
    if (columns) return <Table columns={columns} rows={rows} counts={counts} at={at} depth={depth} />;
    return (
      <ol className={areRows ? 'data-list records' : 'data-list'}>
        {data.slice(0, memberLimit).map((item, index) => (
          <li key={index}>
            <DataView data={item} counts={counts} at={`${at}/${index}`} depth={depth + 1} />
          </li>
        ))}
        <More drawn={data.length} count={counts[at]} />
      </ol>
    );
  }
  const members = Object.entries(data);
  return (
    <>
      <dl className="data">
        {members.slice(0, memberLimit).map(([name, value]) => (
          <div className={hasMembers(value) ? 'data-entry nested' : 'data-entry'} key={name}>
            <dt>{name}</dt>
            <dd>
              <DataView data={value} counts={counts} at={`${at}/${pointerPart(name)}`} depth={depth + 1} />
            </dd>
          </div>
        ))}
      </dl>
      <More drawn={members.length} count={counts[at]} />
    </>
  );
}

/** Values such as an issue number, which should not wrap. */
const isShort = (value: JsonValue | undefined): boolean => typeof value === 'string' && value.length <= 12;

/** Objects and lists of them need the whole width. */
const hasMembers = (value: JsonValue): boolean => (Array.isArray(value) ? value.some(hasMembers) : isRow(value));

function isRow(value: JsonValue): value is Row {
  return isObject(value);
}

interface TableProps {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly counts: Readonly<Record<string, number>>;
  readonly at: string;
  readonly depth: number;
}

function Table({ columns, rows, counts, at, depth }: TableProps) {
  return (
    <div className="data-scroll" tabIndex={0} role="region" aria-label={words.tools.table}>
      <table className="data-table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, memberLimit).map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column} className={isShort(row[column]) ? 'short' : undefined}>
                  {Object.hasOwn(row, column) && (
                    <DataView
                      data={row[column] ?? null}
                      counts={counts}
                      at={`${at}/${index}/${pointerPart(column)}`}
                      depth={depth + 2}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <More drawn={rows.length} count={counts[at]} />
    </div>
  );
}

/** `count`: the total, if main has truncated. */
function More({ drawn, count = drawn }: { readonly drawn: number; readonly count: number | undefined }) {
  const visible = Math.min(drawn, memberLimit);
  return count > visible ? <p className="faint small">{words.tools.shownOf(visible, count)}</p> : null;
}

function Leaf({ value }: { readonly value: null | boolean | number | string }) {
  if (value === null || value === '') return <span className="faint">{words.common.none}</span>;
  if (typeof value === 'boolean') return <>{value ? words.tools.yes : words.tools.no}</>;
  return <span className={typeof value === 'number' ? 'data-number' : 'data-text'}>{String(value)}</span>;
}
