import type { JsonSchema } from '../../common/index.js';
import type { DeclaredInput, SchemaContext } from '../../operations/index.js';
import type { Paging } from '../ast.js';
import type { ResolvedQueryPolicy } from '../policy/index.js';

/** What a document is made of: the query input of one method. */
export interface DescribedQueryInput {
  readonly form: 'list' | 'aggregate';
  readonly paging: Paging['kind'];
  readonly source: 'body' | 'query';
  readonly encoding?: DeclaredInput['encoding'];
  schema(context: SchemaContext): JsonSchema;
  ownDescription(): { readonly policy: ResolvedQueryPolicy; readonly sentence: string };
}
