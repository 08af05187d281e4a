import 'reflect-metadata';
import { playDemo } from './demo.js';

const faults = await playDemo((line) => console.log(line));
for (const fault of faults) console.error(`NOT AS PROMISED: ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
