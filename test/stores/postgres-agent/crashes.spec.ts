import { itSurvivesCrashes } from '../agent-support/crashes/crash-suite.js';
import { crashTrials } from '../agent-support/crashes/crash-trials.js';
import { trialsIn } from '../agent-support/crashes/trials-in.js';
import { describeOnPostgres } from './support/describe-on-postgres.js';
import { openTrials } from './support/open-trials.js';

describeOnPostgres('a process that is killed, its conversation in PostgreSQL,', () => {
  itSurvivesCrashes(
    trialsIn(() => openTrials('crashes'), crashTrials),
    true,
  );
});
