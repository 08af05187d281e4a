import { comparePolicy } from './compare-policy.js';
import type { ToolLock } from './palette-lock.js';
import { sideBySide, type ChangeEffect, type ChangeList } from './surface-change.js';

/** Changes of a tool that is there before and after. */
export function compareTool(before: ToolLock, after: ToolLock, list: ChangeList): void {
  list.compare('operation', before.operation, after.operation, 'gained');
  compareAnnotations(before, after, list);
  compareArguments(before, after, list);
  comparePolicy(before.policy, after.policy, list);
  if (before.schema !== after.schema) list.add('changed', 'input schema is another');
  else if (before.definition !== after.definition) list.add('changed', 'what a model is told is another');
}

function compareAnnotations(before: ToolLock, after: ToolLock, list: ChangeList): void {
  for (const entry of sideBySide(before.annotations, after.annotations)) {
    const isRiskier =
      (entry.name === 'readOnly' && entry.after !== true) || (entry.name === 'destructive' && entry.after === true);
    list.compare(entry.name, entry.before, entry.after, isRiskier ? 'gained' : 'changed');
  }
}

function compareArguments(before: ToolLock, after: ToolLock, list: ChangeList): void {
  for (const argument of sideBySide(before.arguments, after.arguments)) {
    if (argument.before === undefined) list.add('gained', `takes the argument "${argument.name}" (${argument.after})`);
    else if (argument.after === undefined) list.add('lost', `the argument "${argument.name}"`);
    else if (argument.before !== argument.after) {
      const effect: ChangeEffect = argument.after === 'optional' ? 'gained' : 'lost';
      list.add(effect, `the argument "${argument.name}" is ${argument.after} now`);
    }
  }
}
