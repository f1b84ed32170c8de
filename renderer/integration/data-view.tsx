import { words } from '../words.ts';
import type { JsonValue } from './resolve-schema.ts';
import { tableColumns } from './table-columns.ts';
import './data-view.css';

type Row = { [name: string]: JsonValue };

/** Deeper than this it is shown as JSON. */
const depthLimit = 4;
/** More rows than these are counted, not drawn. */
const rowLimit = 100;

/** Data as a person reads it: lists of like things as a table, things as names and values. */
export function DataView({ data, depth = 0 }: { readonly data: JsonValue; readonly depth?: number }) {
  if (data === null || typeof data !== 'object') return <Leaf value={data} />;
  if (depth >= depthLimit) return <code>{JSON.stringify(data)}</code>;
  if (Array.isArray(data)) {
    if (data.length === 0) return <span className="faint">{words.common.none}</span>;
    const rows = data.filter(isRow);
    const columns = rows.length === data.length && depth < 2 ? tableColumns(rows.slice(0, rowLimit)) : undefined;
    if (columns) return <Table columns={columns} rows={rows} depth={depth} />;
    return (
      <ol className="data-list">
        {data.slice(0, rowLimit).map((item, index) => (
          <li key={index}>
            <DataView data={item} depth={depth + 1} />
          </li>
        ))}
        <More count={data.length} />
      </ol>
    );
  }
  return (
    <dl className="data">
      {Object.entries(data).map(([name, value]) => (
        <div className="data-entry" key={name}>
          <dt>{name}</dt>
          <dd>
            <DataView data={value} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function isRow(value: JsonValue): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface TableProps {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly depth: number;
}

function Table({ columns, rows, depth }: TableProps) {
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
          {rows.slice(0, rowLimit).map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column}>
                  {Object.hasOwn(row, column) && <DataView data={row[column] ?? null} depth={depth + 2} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <More count={rows.length} />
    </div>
  );
}

function More({ count }: { readonly count: number }) {
  return count > rowLimit ? <p className="faint small">{words.tools.rowCount(count)}</p> : null;
}

function Leaf({ value }: { readonly value: null | boolean | number | string }) {
  if (value === null || value === '') return <span className="faint">{words.common.none}</span>;
  if (typeof value === 'boolean') return <>{value ? words.tools.yes : words.tools.no}</>;
  return <span className={typeof value === 'number' ? 'data-number' : 'data-text'}>{String(value)}</span>;
}
