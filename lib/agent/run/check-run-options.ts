import type { BootFaults } from '../../common/index.js';

const OF_CONVERSATIONS = ['conversation', 'message', 'store', 'approvals', 'onOpenRun', 'whenWaiting'] as const;
const CHOICES: Readonly<Record<string, readonly unknown[]>> = {
  onOpenRun: [undefined, 'supersede', 'queue', 'reject'],
  whenWaiting: [undefined, 'suspend', 'wait'],
};

/** What the types refuse, for callers that nothing made keep them. Told as `agent_options_invalid`. */
export function checkRunOptions(options: object, faults: BootFaults): void {
  const given = options as Readonly<Record<string, unknown>>;
  const report = (key: string, what: string): void => faults.add('agent_options_invalid', { key, what });
  const { caller, agent, model, messages, conversation, principal } = given;
  if (typeof caller !== 'object' || caller === null)
    report('caller', 'is missing: say on whose behalf tools are called');
  if (agent !== undefined && model !== undefined) report('model', 'cannot be given together with `agent`');
  if (messages !== undefined) {
    if (!Array.isArray(messages)) report('messages', 'must be an array');
    for (const key of OF_CONVERSATIONS) {
      if (given[key] !== undefined) report(key, 'is of conversations in a store, and `messages` are given');
    }
  } else if (typeof conversation !== 'string') report('conversation', 'is missing, and there are no `messages`');
  else if (principal === undefined) report('principal', 'is missing: say whose conversation it is');
  for (const [key, choices] of Object.entries(CHOICES)) {
    if (!choices.includes(given[key])) report(key, `must be one of ${choices.slice(1).join(', ')}`);
  }
}
