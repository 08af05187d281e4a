import type { ToolDefinition } from '../../../palette/index.js';
import type { ToldTool } from '../../../palette/index.js';

/**
 * Writes each definition once: a loop sends the same ones at every step. A null is no way to leave out an optional argument that
 * takes null as a value, since a definition does not say that it is.
 */
export class ToldTools<Written> {
  readonly #written = new WeakMap<ToolDefinition, Written>();

  constructor(private readonly write: (tool: ToldTool) => Written) {}

  of(definitions: readonly ToolDefinition[]): Written[] {
    return definitions.map((definition) => {
      const known = this.#written.get(definition) ?? this.write(toldTool(definition));
      this.#written.set(definition, known);
      return known;
    });
  }
}

function toldTool(definition: ToolDefinition): ToldTool {
  return { definition, operation: { name: definition.name }, nullMeansAbsent: false };
}
