import type { Tool } from '@modelcontextprotocol/server';
import { BootFaults, deepFreeze, ownValue, type JsonSchema } from '../../common/index.js';
import type { Palette } from '../../palette/index.js';
import type { ResolvedServerOptions } from '../resolve-options.js';
import { asksForHeaders } from './asks-for-headers.js';

/** The tools of a palette as `tools/list` tells of them, made once. */
export class ToldTools {
  readonly #tools = new Map<string, Tool>();

  /** @throws PaletteBootError `mcp_schema_header`, `mcp_options_invalid` */
  constructor(palette: Palette, { outputSchemas }: ResolvedServerOptions) {
    const faults = new BootFaults();
    const unused = new Set(Object.keys(outputSchemas));
    for (const tool of palette.toMcp()) {
      const operation = palette.entry(tool.name)?.operation.name ?? tool.name;
      const outputSchema = ownValue(outputSchemas, operation) as JsonSchema | undefined;
      unused.delete(operation);
      if (asksForHeaders(tool.inputSchema)) faults.add('mcp_schema_header', { operation });
      this.#tools.set(tool.name, deepFreeze({ ...tool, ...(outputSchema && { outputSchema }) }) as Tool);
    }
    for (const name of unused) {
      faults.add('mcp_options_invalid', {
        key: 'outputSchemas',
        what: `names "${name}", which palette "${palette.name}" does not hold`,
      });
    }
    faults.throwIfAny();
  }

  /** What a tool was said to answer. */
  outputSchema(name: string): Tool['outputSchema'] {
    return this.#tools.get(name)?.outputSchema;
  }

  /** Those that a caller's own palette holds, in its order. */
  of(visible: Palette): readonly Tool[] {
    return visible.definitions.map(({ name }) => this.#tools.get(name)).filter((tool) => tool !== undefined);
  }
}
