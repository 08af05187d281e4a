import 'reflect-metadata';
import { agent } from './agent.js';
import { approvals } from './approvals.js';
import { boot } from './boot.js';
import { dispatch } from './dispatch.js';
import { egress } from './egress.js';
import { mcp } from './mcp.js';
import type { BenchRow } from './measure.js';
import { query } from './query.js';
import { schema } from './schema.js';

const BENCHES: Readonly<Record<string, () => AsyncIterable<BenchRow>>> = {
  dispatch,
  boot,
  schema,
  query,
  egress,
  mcp,
  agent,
  approvals,
};

/** `npm run bench [-- name ...] [--json]`: a table for people, or one JSON object a row. */
async function main(parameters: readonly string[]): Promise<void> {
  const names = parameters.filter((parameter) => !parameter.startsWith('--'));
  const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
  if (unknown.length > 0) {
    console.error(`No bench is named ${unknown.join(', ')}. There are: ${Object.keys(BENCHES).join(', ')}.`);
    process.exitCode = 2;
    return;
  }
  const print = parameters.includes('--json') ? (row: BenchRow) => console.log(JSON.stringify(row)) : printRow;
  if (print === printRow) console.log(line(['bench', 'row', 'ours', 'other', 'unit', 'ratio', 'goal', 'met']));
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (names.length > 0 && !names.includes(name)) continue;
    for await (const row of bench()) print(row);
  }
}

function printRow(row: BenchRow): void {
  const { bench, row: name, ours, other, unit, ratio, goal, met } = row;
  console.log(line([bench, name, ours, other, unit, ratio, goal, met ? 'yes' : 'NO'].map(String)));
}

const WIDTHS = [10, 44, 10, 10, 8, 8, 14, 4];

function line(cells: readonly string[]): string {
  return cells.map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0)).join(' ');
}

await main(process.argv.slice(2));
