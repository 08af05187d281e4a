import { describe } from '@jest/globals';
import { redisAnswers } from '../../../support/servers.js';

/** `describe` where Redis answers. Elsewhere its tests are skipped, and counted as that. */
export const describeOnRedis = (await redisAnswers()) ? describe : describe.skip;
