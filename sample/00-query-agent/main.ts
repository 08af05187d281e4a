import 'reflect-metadata';
import { playDemo } from './demo.js';
import { providerOf } from './model/model.service.js';

// MODEL_BASE_URL, MODEL_API_KEY, MODEL_NAME: a real provider in place of the canned one.
const faults = await playDemo((line) => console.log(line), providerOf(process.env));
for (const fault of faults) console.error(`NOT AS PROMISED: ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
