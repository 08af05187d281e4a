import { itSurvivesStops } from '../agent-support/crashes/crash-suite.js';
import { stopTrials } from '../agent-support/crashes/stop-trials.js';
import { trialsIn } from '../agent-support/crashes/trials-in.js';
import { describeOnPostgres } from './support/describe-on-postgres.js';
import { openTrials } from './support/open-trials.js';

describeOnPostgres('a process that is stopped for longer than its lease, its conversation in PostgreSQL,', () => {
  itSurvivesStops(
    trialsIn(() => openTrials('stops'), stopTrials),
    true,
  );
});
