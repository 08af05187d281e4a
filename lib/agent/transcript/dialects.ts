import type { TranscriptDialect } from '../model/model.js';

export type { TranscriptDialect };

/** What providers differ in. What they all demand is in `transcriptFaults`. */
export interface DialectRules {
  /** Among which calls an id is to be the only one of its kind. */
  readonly idsAreUniqueIn: 'message' | 'transcript';
  readonly maxIdLength: number;
  /** Whether nobody may speak before the user. */
  readonly beginsWithUser: boolean;
  /** Whether an error result may not be blank. */
  readonly errorsHaveWords: boolean;
}

export const DIALECTS: Readonly<Record<TranscriptDialect, DialectRules>> = {
  chat: { idsAreUniqueIn: 'message', maxIdLength: Infinity, beginsWithUser: false, errorsHaveWords: false },
  responses: { idsAreUniqueIn: 'transcript', maxIdLength: 64, beginsWithUser: false, errorsHaveWords: false },
  anthropic: { idsAreUniqueIn: 'transcript', maxIdLength: Infinity, beginsWithUser: true, errorsHaveWords: true },
};
