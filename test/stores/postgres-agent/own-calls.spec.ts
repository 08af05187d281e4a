import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ScriptedModel } from 'nestjs-palette/testing';
import { closeApplications } from '../../support/application.js';
import { eventually } from '../../support/eventually.js';
import { compileAll, type Compiled } from '../../support/run-compiled.js';
import { bookingsTable } from './support/crash-place.js';
import { describeOnPostgres } from './support/describe-on-postgres.js';
import { bootLedgerApp, desk, type LedgerApp } from './support/ledger-app.js';
import { PostgresPlace } from './support/postgres-store.js';

const FILE = 'test/stores/postgres-agent/processes/own-calls.ts';
const POINTS = ['claimRun', 'claimCall', 'did book', 'settleCall', 'transaction', 'releaseRun'];

describeOnPostgres('a process that is killed with a transactional call of its own loop', () => {
  let place: PostgresPlace;
  let compiled: Compiled;
  let folder: string;
  let app: LedgerApp;

  beforeAll(async () => {
    place = await PostgresPlace.open('own_calls');
    await place.pool.query(bookingsTable(place.schema));
    compiled = compileAll(FILE, ['test/stores/agent-support', 'test/stores/postgres-agent/support']);
    folder = mkdtempSync(join(tmpdir(), 'own-calls-'));
    desk.table = `"${place.schema}".bookings`;
    app = await bootLedgerApp('fastify', { store: place.store(), model: new ScriptedModel([]), leaseMs: 1_000 });
  });
  afterAll(async () => {
    await closeApplications();
    compiled?.remove();
    rmSync(folder, { recursive: true });
    await place.close();
  });

  const booked = async (id: string): Promise<number> => {
    const { rowCount } = await place.pool.query(`SELECT FROM ${desk.table} WHERE conversation = $1`, [id]);
    return rowCount ?? 0;
  };

  it.each(POINTS.map((point, index) => [point, index + 1] as const))(
    'leaves effect and ledger, or neither, to whoever asks again: killed after %s',
    async (_point, at) => {
      const [id, points] = [`booking-${at}`, join(folder, `${at}`)];
      writeFileSync(points, '');
      const env = { CRASH_SCHEMA: place.schema, CRASH_AT: String(at), CRASH_POINTS: points, CRASH_BOOKING: id };
      const { stdout: approvalId, signal } = await compiled.run(env);
      expect(signal).toBe('SIGKILL');
      expect(readFileSync(points, 'utf8').split('\n').slice(0, -1)).toEqual(POINTS.slice(0, at));
      const hasCommitted = at >= POINTS.indexOf('transaction') + 1;
      expect(await booked(id)).toBe(hasCommitted ? 1 : 0);
      desk.keys.length = 0;
      await eventually(async () => {
        // `call_running` until the lease of the dead is over.
        expect(await app.dispatch({ id }, approvalId)).toMatchObject({ isError: false, content: { id } });
      });
      expect(await booked(id)).toBe(1);
      expect(desk.keys).toHaveLength(hasCommitted ? 0 : 1);
    },
  );
});
