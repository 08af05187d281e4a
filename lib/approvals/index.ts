export type * from './ledger/index.js';
