import { ScriptedModel } from 'nestjs-palette/testing';
import { closeApplications } from '../../../support/application.js';
import { DeadlyPoints, deadlyStore } from '../../agent-support/crashes/crash-points.js';
import { crashPlace } from '../support/crash-place.js';
import { bootLedgerApp, desk } from '../support/ledger-app.js';

// Proposes a booking of a loop of its own, has it approved, and runs it: it dies on the way, after the n-th point since then.
const env = (name: string): string => process.env[name] ?? '';
const schema = env('CRASH_SCHEMA');
const place = crashPlace(schema);
const deadly = new DeadlyPoints(Number(env('CRASH_AT')), 'SIGKILL', env('CRASH_POINTS'));
let isApproved = false;
const points = { pass: (what: string) => (isApproved ? deadly.pass(what) : undefined) };

desk.table = `"${schema}".bookings`;
desk.during = async () => points.pass('did book');
const store = deadlyStore(place.store, points);
const app = await bootLedgerApp('express', { store, model: new ScriptedModel([]), leaseMs: 1_000 });
const booking = { id: env('CRASH_BOOKING') };
const { approvalId } = await app.approved(booking);
process.stdout.write(approvalId);
isApproved = true;
await app.dispatch(booking, approvalId);
await closeApplications();
await place.close();
