import { failed, refused, type ErrorCodeEntry } from './error-code-entry.js';

/** What a query is refused with. */
export const QUERY_CODES = {
  // query
  field_not_filterable: refused('The query filters by a field that it may not filter by. `allowed` lists the others.'),
  field_not_sortable: refused('The query sorts by a field that it may not sort by. `allowed` lists the others.'),
  field_not_aggregatable: refused(
    'The query aggregates a field that it may not aggregate so. `allowed` lists the others.',
  ),
  field_not_returnable: refused('The query selects a field that it may not return. `allowed` lists the others.'),
  field_not_on_read_model: refused('The query names a field that there is none of here. `allowed` lists the others.'),
  filter_operator_unknown: refused('The filter uses an operator that does not exist. `allowed` lists the others.'),
  filter_operator_not_allowed: refused(
    'The filter uses an operator that the field does not have here. `allowed` lists the others.',
  ),
  filter_operand_invalid: refused(
    'A value of the filter does not fit its field and operator. `allowed` says what does.',
  ),
  filter_shape_invalid: refused('The query is not built as its schema says. `allowed` says what may stand there.'),
  filter_depth_exceeded: refused('The filter is nested deeper than `allowed` says.'),
  filter_clauses_exceeded: refused('The query has more conditions than `allowed` says. Ask for less at once.'),
  filter_list_exceeded: refused('A list of the filter is longer than `allowed` says. Split it.'),
  filter_pattern_invalid: refused(
    'A pattern of the filter cannot be used: too long, or not of its syntax. `allowed` says what can.',
  ),
  sort_invalid: refused('A sort is neither a direction nor { dir, nulls }. `allowed` lists what may stand there.'),
  page_invalid: refused('`page` or `size` is out of range. `allowed` states the smallest and the largest.'),
  cursor_invalid: refused('The cursor is not one of this query. Start from the first page.'),
  aggregate_function_unknown: refused(
    'The query computes with a function that it may not use. `allowed` lists the others.',
  ),
  aggregate_shape_invalid: refused(
    'The aggregate is not built as its schema says. `allowed` says what may stand there.',
  ),
  aggregate_alias_invalid: refused(
    'A name for a group or a computed value cannot be used, or is used twice. `allowed` says what can.',
  ),
  query_unsupported_by_store: refused('The store cannot run this query. `allowed` lists what it can.'),
  query_store_base_unsupported: failed('{store} was given a base that it cannot stand on: {what}.', 500, 'developer'),
  query_result_opaque: failed(
    '{operation} answers with bytes, in which `returnable` cannot be kept. Answer with rows.',
    500,
    'developer',
  ),
  query_cursor_unfit: failed(
    'A row of {readModel} has a sort key ({fields}) that no cursor can carry: a text too long, or one that is not well-formed. Do not sort by it.',
    500,
    'developer',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;
