import { crashProcess } from '../../agent-support/crashes/crash-process.js';
import { crashPlace } from '../support/crash-place.js';

await crashProcess(async () => crashPlace(process.env['CRASH_SCHEMA'] ?? ''));
