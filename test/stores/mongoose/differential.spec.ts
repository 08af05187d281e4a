import { describeDifferential } from '../support/store-differential.js';
import { openAwkwardStore } from './support/awkward-store.js';

describeDifferential({
  name: 'Mongoose, its pipelines run by mingo',
  open: async (rows) => openAwkwardStore(rows),
});
