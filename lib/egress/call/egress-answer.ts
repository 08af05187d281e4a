import type { ResponseBody } from './response-body.js';

/** An answer whose status nobody has looked at yet. */
export interface EgressAnswer {
  readonly body: ResponseBody;
  /** Where it came from, after redirects. */
  readonly url: URL;
  /** What must not appear in anything that is said about the answer. */
  readonly secret: string | undefined;
}
