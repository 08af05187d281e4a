import type { RequesterDecisions } from '../../approvals/index.js';
import type { CallerContext } from '../../common/index.js';

/** What identifies a caller where nobody says who they are. */
const CREDENTIALS = ['authorization', 'cookie'] as const;

/** Whether two messages came from the same caller. Never fails: who cannot be told is another. */
export type IsSameCaller = (one: CallerContext, other: CallerContext) => Promise<boolean>;

/** Callers are the principals that the application names for its approvals, or else their credentials. */
export function sameCaller(requesters: RequesterDecisions | undefined): IsSameCaller {
  return async (one, other) => {
    try {
      const isSamePerson = await requesters?.areSamePerson(one, other);
      return isSamePerson ?? CREDENTIALS.every((name) => one.headers[name] === other.headers[name]);
    } catch {
      return false;
    }
  };
}
