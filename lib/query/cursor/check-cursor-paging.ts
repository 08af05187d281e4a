import type { PolicyResolution } from '../policy/resolve-query-policy.js';
import type { ResolvedQueryPolicy } from '../policy/resolved-query-policy.js';
import { isInjected, secretFault, secretText, type CursorSecret } from './cursor-secret.js';

/**
 * What would make pages by cursor lose rows, or a cursor tell what rows may not hold.
 * A provider's secret is checked where Nest makes it.
 */
export function checkCursorPaging(
  policy: ResolvedQueryPolicy,
  secret: CursorSecret | undefined,
  { faults, where }: PolicyResolution,
): void {
  const readModel = policy.readModel.name;
  if (policy.tieBreaker === undefined) faults.add('query_cursor_order_partial', { where, readModel });
  const what = secret === undefined || isInjected(secret) ? undefined : faultOf(secret);
  if (what !== undefined) faults.add('query_policy_option_invalid', { where, option: 'cursorSecret', what });
  const revealed = secret === undefined ? revealedFields(policy) : [];
  if (revealed.length > 0) faults.add('query_cursor_reveals', { where, readModel, fields: revealed.join(', ') });
}

function revealedFields({ sortable, defaultSort, tieBreaker, returnable }: ResolvedQueryPolicy): readonly string[] {
  if (returnable === undefined) return [];
  const sorts = [...Object.keys(sortable), ...defaultSort.map(({ field }) => field.name)];
  const names = new Set(tieBreaker === undefined ? sorts : [...sorts, tieBreaker.name]);
  return [...names].filter((name) => !returnable.includes(name));
}

function faultOf(secret: string | (() => string)): string | undefined {
  try {
    return secretFault(secretText(secret));
  } catch {
    return 'is a function that throws';
  }
}
