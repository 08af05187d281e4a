export { assertTranscript } from './assert-transcript.js';
export type { TranscriptDialect } from './dialects.js';
export { toMessages, type ToMessagesOptions } from './to-messages.js';
export { transcriptFaults } from './transcript-faults.js';
export { trimMessages, type MessageBudget } from './trim-messages.js';
export { lastTurns } from './turns.js';
export { withoutTools } from './without-tools.js';
