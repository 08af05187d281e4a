import { cpSync } from 'node:fs';

// The compiler leaves alone what is no TypeScript, and the migrations are read at run time, beside the code that runs them.
const [from, to] = process.argv.slice(2);
cpSync(`${from}/stores/postgres/migrations`, `${to}/stores/postgres/migrations`, { recursive: true });
