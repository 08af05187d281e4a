import { describe, expect, it } from '@jest/globals';
import { upgradeEntry, type ItemUpgrades, type StoredEntry } from './upgrade-entry.js';

const stored = (schemaVersion: number, item: unknown): StoredEntry => ({
  conversationId: 'c',
  seq: 1,
  at: 0,
  schemaVersion,
  item,
});
const upgrades: ItemUpgrades = {
  1: (item) => ({ ...(item as object), second: true }),
  2: (item) => ({ ...(item as object), third: true }),
};

describe('upgradeEntry', () => {
  it('takes an entry of an older version through every version in between', () => {
    expect(upgradeEntry(stored(1, { text: 'a' }), upgrades, 3)).toEqual(
      stored(3, { text: 'a', second: true, third: true }),
    );
  });

  it('leaves an entry of its own version as it is', () => {
    expect(upgradeEntry(stored(3, { text: 'a' }), upgrades, 3)).toEqual(stored(3, { text: 'a' }));
  });

  it('refuses an entry of a later version, naming both versions and the repair', () => {
    expect(() => upgradeEntry(stored(4, {}), upgrades, 3)).toThrow(
      '[journal_version_unknown] The journal of the conversation was written by a later version of the library: schema version 4, and this one reads up to 3. Upgrade it.',
    );
  });

  it('refuses an older version from which no upgrade leads', () => {
    expect(() => upgradeEntry(stored(0, {}), upgrades, 3)).toThrow('schema version 0');
  });
});
