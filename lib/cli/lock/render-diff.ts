import type { ChangeEffect, SurfaceChange } from './surface-change.js';

const SECTIONS: readonly { readonly effect: ChangeEffect; readonly title: string; readonly mark: string }[] = [
  { effect: 'gained', title: 'Gained: what agents may see, do or send now and could not before', mark: '+' },
  { effect: 'changed', title: 'Changed', mark: '~' },
  { effect: 'lost', title: 'Lost', mark: '-' },
];

/** The changes for a person to read: what agents gained stands first. Empty where nothing changed. */
export function renderDiff(changes: readonly SurfaceChange[]): string {
  return SECTIONS.map(({ effect, title, mark }) => {
    const ofEffect = changes.filter((change) => change.effect === effect);
    const lines = ofEffect.map(({ at, what }) => `  ${mark} ${at}: ${what}`);
    return lines.length === 0 ? '' : [title, ...lines, ''].join('\n');
  })
    .filter((section) => section !== '')
    .join('\n');
}
