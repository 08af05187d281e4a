import { deepFreeze, type BootFaults } from '../common/index.js';
import type { OperationDescriptor } from '../operations/index.js';
import { FilterGrammarBuilder } from './formats/index.js';
import { OperationPrefix, OperationReference, type PaletteInclude } from './include.js';
import type { PaletteContent, PaletteEntry } from './palette.js';
import type { PaletteOptions } from './palette.options.js';
import { paletteEntry } from './palette-entry.js';
import { warnPastBudget } from './definition-budget.js';
import { sensitivity } from './sensitivity.js';

type Operations = ReadonlyMap<string, OperationDescriptor>;

/** Resolves a palette's allow-list against the catalogue. */
export function buildPalette(options: PaletteOptions, operations: Operations, faults: BootFaults): PaletteContent {
  const readOnly = options.readOnly ?? true;
  const entries = new Map<string, PaletteEntry>();
  const grammar = options.sharedFilterGrammar ? new FilterGrammarBuilder() : undefined;
  const included = new Set(
    includesOf(options).flatMap((include) => resolve(include, options.name, operations, faults)),
  );
  for (const operation of Object.keys(options.approvals ?? {})) {
    if (![...included].some(({ name }) => name === operation))
      faults.add('palette_approval_unknown', { palette: options.name, operation });
  }
  if (includesOf(options).length === 0) faults.add('palette_allowlist_empty', { palette: options.name });
  for (const operation of included) {
    const where = { palette: options.name, operation: operation.name };
    const what = sensitivity(operation);
    if (what !== undefined) faults.add('palette_operation_sensitive', { ...where, what });
    else if (readOnly && operation.kind === 'command') faults.add('palette_command_in_read_only', where);
    else addEntry(entries, paletteEntry(operation, options, faults, grammar), faults);
  }
  const filterGrammar = deepFreeze(grammar?.grammar);
  warnPastBudget(options, [...entries.values()], filterGrammar);
  const definitions = Object.freeze([...entries.values()].map((entry) => entry.definition));
  return { readOnly, entries, definitions, filterGrammar, visible: options.visible };
}

/** Configuration may come from JavaScript, where nothing made `include` a list. */
function includesOf(options: PaletteOptions): readonly PaletteInclude[] {
  return Array.isArray(options.include) ? (options.include as readonly PaletteInclude[]) : [];
}

function resolve(
  include: PaletteInclude,
  palette: string,
  operations: Operations,
  faults: BootFaults,
): OperationDescriptor[] {
  const all = [...operations.values()];
  const found =
    include instanceof OperationPrefix
      ? all.filter((operation) => operation.name.startsWith(include.prefix))
      : include instanceof OperationReference
        ? all.filter(
            ({ controller, methodName }) => controller === include.controller && methodName === include.methodName,
          )
        : all.filter((operation) => operation.name === include);
  if (found.length === 0) {
    faults.add('palette_operation_unknown', { palette, operation: label(include), suggestion: suggestion(all) });
  }
  return found;
}

function label(include: PaletteInclude): string {
  if (include instanceof OperationPrefix) return `${include.prefix}*`;
  if (include instanceof OperationReference) return `${include.controller.name}.${include.methodName}`;
  return String(include);
}

function suggestion(all: readonly OperationDescriptor[]): string {
  if (all.length === 0) return 'No controller method carries @Operation().';
  const shown = all.slice(0, 12).map((operation) => operation.name);
  const more = all.length > shown.length ? ` and ${all.length - shown.length} more` : '';
  return `Operations are: ${shown.join(', ')}${more}.`;
}

function addEntry(entries: Map<string, PaletteEntry>, entry: PaletteEntry, faults: BootFaults): void {
  const { name } = entry.definition;
  const first = entries.get(name);
  if (first !== undefined) {
    const twice = { what: 'Tool name', name, first: first.operation.name, second: entry.operation.name };
    faults.add('palette_name_collision', twice);
    return;
  }
  entries.set(name, entry);
}
