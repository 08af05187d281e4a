import { InMemoryQueryExecutor, type AggregatePlan, type OutputField } from '../../query/index.js';
import { jsonValueOf, rowReader } from '../../query/kinds/index.js';
import type { Document } from './mongoose-model.js';
import { plainValue } from './plain-values.js';

/** The answer under the caller's aliases, as JSON values. */
export function outputRows({ groups, computed }: AggregatePlan, documents: readonly Document[]): Document[] {
  const outputs = [...groups, ...computed].map(({ output }) => output);
  return documents.map((document) =>
    Object.fromEntries(
      outputs.map((output) => {
        const value = rowReader(output)(exactValue(output, plainValue(document[output.column])));
        return [output.name, value === null ? null : jsonValueOf(output, value)];
      }),
    ),
  );
}

/** The driver reads 64-bit integers as numbers as far as 2^53, which no longer tells itself from its neighbour. */
function exactValue({ kind }: OutputField, value: unknown): unknown {
  return kind === 'bigint' && typeof value === 'number' ? String(value) : value;
}

/**
 * The one row of an aggregate without groups. MongoDB answers with none where no document matched; what is asked of the
 * row is therefore asked here.
 */
export async function singleRow(plan: AggregatePlan, documents: readonly Document[]): Promise<Document[]> {
  const [found] = outputRows(plan, documents);
  const row =
    found ?? Object.fromEntries(plan.computed.map((value) => [value.output.name, emptyResult(value.function)]));
  const { having, sorts, paging } = plan;
  const kept = { form: 'list', ...(having && { filter: having }), sorts, paging } as const;
  return (await new InMemoryQueryExecutor<Document>([row]).list(kept)).rows;
}

function emptyResult(name: AggregatePlan['computed'][number]['function']): number | null {
  return name === '$count' || name === '$count_distinct' ? 0 : null;
}
