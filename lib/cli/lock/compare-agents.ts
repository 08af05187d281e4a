import { compareTool } from './compare-tool.js';
import type { AgentLock, OperationLock, PaletteLock, ToolLock } from './palette-lock.js';
import { ChangeList, sideBySide, type SurfaceChange } from './surface-change.js';

const NO_PALETTE: AgentLock = { readOnly: true, include: [], tools: {} };

/** Changes of palettes and of the tools in them. */
export function compareAgents(before: PaletteLock, after: PaletteLock): readonly SurfaceChange[] {
  return sideBySide(before.palettes, after.palettes).flatMap((entry) => {
    const list = new ChangeList(`palette "${entry.name}"`);
    if (entry.before === undefined)
      list.add('gained', `is new, ${entry.after?.readOnly ? 'read-only' : 'takes commands'}`);
    else if (entry.after === undefined) list.add('lost', 'is gone');
    else comparePalette(entry.before, entry.after, list);
    const tools = sideBySide((entry.before ?? NO_PALETTE).tools, (entry.after ?? NO_PALETTE).tools);
    return [
      ...list.changes,
      ...tools.flatMap((tool) => {
        const at = new ChangeList(`tool ${tool.name} of palette "${entry.name}"`);
        if (tool.before === undefined) at.add('gained', `is new: ${toolText(tool.after, after)}`);
        else if (tool.after === undefined) at.add('lost', `is gone: ${toolText(tool.before, before)}`);
        else compareTool(tool.before, tool.after, at);
        return at.changes;
      }),
    ];
  });
}

function comparePalette(before: AgentLock, after: AgentLock, list: ChangeList): void {
  if (before.readOnly && !after.readOnly) list.add('gained', 'takes commands now (readOnly: false)');
  if (!before.readOnly && after.readOnly) list.add('lost', 'is read-only now');
  list.compare('allow-list', before.include, after.include);
}

/** `notes.remove, command, DELETE /notes/:id, destructive` */
function toolText(tool: ToolLock | undefined, { operations }: PaletteLock): string {
  if (tool === undefined) return '';
  const operation: OperationLock | undefined = Object.hasOwn(operations, tool.operation)
    ? operations[tool.operation]
    : undefined;
  const isDestructive = Object.hasOwn(tool.annotations, 'destructive') && tool.annotations['destructive'] === true;
  const parts = [tool.operation, operation?.kind, operation?.route, isDestructive ? 'destructive' : undefined];
  return parts.filter((part) => part !== undefined).join(', ');
}
