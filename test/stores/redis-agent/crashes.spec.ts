import { itSurvivesCrashes } from '../agent-support/crashes/crash-suite.js';
import { crashTrials } from '../agent-support/crashes/crash-trials.js';
import { trialsIn } from '../agent-support/crashes/trials-in.js';
import { describeOnRedis } from './support/describe-on-redis.js';
import { openTrials } from './support/open-trials.js';

describeOnRedis('a process that is killed, its conversation in Redis,', () => {
  itSurvivesCrashes(
    trialsIn(() => openTrials('crashes'), crashTrials),
    false,
  );
});
