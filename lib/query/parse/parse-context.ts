import { pointerSegment } from '../../common/index.js';
import type { ZoneOffset } from '../kinds/index.js';
import type { QueryLimits } from '../policy/query-policy.options.js';
import { QueryError, type QueryIssue, type QueryIssueCode } from '../query-error.js';

/** More issues than this say nothing new, and each may carry a list. */
const MAX_ISSUES = 32;

/** What looks like a name. Other keys are not repeated: who knows what was put there. */
const NAME = /^[A-Za-z_$][A-Za-z0-9_$.]{0,63}$/;

export interface IssueFacts {
  readonly field?: string;
  readonly operator?: string;
  readonly allowed?: QueryIssue['allowed'];
}

/** One request being parsed: its issues so far, and what it has used of its limits. */
export class ParseContext {
  readonly #issues: QueryIssue[] = [];
  #clauses = 0;

  constructor(
    readonly limits: QueryLimits,
    readonly zone: ZoneOffset,
  ) {}

  /** Reports an issue and yields undefined: what a parser answers with where there is nothing to plan. */
  refuse(code: QueryIssueCode, pointer: string, facts: IssueFacts = {}): undefined {
    if (this.#issues.length >= MAX_ISSUES) return undefined;
    const { field, operator, allowed } = facts;
    this.#issues.push(
      Object.freeze({
        code,
        pointer,
        ...(isName(field) ? { field } : {}),
        ...(isName(operator) ? { operator } : {}),
        ...(allowed === undefined ? {} : { allowed }),
      }),
    );
    return undefined;
  }

  /** Counts conditions; false from the one on that is too many, which is reported once. */
  countClauses(count: number, pointer: string): boolean {
    const { maxClauses } = this.limits;
    const before = this.#clauses;
    this.#clauses += count;
    if (before <= maxClauses && this.#clauses > maxClauses) {
      this.refuse('filter_clauses_exceeded', pointer, { allowed: [maxClauses] });
    }
    return this.#clauses <= maxClauses;
  }

  /** Whether there is an issue already. */
  get isRefused(): boolean {
    return this.#issues.length > 0;
  }

  /** @throws QueryError with every issue, if there is one */
  throwIfRefused(): void {
    const [first, ...rest] = this.#issues;
    if (first) throw new QueryError([first, ...rest]);
  }
}

/** The pointer to a key of an object; to the object itself where the key does not look like a name. */
export function pointerTo(pointer: string, key: string | number): string {
  return typeof key === 'number' || NAME.test(key) ? `${pointer}${pointerSegment(key)}` : pointer;
}

function isName(text: string | undefined): text is string {
  return text !== undefined && NAME.test(text);
}
