import 'reflect-metadata';
import { providerOf } from '../00-query-agent/model/model.service.js';
import { playDemo } from './demo.js';
import { openStore } from './store.js';

// DATABASE_URL: PostgreSQL in place of memory. MODEL_BASE_URL, MODEL_API_KEY, MODEL_NAME: a real provider in place of the canned one.
const store = await openStore(process.env['DATABASE_URL']);
try {
  const faults = await playDemo((line) => console.log(line), store, providerOf(process.env));
  for (const fault of faults) console.error(`NOT AS PROMISED: ${fault}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await store.close();
}
