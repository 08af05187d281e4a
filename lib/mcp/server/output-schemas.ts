import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { BootFaults, type JsonSchema } from '../../common/index.js';

/** What operations were said to answer, and whether they do. */
export class OutputSchemas {
  readonly #validators = new Map<string, ValidateFunction>();

  /** @throws PaletteBootError `mcp_options_invalid` where a schema is none */
  constructor(schemas: Readonly<Record<string, JsonSchema>>) {
    const faults = new BootFaults();
    for (const [operation, schema] of Object.entries(schemas)) {
      try {
        const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true, logger: false });
        this.#validators.set(operation, ajv.compile(schema));
      } catch {
        faults.add('mcp_options_invalid', { key: 'outputSchemas', what: `holds no JSON Schema for "${operation}"` });
      }
    }
    faults.throwIfAny();
  }

  judge(operation: string, content: unknown): 'undeclared' | 'fit' | 'unfit' {
    const validate = this.#validators.get(operation);
    if (validate === undefined) return 'undeclared';
    return validate(content) ? 'fit' : 'unfit';
  }
}
