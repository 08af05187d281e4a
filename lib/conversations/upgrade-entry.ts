import { ConversationError } from './conversation-error.js';
import { JOURNAL_SCHEMA_VERSION, type JournalEntry, type JournalItem } from './journal-item.js';

/** An entry as it was stored, by whatever version of the library. */
export interface StoredEntry extends Omit<JournalEntry, 'item'> {
  readonly item: unknown;
}

/** What makes an item of version n + 1 of one of version n, under the key n. */
export type ItemUpgrades = Readonly<Record<number, (item: unknown) => unknown>>;

/** Version 1 is the first. */
const UPGRADES: ItemUpgrades = {};

/**
 * The entry in the version that this library writes. A driver calls it with each entry that it reads.
 * @throws ConversationError `journal_version_unknown`
 */
export function upgradeEntry(
  stored: StoredEntry,
  upgrades: ItemUpgrades = UPGRADES,
  known = JOURNAL_SCHEMA_VERSION,
): JournalEntry {
  let { item, schemaVersion } = stored;
  for (; schemaVersion < known; schemaVersion += 1) {
    const upgrade = upgrades[schemaVersion];
    if (upgrade === undefined) break;
    item = upgrade(item);
  }
  if (schemaVersion !== known) {
    throw new ConversationError('journal_version_unknown', { parameters: { version: stored.schemaVersion, known } });
  }
  return { ...stored, schemaVersion, item: item as JournalItem };
}
