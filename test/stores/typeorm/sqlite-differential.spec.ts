import { describeDifferential } from '../support/store-differential.js';
import { openAwkward } from './awkward-entity.js';

describeDifferential({
  name: 'TypeORM on SQLite',
  isExact: false,
  open: (rows) => openAwkward({ type: 'better-sqlite3', database: ':memory:' }, rows),
});
