import { itSurvivesStops } from '../agent-support/crashes/crash-suite.js';
import { stopTrials } from '../agent-support/crashes/stop-trials.js';
import { trialsIn } from '../agent-support/crashes/trials-in.js';
import { describeOnRedis } from './support/describe-on-redis.js';
import { openTrials } from './support/open-trials.js';

describeOnRedis('a process that is stopped for longer than its lease, its conversation in Redis,', () => {
  itSurvivesStops(
    trialsIn(() => openTrials('stops'), stopTrials),
    false,
  );
});
