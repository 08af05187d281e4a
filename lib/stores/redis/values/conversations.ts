import { principalSnapshot, type Principal } from '../../../common/index.js';
import type { Conversation, JournalEntry, JournalItem, RunClaim } from '../../../conversations/index.js';
import { upgradeEntry } from '../../../conversations/upgrade-entry.js';
import type { ScriptReply } from '../script-runner.js';
import { hashOf, jsonOf, numberOf } from './hash.js';
import { fromOptionalText, toOptionalText } from './texts.js';

/** The same text for the same person in the same tenant, and for nobody else. */
export function whoIs({ subject, tenant }: Principal): string {
  return JSON.stringify([subject, tenant ?? null]);
}

export function principalText(principal: Principal): string {
  return JSON.stringify(principalSnapshot(principal));
}

/** Of a reply `found`. */
export function conversationOf(id: string, [, fields, lastSeq]: ScriptReply): Conversation {
  const hash = hashOf(fields);
  return {
    id,
    owner: jsonOf(hash, 'owner') as Principal,
    createdAt: numberOf(hash, 'createdAt'),
    lastSeq: Number(lastSeq),
    openRunId: fromOptionalText(hash.get('openRunId')),
  };
}

/** Of a reply `claimed`; undefined of any other. */
export function claimOf(
  conversationId: string,
  holder: string,
  [kind, fence, expiresAt]: ScriptReply,
): RunClaim | undefined {
  if (kind !== 'claimed') return undefined;
  return { conversationId, holder, fence: Number(fence), expiresAt: Number(expiresAt) };
}

/**
 * An item as a script takes it.
 *
 * @param expiresInMs of the request of an approval that is proposed with it: the store sets the end
 */
export function itemInput(item: JournalItem, expiresInMs?: number) {
  const { expiresAt: _, ...rest } = { expiresAt: undefined, ...item };
  return {
    type: item.type,
    text: JSON.stringify(expiresInMs === undefined ? item : rest),
    runId: toOptionalText('runId' in item ? item.runId : undefined),
    queuedSeq: 'queuedSeq' in item ? item.queuedSeq : undefined,
    expiresInMs,
  };
}

/**
 * Entries as they are in the list of a journal, `<at> <schema version> <item>` each.
 *
 * @throws ConversationError `journal_version_unknown`
 */
export function entriesOf(conversationId: string, fromSeq: number, list: unknown): readonly JournalEntry[] {
  return (list as readonly string[]).map((text, index) => {
    const [at = '', version = ''] = text.split(' ', 2);
    const item = JSON.parse(text.slice(at.length + version.length + 2)) as unknown;
    return upgradeEntry({
      conversationId,
      seq: fromSeq + index,
      at: Number(at),
      schemaVersion: Number(version),
      item,
    });
  });
}
