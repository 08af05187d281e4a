import type { CallerContext } from '../../common/index.js';

/**
 * Whether a person has to approve a call before it runs, and why, in words for that person. A function is asked with the
 * arguments of the call; `false` lets this one pass. It is asked again when the call runs.
 */
export type ApprovalRule = string | ApprovalQuestion;

export type ApprovalQuestion = (
  args: Readonly<Record<string, unknown>>,
  caller: CallerContext,
) => string | false | Promise<string | false>;
